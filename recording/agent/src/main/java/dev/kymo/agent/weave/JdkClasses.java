package dev.kymo.agent;

import java.util.List;

/**
 * Which classes of the JDK can be recorded: all but those that a probe itself comes by, where
 * recording a call would need another one. What the rest of the recorder uses can be, because its
 * own work is not recorded.
 */
final class JdkClasses {
  /** Of these packages none, nor of those below them. */
  private static final List<String> PACKAGES =
      List.of(
          "java.lang.",
          "java.util.concurrent.atomic.",
          "java.util.concurrent.locks.",
          "jdk.internal.",
          "sun.");

  /** Of this package itself none: it has the buffers that probes write to. */
  private static final String BUFFERS = "java.nio.";

  private static final List<String> CLASSES =
      List.of("java.util.Objects", "java.util.IdentityHashMap");

  private JdkClasses() {}

  /** Whether a class of the JDK's base module can be recorded. */
  static boolean canBeRecorded(String className) {
    boolean buffer = className.startsWith(BUFFERS) && className.indexOf('.', BUFFERS.length()) < 0;
    return !buffer
        && PACKAGES.stream().noneMatch(className::startsWith)
        && CLASSES.stream()
            .noneMatch(name -> className.equals(name) || className.startsWith(name + "$"));
  }
}
