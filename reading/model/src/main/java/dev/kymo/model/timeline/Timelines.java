package dev.kymo.model.timeline;

import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.reader.Recording;
import dev.kymo.reader.RecordingException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;

/** Opens recordings as timelines. */
public final class Timelines {
  /** Events of a thread after which its state is kept: what a window costs at least to decode. */
  private static final long STATE_EVERY = 16_384;

  private static final long POLL_MILLIS = 20;

  private Timelines() {}

  /**
   * Opens a recording by its index; if it has none, or one that does not fit it, reads it once from
   * begin to end and writes one.
   *
   * @throws RecordingException if it cannot be opened; what is merely damaged is in {@link
   *     Timeline#oddities()}
   */
  public static Timeline open(Path path, ProgressListener progress) throws RecordingException {
    return open(path, progress, new Limits(STATE_EVERY, 4 << 20, 1_000_000));
  }

  /**
   * A recording by its index.
   *
   * @param timeline to be closed
   * @param pass the recording, as if all its events had been read
   */
  public record Indexed(Timeline timeline, CallPass pass) implements AutoCloseable {
    @Override
    public void close() {
      timeline.close();
    }
  }

  /**
   * Opens a recording by its index; empty if it has none that fits, or is still being written.
   *
   * @throws RecordingException if it cannot be opened
   */
  public static Optional<Indexed> indexed(Path path) throws RecordingException {
    Recording recording = Recording.open(path);
    RecordingTimeline indexed = recording.isGrowing() ? null : Indexes.open(recording);
    if (indexed == null) {
      recording.close();
      return Optional.empty();
    }
    return Optional.of(new Indexed(indexed, indexed.pass()));
  }

  /**
   * Opens a recording that may still be written, or has no index yet: the timeline then grows with
   * it, or as it is read, beside the caller.
   *
   * @throws RecordingException if it cannot be opened
   */
  public static Timeline follow(Path path, ProgressListener progress) throws RecordingException {
    return opened(
        path,
        recording -> {
          Timeline indexed = recording.isGrowing() ? null : Indexes.open(recording);
          return indexed != null ? indexed : new GrowingTimeline(recording, progress);
        });
  }

  /**
   * Opens a recording that an import writes.
   *
   * @throws RecordingException if it cannot be opened
   */
  public static Timeline follow(Path path, Writing writing) throws RecordingException {
    return opened(path, recording -> new GrowingTimeline(recording, writing));
  }

  /**
   * Opens a recording that is written by the thread that reads it.
   *
   * @param feed writes what is new before each look at the recording; the first time before this
   *     returns, then in a thread of the timeline
   * @throws RecordingException if it cannot be opened
   */
  public static Timeline follow(Path path, Feed feed) throws RecordingException {
    return opened(path, recording -> new GrowingTimeline(recording, feed));
  }

  /**
   * Opens a recording for a question whose answer needs everything: read to its end or, if it is
   * still being written, to the present.
   *
   * @throws RecordingException if it cannot be opened
   */
  public static Timeline whole(Path path, ProgressListener progress) throws RecordingException {
    return grows(path) ? follow(path, progress) : open(path, progress);
  }

  /**
   * Makes the index of a recording while the recording is written; returns when it is complete.
   *
   * @throws RecordingException if it cannot be opened, or is gone, or the index cannot be kept in
   *     it
   */
  public static void index(Path path, ProgressListener progress)
      throws RecordingException, InterruptedException {
    try (Timeline timeline = whole(path, progress)) {
      while (timeline.growing()) {
        Thread.sleep(POLL_MILLIS);
      }
    }
    // An index that differs from what a reading now would make was not kept.
    try (Timeline timeline = open(path, progress)) {
      String why = timeline.notKept();
      if (!why.isEmpty()) {
        throw new RecordingException(
            "the index cannot be kept in the recording: path=%s reason=\"%s\"; every 'kymo view' makes one for itself"
                .formatted(path, why));
      }
    }
  }

  private static boolean grows(Path path) throws RecordingException {
    try (Recording recording = Recording.open(path)) {
      return recording.isGrowing();
    }
  }

  private static RecordingException cannotWrite(Path path, Exception e) {
    return new RecordingException(
        "the recording's index cannot be written: path=%s error=\"%s\""
            .formatted(path, e.getMessage()));
  }

  /**
   * How much is kept of a recording.
   *
   * @param stateEvery events of a thread
   * @param smallLevel bytes up to which no level is given up
   * @param buffered slices in memory while the index is made
   */
  record Limits(long stateEvery, long smallLevel, long buffered) {}

  static Timeline open(Path path, ProgressListener progress, Limits limits)
      throws RecordingException {
    return opened(
        path,
        recording -> {
          Timeline indexed = Indexes.open(recording);
          return indexed != null ? indexed : Indexes.make(recording, progress, limits);
        });
  }

  private interface Opening {
    Timeline of(Recording recording) throws IOException;
  }

  private static Timeline opened(Path path, Opening opening) throws RecordingException {
    Recording recording = Recording.open(path);
    try {
      return opening.of(recording);
    } catch (IOException | UncheckedIOException e) {
      recording.close();
      throw cannotWrite(path, e);
    } catch (RuntimeException | Error e) {
      recording.close();
      throw e;
    }
  }
}
