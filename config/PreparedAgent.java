import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.zip.CRC32;

/**
 * Does in the build what the agent would otherwise do at the start of each program: turns lambdas
 * into classes, and puts the class files for the boot loader, which are all but one, into one entry.
 * Adds the library in C, for where the jar is all there is.
 *
 * <p>java PreparedAgent.java JAR LIBRARY: replaces the jar; there need not be a library.
 */
final class PreparedAgent {
  private static final String PREPARATION = "dev.kymo.agent.Preparation";

  /** The same in every jar, so that equal classes make equal jars. */
  private static final LocalDateTime WRITTEN = LocalDateTime.of(2000, 1, 1, 0, 0);

  private PreparedAgent() {}

  public static void main(String[] args) throws IOException, ReflectiveOperationException {
    Path jar = Path.of(args[0]);
    Path library = Path.of(args[1]);
    Path written = jar.resolveSibling(jar.getFileName() + ".new");
    try (JarFile in = new JarFile(jar.toFile());
        URLClassLoader classes = new URLClassLoader(new URL[] {jar.toUri().toURL()})) {
      Map<String, byte[]> entries = new LinkedHashMap<>();
      for (JarEntry entry : Collections.list(in.entries())) {
        entries.put(entry.getName(), in.getInputStream(entry).readAllBytes());
      }
      NamedLambdas.make(entries, classes);
      putTogether(entries, classes.loadClass(PREPARATION));
      if (Files.isRegularFile(library)) {
        String name = System.getProperty("os.arch") + "/" + library.getFileName();
        entries.put(name, Files.readAllBytes(library));
      }
      write(entries, written);
    }
    Files.move(written, jar, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Leaves the entrance and what is no class as they are; the other classes become one entry. */
  private static void putTogether(Map<String, byte[]> entries, Class<?> preparation)
      throws ReflectiveOperationException {
    Method isEntrance = preparation.getMethod("isEntrance", String.class);
    Method isUsed = preparation.getMethod("isUsed", String.class);
    Map<String, byte[]> together = new LinkedHashMap<>();
    for (String entry : List.copyOf(entries.keySet())) {
      String name = entry.replaceFirst("[.]class$", "");
      if (name.equals(entry)) {
        continue;
      }
      byte[] classFile = entries.remove(entry);
      if ((boolean) isEntrance.invoke(null, name)) {
        entries.put(
            entry, (byte[]) preparation.getMethod("synthetic", byte[].class).invoke(null, classFile));
      } else if ((boolean) isUsed.invoke(null, name)) {
        together.put(name, classFile);
      }
    }
    entries.keySet().removeIf(entry -> entry.startsWith("dev/") && entry.endsWith("/"));
    byte[] bytes = (byte[]) preparation.getMethod("write", Map.class).invoke(null, together);
    entries.put((String) preparation.getField("ENTRY").get(null), bytes);
  }

  /** Not compressed, so that it is read faster. */
  private static void write(Map<String, byte[]> entries, Path jar) throws IOException {
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      out.setMethod(JarOutputStream.STORED);
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        JarEntry header = new JarEntry(entry.getKey());
        CRC32 checksum = new CRC32();
        checksum.update(entry.getValue());
        header.setTimeLocal(WRITTEN);
        header.setSize(entry.getValue().length);
        header.setCrc(checksum.getValue());
        out.putNextEntry(header);
        out.write(entry.getValue());
        out.closeEntry();
      }
    }
  }
}
