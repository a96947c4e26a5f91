package dev.kymo.recorder.platform;

import org.jspecify.annotations.Nullable;

/**
 * Work that a thread does for the recorder, and not for the program, is not recorded, although it
 * may call methods that are recorded: of the JDK, if they are named, or of the program's, such as a
 * security manager. Without this, recording such a call could need another one, without end.
 */
public final class RecorderWork {
  private static final ThreadLocal<@Nullable Boolean> ON = new ThreadLocal<>();

  private RecorderWork() {}

  /** Whether the calling thread works for the recorder. */
  public static boolean isOn() {
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
