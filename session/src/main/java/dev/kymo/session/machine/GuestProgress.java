package dev.kymo.session.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a machine, by what it does: what it says, and how much processor time its process
 * takes. How long that lasts does not matter, for this machine may be busy with something else.
 */
final class GuestProgress {
  /** A thread that waits for nobody but others. */
  private static final char SLEEPING = 'S';

  private final ProcessHandle process;
  private final Duration patience;
  private final int looks;
  private long said = -1;
  private Duration since = Duration.ZERO;
  private Duration used = Duration.ZERO;
  private int asleep;

  /**
   * Begins to look.
   *
   * @param process that runs the machine
   * @param patience processor time that it may take without saying anything
   * @param looks how often it may be asleep, each time with all its threads, without saying
   *     anything
   */
  GuestProgress(ProcessHandle process, Duration patience, int looks) {
    this.process = process;
    this.patience = patience;
    this.looks = looks;
  }

  /** Processor time that it has taken, when it was looked at last. */
  Duration used() {
    return used;
  }

  /**
   * Looks at it.
   *
   * @param output bytes and messages so far
   * @return why it will not get on any more; null: it may
   */
  @Nullable String look(long output) {
    used = process.info().totalCpuDuration().orElse(used);
    if (output != said) {
      said = output;
      since = used;
      asleep = 0;
      return null;
    }
    asleep = isAsleep() ? asleep + 1 : 0;
    if (asleep >= looks) {
      return "it is idle, and nothing wakes it";
    }
    Duration silent = used.minus(since);
    return silent.compareTo(patience) > 0
        ? "it has said nothing for %d s of processor time".formatted(silent.toSeconds())
        : null;
  }

  /** Who waits for a processor, for a disk or for SIGCONT is not asleep. */
  private boolean isAsleep() {
    Path tasks = Path.of("/proc", Long.toString(process.pid()), "task");
    boolean found = false;
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
      for (Path thread : threads) {
        String stat = Files.readString(thread.resolve("stat"), StandardCharsets.ISO_8859_1);
        int state = stat.lastIndexOf(')') + 2;
        if (state >= stat.length() || stat.charAt(state) != SLEEPING) {
          return false;
        }
        found = true;
      }
    } catch (IOException e) {
      return false; // a thread has just ended
    }
    return found;
  }
}
