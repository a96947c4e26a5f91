package dev.kymo.recorder;

import org.jspecify.annotations.Nullable;

/**
 * What a thread does for the recorder, and not for the program, is not recorded, though it may call
 * methods that are: of the JDK, if they are named, or of the program's, such as a security manager.
 * Without this, recording such a call could need another one, without end.
 */
public final class OwnWork {
  private static final ThreadLocal<@Nullable Boolean> ON = new ThreadLocal<>();

  private OwnWork() {}

  /** Whether the calling thread works for the recorder. */
  static boolean isOn() {
    return ON.get() != null;
  }

  /** The calling thread begins to; false if it did already, so that there is nothing to end. */
  public static boolean begin() {
    if (ON.get() != null) {
      return false;
    }
    ON.set(Boolean.TRUE);
    return true;
  }

  /** As {@link #begin}; also the fast path of the probes does not record this thread meanwhile. */
  public static boolean beginUnrecorded() {
    boolean begun = begin();
    if (begun) {
      Probe.setRing(null); // the slow path finds it again
    }
    return begun;
  }

  /**
   * The thread goes on with what it did.
   *
   * @param begun what the begin returned
   */
  public static void end(boolean begun) {
    if (begun) {
      ON.set(null);
    }
  }
}
