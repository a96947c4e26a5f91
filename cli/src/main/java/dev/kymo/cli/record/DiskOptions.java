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

  /** Nobody wants to find a full disk after a run that was to be looked at for a moment. */
  private static final long USUAL_SIZE = 4L << 30;

  /** From this part of the usual size on it is told how fast the recording grows. */
  private static final int TOLD_PART = 4;

  @Option(
      names = "--max-size",
      paramLabel = "SIZE",
      converter = DiskSizeConverter.class,
      description =
          "Size on the disk at which the recording stops, for instance 500M, or none; default: 4G. What the"
              + " threads' buffers hold then is kept, too: so it can be larger by as much as --buffer for"
              + " each thread. A flight recorder takes what its buffers hold.")
  private @Nullable Long maxSize;

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

  /** Whether the recording is to stop, with so many bytes. */
  boolean isReached(long bytes) {
    return size() > 0 && !dropsOldest() && bytes >= size();
  }

  /** 0 = any. */
  long size() {
    return maxSize == null ? USUAL_SIZE : maxSize;
  }

  /** What to say when it stops. */
  String reached() {
    String how =
        maxSize == null ? "; record more with --max-size, or all with --max-size none" : "";
    return "recording has its full size and stops, the program runs on: max_size=%s%s"
        .formatted(megabytes(size()), how);
  }

  /** Whether to say that the recording grows large, which nobody has asked about. */
  boolean isLarge(long bytes) {
    return maxSize == null && bytes >= USUAL_SIZE / TOLD_PART;
  }

  /** What to say then. */
  String large(long bytes, long nanos) {
    return "the recording grows large: bytes=%s seconds=%.0f a_second=%s; it stops at %s; leave functions or events out with --exclude, --disable-events or a lower --budget, or set --max-size"
        .formatted(
            megabytes(bytes),
            nanos / 1e9,
            megabytes((long) (bytes / Math.max(1e-3, nanos / 1e9))),
            megabytes(USUAL_SIZE));
  }

  static String megabytes(long bytes) {
    return bytes < 1_000_000 ? bytes / 1000 + " kB" : "%.1f MB".formatted(bytes / 1e6);
  }

  boolean dropsOldest() {
    return atFull == AtFull.overwrite;
  }

  void check(boolean flightRecorder, boolean kernel) {
    if (atFull != null && (maxSize == null || maxSize == 0)) {
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
            session, directory, clock, complaints, size(), files == null ? USUAL_FILES : files)
        : new Drainer(session, directory, clock, complaints);
  }
}
