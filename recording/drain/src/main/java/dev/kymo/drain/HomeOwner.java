package dev.kymo.drain;

import dev.kymo.format.ControlLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;

/**
 * Lets a process that gives up root go on making rings: it asks that its directory in the shared
 * memory be given to the user that it has become. This is granted only if the process itself asks
 * and really is that user; only root can grant it.
 */
final class HomeOwner {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Home home;
  private final ByteBuffer control;
  private final LongPredicate actsAs;

  /** The last request that was refused, and the time until which it is not checked again. */
  private int refused;

  private long lookAt;
  private long pause;

  /**
   * The owner of a process's folder.
   *
   * @param control the page of the process
   * @param actsAs whether the process acts as a user
   */
  HomeOwner(Home home, ByteBuffer control, LongPredicate actsAs) {
    this.home = home;
    this.control = control;
    this.actsAs = actsAs;
  }

  /**
   * Answers the process if it asks. A refused request is checked again after growing pauses: each
   * check reads {@code /proc}, and the process may ask forever.
   *
   * @param now as System.nanoTime()
   */
  void answer(long now) {
    int asked = control.getInt(ControlLayout.OWNER_ASKED_OFFSET);
    if (asked == 0
        || asked == control.getInt(ControlLayout.OWNER_DONE_OFFSET)
        || (asked == refused && now - lookAt < 0)) {
      return;
    }
    long user = Integer.toUnsignedLong(asked - 1);
    boolean given = actsAs.test(user) && give(user);
    control.putInt(ControlLayout.OWNER_DONE_OFFSET, given ? asked : ControlLayout.REFUSED);
    if (!given) {
      pause = asked == refused ? Math.min(2 * pause, LONGEST_PAUSE_NANOS) : FIRST_PAUSE_NANOS;
      refused = asked;
      lookAt = now + pause;
    }
  }

  private boolean give(long user) {
    try {
      home.giveTo(user);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether any thread of a process acts as a user: each may have its own. */
  static boolean actsAs(int pid, long user) {
    try (DirectoryStream<Path> threads =
        Files.newDirectoryStream(Path.of("/proc", Integer.toString(pid), "task"))) {
      for (Path thread : threads) {
        if (User.effective(pid + "/task/" + thread.getFileName()) == user) {
          return true;
        }
      }
    } catch (IOException e) {
      // it has ended
    }
    return false;
  }
}
