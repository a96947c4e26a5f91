package dev.kymo.agent;

import dev.kymo.agent.JdkAccess.Definer;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;

/**
 * Defines the recorder's classes in the boot loader. One by one, because appending the jar to the
 * boot class path would cost the program its shared archive of classes, and the virtual machine
 * prints a warning about that on the program's standard output.
 *
 * <p>Refers to none of those classes: until this is done they are not where they belong.
 */
public final class BootClasses {
  private static final String TSC = "dev/kymo/recorder/TscClock";
  private static final String PROBE = "dev/kymo/recorder/Probe";

  private static byte[] probe = {};

  private BootClasses() {}

  /** The class file of the probes, which the boot loader does not give out. */
  static byte[] probe() {
    return probe;
  }

  /** Called by {@code Main}, before {@link Agent}. */
  public static void define(String jar, Instrumentation instrumentation, @Nullable String arguments)
      throws Exception {
    Map<String, byte[]> classes = read(jar);
    probe = Objects.requireNonNull(classes.get(PROBE));
    byte[] tsc = classes.remove(TSC);
    Definer definer = JdkAccess.open(instrumentation);
    for (String name : classes.keySet()) {
      define(name, classes, definer);
    }
    JdkAccess.connect(instrumentation, Class.forName(PROBE.replace('/', '.'), false, null));
    if (tsc != null && Runtime.version().feature() >= 22) {
      JdkAccess.defineClock(tsc);
    }
  }

  /** Superclasses and interfaces first. */
  private static void define(String name, Map<String, byte[]> classes, Definer definer)
      throws Exception {
    byte[] bytes = classes.get(name);
    if (bytes == null || isDefined(name)) {
      return;
    }
    ClassReader reader = new ClassReader(bytes);
    define(reader.getSuperName(), classes, definer);
    for (String parent : reader.getInterfaces()) {
      define(parent, classes, definer);
    }
    definer.define(name, bytes);
  }

  private static boolean isDefined(String name) {
    try {
      Class.forName(name.replace('/', '.'), false, null);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static Map<String, byte[]> read(String jar) throws IOException {
    Map<String, byte[]> classes = new HashMap<>();
    try (JarFile file = new JarFile(jar)) {
      for (Enumeration<JarEntry> entries = file.entries(); entries.hasMoreElements(); ) {
        JarEntry entry = entries.nextElement();
        String name = entry.getName();
        if (name.endsWith(".class")
            && (name.startsWith("dev/kymo/recorder/") || name.startsWith("dev/kymo/format/"))
            && !name.startsWith("dev/kymo/recorder/drain/")) {
          try (InputStream in = file.getInputStream(entry)) {
            classes.put(name.substring(0, name.length() - ".class".length()), in.readAllBytes());
          }
        }
      }
    }
    return classes;
  }
}
