package dev.kymo.recorder.platform;

import java.security.AccessController;
import java.security.PrivilegedAction;

/**
 * Does the recorder's work with the recorder's permissions: where a program has a security manager,
 * which Java has until 23, the code that is recorded may be allowed less than to write a file.
 */
public final class Privileged {
  private static final boolean POSSIBLE = Runtime.version().feature() < 24;

  private Privileged() {}

  /** Does some work, at once. */
  @SuppressWarnings("removal")
  public static void run(Runnable work) {
    if (POSSIBLE && System.getSecurityManager() != null) {
      AccessController.doPrivileged(
          new PrivilegedAction<Boolean>() {
            @Override
            public Boolean run() {
              work.run();
              return true;
            }
          });
    } else {
      work.run();
    }
  }

  /** Whether the program has a security manager. */
  @SuppressWarnings("removal")
  public static boolean isNeeded() {
    return POSSIBLE && System.getSecurityManager() != null;
  }
}
