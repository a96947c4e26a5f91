package dev.kymo.session.run;

import dev.kymo.drain.ClockCalibration;
import dev.kymo.drain.Drainer;
import dev.kymo.drain.Flushing;
import dev.kymo.drain.RecordingDirectory;
import dev.kymo.drain.options.Defaults;
import dev.kymo.drain.options.OptionWords;
import dev.kymo.format.Redaction;
import dev.kymo.recorder.Session;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The disk space that a recording may take, and the rule for when its events are written.
 *
 * @param given bytes, 0 = any; null = the usual size
 * @param dropsOldest whether the oldest events go then; otherwise recording stops
 * @param files of which the oldest is dropped, for each stream; null = the usual number
 * @param flush when events are written that do not fill a block yet; null = at once
 */
public record DiskLimit(
    @Nullable Long given, boolean dropsOldest, @Nullable Integer files, @Nullable Flushing flush) {
  private static final long USUAL_SIZE = OptionWords.diskBytes(Defaults.MAX_SIZE);

  /** From this fraction of the usual size on, users are told how fast the recording grows. */
  private static final int TOLD_PART = 4;

  /** Whether a recording of this many bytes must stop. */
  boolean isReached(long bytes) {
    return size() > 0 && !dropsOldest && bytes >= size();
  }

  /** Whether the user has said how large it may become. */
  boolean isGiven() {
    return given != null;
  }

  /** Bytes; 0 = any. */
  public long size() {
    return given == null ? USUAL_SIZE : given;
  }

  /** The message when it stops. */
  String reached() {
    String how = given == null ? "; record more with --max-size, or all with --max-size none" : "";
    return "recording has reached its maximum size and stops, the program runs on: max_size=%s%s"
        .formatted(OptionWords.megabytes(size()), how);
  }

  /** Whether to warn that the recording is growing large. */
  boolean isLarge(long bytes) {
    return given == null && bytes >= USUAL_SIZE / TOLD_PART;
  }

  /** The warning. */
  String large(long bytes, long nanos) {
    return "the recording grows large: bytes=%s seconds=%.0f a_second=%s; it stops at %s; leave functions or events out with --exclude, --disable-events or a lower --budget, or set --max-size"
        .formatted(
            OptionWords.megabytes(bytes),
            nanos / 1e9,
            OptionWords.megabytes((long) (bytes / Math.max(1e-3, nanos / 1e9))),
            OptionWords.megabytes(USUAL_SIZE));
  }

  Drainer drainer(
      Session session,
      RecordingDirectory directory,
      ClockCalibration clock,
      Redaction redaction,
      Consumer<String> complaints)
      throws IOException {
    Drainer drainer =
        dropsOldest
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
