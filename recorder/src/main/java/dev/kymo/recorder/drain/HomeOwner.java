package dev.kymo.recorder.drain;

import dev.kymo.format.ControlLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Lets a process that gives up root go on making rings: it asks for its directory in the shared
 * memory to be given to the user that it has become. Only what it asks for itself and really is, is
 * granted; only root can grant it.
 */
final class HomeOwner {
  private HomeOwner() {}

  /** Answers a process that asks, if it does. */
  static void answer(Home home, ByteBuffer control, int pid) {
    int asked = control.getInt(ControlLayout.OWNER_ASKED_OFFSET);
    if (asked == 0 || asked == control.getInt(ControlLayout.OWNER_DONE_OFFSET)) {
      return;
    }
    long user = Integer.toUnsignedLong(asked - 1);
    boolean given = is(pid, user) && give(home, user);
    control.putInt(ControlLayout.OWNER_DONE_OFFSET, given ? asked : ControlLayout.REFUSED);
  }

  private static boolean give(Home home, long user) {
    try {
      home.giveTo(user);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether any thread of a process acts as a user: each may have its own. */
  private static boolean is(int pid, long user) {
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
