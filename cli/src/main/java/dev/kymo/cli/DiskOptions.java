package dev.kymo.cli;

import dev.kymo.recorder.Session;
import dev.kymo.recorder.drain.ClockCalibration;
import dev.kymo.recorder.drain.Drainer;
import dev.kymo.recorder.drain.RecordingDirectory;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How much a recording may take on the disk. */
final class DiskOptions {
  private static final int USUAL_FILES = 4;

  /** What happens when a recording has its full size. */
  enum AtFull {
    stop,
    overwrite
  }

  @Option(
      names = "--max-size",
      paramLabel = "SIZE",
      defaultValue = "0",
      converter = DiskSizeConverter.class,
      description =
          "About the most that the recording may take on the disk, for instance 500M. A flight"
              + " recorder takes what its buffers hold.")
  private long maxSize;

  @Option(
      names = "--at-full",
      paramLabel = "MODE",
      description =
          "With --max-size: then stop, while the program runs on, or overwrite: drop the oldest"
              + " events; default: stop.")
  private @Nullable AtFull atFull;

  @Option(
      names = "--files",
      paramLabel = "N",
      description =
          "With --at-full overwrite: in how many files each stream is kept, of which the oldest is"
              + " dropped; default: 4.")
  private @Nullable Integer files;

  long size() {
    return maxSize;
  }

  /** Whether the recording is to stop, with so many bytes. */
  boolean isReached(long bytes) {
    return maxSize > 0 && !dropsOldest() && bytes >= maxSize;
  }

  boolean dropsOldest() {
    return atFull == AtFull.overwrite;
  }

  void check(boolean flightRecorder, boolean kernel) {
    if (atFull != null && maxSize == 0) {
      throw new UsageException("--at-full goes with --max-size");
    }
    if (files != null && !dropsOldest()) {
      throw new UsageException("--files goes with --at-full overwrite");
    }
    if (files != null && (files < 1 || files > 1000)) {
      throw new UsageException("no such number of files: files=" + files + "; use 1 to 1000");
    }
    if (dropsOldest() && flightRecorder) {
      throw new UsageException(
          "--at-full overwrite does not go with --when-full overwrite, which keeps what is newest in"
              + " memory");
    }
    if (dropsOldest() && kernel) {
      throw new UsageException("--at-full overwrite does not go with kernel events");
    }
  }

  Drainer drainer(
      Session session,
      RecordingDirectory directory,
      ClockCalibration clock,
      Consumer<String> complaints)
      throws IOException {
    return dropsOldest()
        ? Drainer.bounded(
            session, directory, clock, complaints, maxSize, files == null ? USUAL_FILES : files)
        : new Drainer(session, directory, clock, complaints);
  }
}
