package dev.kymo.cli.record;

import dev.kymo.cli.terminal.UsageException;
import dev.kymo.cli.words.DiskSizeConverter;
import dev.kymo.drain.ClockCalibration;
import dev.kymo.drain.Drainer;
import dev.kymo.drain.Flushing;
import dev.kymo.drain.RecordingDirectory;
import dev.kymo.drain.options.Defaults;
import dev.kymo.drain.options.Words;
import dev.kymo.format.Redaction;
import dev.kymo.recorder.Session;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How much disk space a recording may take. */
final class DiskOptions {
  private static final long USUAL_SIZE = Words.diskBytes(Defaults.MAX_SIZE);

  /** From this fraction of the usual size on, users are told how fast the recording grows. */
  private static final int TOLD_PART = 4;

  @Option(
      names = "--max-size",
      paramLabel = "SIZE",
      converter = DiskSizeConverter.class,
      description =
          "Maximum size on disk, for instance 500M, or none; then recording stops; default: 4G. What the"
              + " threads' buffers hold then is kept too, so it can be larger by --buffer for"
              + " each thread. A flight recorder takes what its buffers hold.")
  private @Nullable Long maxSize;

  @Option(
      names = "--at-full",
      paramLabel = "MODE",
      description =
          "What happens at --max-size: stop recording, while the program runs on, or overwrite the oldest"
              + " events; default: stop.")
  private @Nullable AtFull atFull;

  @Option(
      names = "--files",
      paramLabel = "N",
      description =
          "With --at-full overwrite: number of files for each stream, of which the oldest is"
              + " dropped; default: 4.")
  private @Nullable Integer files;

  @Option(
      names = "--flush",
      paramLabel = "WHEN",
      converter = FlushConverter.class,
      description =
          "When events are written that do not fill a block of a thread's buffer yet: auto, so that they"
              + " can be viewed at once; after a time, 5s; or when so many bytes have gathered, 4M."
              + " Nothing is lost until then, even if the program is killed; default: auto.")
  private @Nullable Flushing flush;

  /** Whether a recording of this many bytes must stop. */
  boolean isReached(long bytes) {
    return size() > 0 && !dropsOldest() && bytes >= size();
  }

  /** Whether the user has said how large it may become. */
  boolean isGiven() {
    return maxSize != null;
  }

  /** 0 = any. */
  long size() {
    return maxSize == null ? USUAL_SIZE : maxSize;
  }

  /** The message when it stops. */
  String reached() {
    String how =
        maxSize == null ? "; record more with --max-size, or all with --max-size none" : "";
    return "recording has reached its maximum size and stops, the program runs on: max_size=%s%s"
        .formatted(Words.megabytes(size()), how);
  }

  /** Whether to warn that the recording is growing large. */
  boolean isLarge(long bytes) {
    return maxSize == null && bytes >= USUAL_SIZE / TOLD_PART;
  }

  /** The warning. */
  String large(long bytes, long nanos) {
    return "the recording grows large: bytes=%s seconds=%.0f a_second=%s; it stops at %s; leave functions or events out with --exclude, --disable-events or a lower --budget, or set --max-size"
        .formatted(
            Words.megabytes(bytes),
            nanos / 1e9,
            Words.megabytes((long) (bytes / Math.max(1e-3, nanos / 1e9))),
            Words.megabytes(USUAL_SIZE));
  }

  boolean dropsOldest() {
    return atFull == AtFull.overwrite;
  }

  /**
   * For instructions.
   *
   * @param keep how many of the last ones; 0 = all
   */
  Room room(long keep) {
    return Room.of(size(), dropsOldest(), keep);
  }

  /** Whether it was said when to write. */
  boolean isFlushed() {
    return flush != null;
  }

  /** Whether a number of files was given. */
  boolean dropsFiles() {
    return files != null;
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
    if (flush != null && flightRecorder) {
      throw new UsageException(
          "--flush does not go with --when-full overwrite, which writes nothing before the end");
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
      Redaction redaction,
      Consumer<String> complaints)
      throws IOException {
    Drainer drainer =
        dropsOldest()
            ? Drainer.bounded(
                session,
                directory,
                clock,
                redaction,
                complaints,
                size(),
                files == null ? Defaults.FILES : files)
            : new Drainer(session, directory, clock, redaction, complaints);
    if (flush != null) {
      drainer.flush(flush);
    }
    return drainer;
  }
}
