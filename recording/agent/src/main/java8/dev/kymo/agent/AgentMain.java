package dev.kymo.agent;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.net.URISyntaxException;
import java.security.AllPermission;
import java.security.PermissionCollection;
import java.security.ProtectionDomain;
import java.util.function.BiConsumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The entry point that the virtual machine calls. It is compiled for Java 8, so that an older
 * virtual machine reports what is wrong instead of refusing to start the program.
 *
 * <p>It is the only class of Kymo's among the program's own. Other agents look at those: they
 * measure their coverage, or weave into them. In the jar it is marked as one that no source has,
 * which most of them leave out. It is also the class loader of {@link BootClasses}, to which
 * packages of the JDK are opened; were that one of the program's classes, they would be open to the
 * program.
 */
public final class AgentMain extends ClassLoader {
  /** The jar's entry that contains all other classes; {@code Preparation} says how. */
  static final String ENTRY = "boot-classes";

  private static final int OLDEST_JAVA = 17;

  private AgentMain() {
    super(null);
  }

  /** Called with {@code -javaagent}. */
  public static void premain(String arguments, Instrumentation instrumentation) {
    start(false, arguments, instrumentation);
  }

  /** Called on attach. */
  public static void agentmain(String arguments, Instrumentation instrumentation) {
    start(true, arguments, instrumentation);
  }

  private static void start(boolean attached, String arguments, Instrumentation instrumentation) {
    try {
      String version = System.getProperty("java.specification.version");
      if (version.startsWith("1.") || Integer.parseInt(version) < OLDEST_JAVA) {
        System.err.println(
            "kymo: Java "
                + OLDEST_JAVA
                + " or later can be recorded, this is "
                + version
                + "; the program runs on unrecorded");
        return;
      }
      File jar = jar(arguments);
      DataInputStream classes = new DataInputStream(new ByteArrayInputStream(read(jar)));
      Object[] rest = {jar.getPath(), arguments, attached, classes};
      new AgentMain().bootClasses(classes).accept(instrumentation, rest);
    } catch (Throwable e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      String remedy =
          cause instanceof SecurityException
              ? "; the program's security policy must grant java.security.AllPermission to the"
                  + " agent's jar"
              : "";
      System.err.println(
          "kymo: the agent cannot start, the program runs on unrecorded: " + cause + remedy);
    }
  }

  /**
   * The agent's jar: that of this class, or, if a recording in a container has taken that away, the
   * one that lies with the session.
   */
  private static File jar(String session) throws URISyntaxException {
    File own =
        new File(AgentMain.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    return own.exists() || session == null ? own : new File(session, own.getName());
  }

  private static byte[] read(File jar) throws IOException {
    try (ZipFile file = new ZipFile(jar)) {
      ZipEntry entry = file.getEntry(ENTRY);
      if (entry == null) {
        throw new IOException("this jar is not an agent: file=" + jar);
      }
      byte[] bytes = new byte[(int) entry.getSize()];
      try (InputStream in = file.getInputStream(entry)) {
        new DataInputStream(in).readFully(bytes);
      }
      return bytes;
    }
  }

  /** Makes the first of the classes, which needs a newer Java; it takes the others. */
  @SuppressWarnings("unchecked") // it is BootClasses
  private BiConsumer<Instrumentation, Object[]> bootClasses(DataInputStream classes)
      throws IOException, ReflectiveOperationException {
    String name = classes.readUTF().replace('/', '.');
    byte[] bytes = new byte[classes.readInt()];
    classes.readFully(bytes);
    PermissionCollection all = new AllPermission().newPermissionCollection();
    all.add(new AllPermission());
    // It comes from no place: other agents take classes without a place for generated ones.
    ProtectionDomain domain = new ProtectionDomain(null, all);
    Class<?> first = defineClass(name, bytes, 0, bytes.length, domain);
    return (BiConsumer<Instrumentation, Object[]>) first.getDeclaredConstructor().newInstance();
  }
}
