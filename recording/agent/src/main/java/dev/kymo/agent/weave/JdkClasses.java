package dev.kymo.agent.weave;

import java.util.List;

/**
 * Decides which classes of the JDK can be recorded: all except those that a probe itself calls,
 * because recording such a call would need another call. Classes that the rest of the recorder uses
 * can be recorded, because its own work is not recorded.
 */
final class JdkClasses {
  /** Packages whose classes cannot be recorded, nor those of the packages below them. */
  private static final List<String> PACKAGES =
      List.of(
          "java.lang.",
          "java.util.concurrent.atomic.",
          "java.util.concurrent.locks.",
          "jdk.internal.",
          "sun.");

  /**
   * A package whose own classes cannot be recorded: it contains the buffers that probes write to.
   */
  private static final String BUFFERS = "java.nio.";

  private static final List<String> CLASSES =
      List.of("java.util.Objects", "java.util.IdentityHashMap");

  private JdkClasses() {}

  static boolean canBeRecorded(String className) {
    boolean buffer = className.startsWith(BUFFERS) && className.indexOf('.', BUFFERS.length()) < 0;
    return !buffer
        && PACKAGES.stream().noneMatch(className::startsWith)
        && CLASSES.stream()
            .noneMatch(name -> className.equals(name) || className.startsWith(name + "$"));
  }
}
