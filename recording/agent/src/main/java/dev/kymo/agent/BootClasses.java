package dev.kymo.agent;

import dev.kymo.agent.weave.JdkAccess;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Defines the recorder's classes in the boot loader. One by one, because appending the jar to the
 * boot class path would cost the program its shared archive of classes, and the virtual machine
 * prints a warning about that on the program's standard output.
 *
 * <p>Does not refer to any of those classes: until this is done they are not in the boot loader.
 */
public final class BootClasses implements AgentMain.Step {
  /** The first Java that can read the processor's counter. */
  private static final int JAVA_WITH_COUNTER = 22;

  private static final String PROBE = "dev.kymo.recorder.ring.Probe";

  private static byte[] hookInlined = {};
  private static byte[] hookCalled = {};
  private static byte[] probeInlined = {};
  private static byte[] probeCalled = {};

  /** Called by {@link AgentMain}, before {@link Agent}. */
  public BootClasses() {}

  /** The class file of the probes, which the boot loader does not give out. */
  static byte[] probe(boolean inlined) {
    return inlined ? probeInlined : probeCalled;
  }

  /**
   * Puts the hook into the JDK; once in the life of a process.
   *
   * @param inlined whether the JIT compiler inlines the probes into each method. Then recording a
   *     call costs less. But compiling the program takes longer, and under a budget methods that
   *     are called often are not recorded anyway.
   */
  static void defineHook(boolean inlined) throws IllegalAccessException {
    JdkAccess.defineInJavaLang(JdkAccess.HOOK, inlined ? hookInlined : hookCalled);
  }

  @Override
  public void run(
      String jar, Instrumentation instrumentation, @Nullable String arguments, boolean attached)
      throws Exception {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(read(jar)));
    JdkAccess.open(instrumentation, next(in));
    for (int left = in.readInt(); left > 0; left--) {
      define(in.readUTF(), classFile(in));
    }
    JdkAccess.connect(instrumentation, Class.forName(PROBE, false, null));
    byte[] clock = next(in);
    hookInlined = next(in);
    hookCalled = next(in);
    probeInlined = next(in);
    probeCalled = next(in);
    if (Runtime.version().feature() >= JAVA_WITH_COUNTER) {
      JdkAccess.defineInJavaLang(JdkAccess.CLOCK, clock);
    }
  }

  private static void define(String name, byte[] classFile) {
    try {
      JdkAccess.define(classFile);
    } catch (LinkageError e) {
      if (!isDefined(name)) { // an earlier recording defined it
        throw e;
      }
    }
  }

  private static boolean isDefined(String name) {
    try {
      Class.forName(name.replace('/', '.'), false, null);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static byte[] next(DataInputStream in) throws IOException {
    in.readUTF();
    return classFile(in);
  }

  private static byte[] classFile(DataInputStream in) throws IOException {
    byte[] bytes = new byte[in.readInt()];
    in.readFully(bytes);
    return bytes;
  }

  private static byte[] read(String jar) throws IOException {
    try (ZipFile file = new ZipFile(jar)) {
      ZipEntry entry = file.getEntry(Preparation.ENTRY);
      if (entry == null) {
        throw new IOException("this jar is not an agent: file=" + jar);
      }
      try (InputStream in = file.getInputStream(entry)) {
        return in.readAllBytes();
      }
    }
  }
}
