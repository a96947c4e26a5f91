package dev.kymo.model;

import dev.kymo.reader.Recording;
import dev.kymo.reader.RecordingException;
import java.nio.file.Path;

/** Opens recordings as timelines. */
public final class Timelines {
  /** Slices kept in memory, 40 bytes each; coarser levels come to half as much again. */
  private static final long BUDGET = 1_000_000;

  /** Events of a thread after which its state is kept: what a window costs at least to decode. */
  private static final long STATE_EVERY = 16_384;

  private Timelines() {}

  /**
   * Reads a recording once from begin to end and keeps what pictures of it need.
   *
   * @throws RecordingException if it cannot be opened; what is merely damaged is in {@link
   *     Timeline#oddities()}
   */
  public static Timeline open(Path path, ProgressListener progress) throws RecordingException {
    return open(path, progress, BUDGET, STATE_EVERY);
  }

  static Timeline open(Path path, ProgressListener progress, long budget, long stateEvery)
      throws RecordingException {
    Recording recording = Recording.open(path);
    try {
      CallPass pass = CallPass.open(recording);
      SliceStore store = new SliceStore(budget, 0);
      CallBuilder builder = pass.builder(new CallsToSlices(store, pass));
      RecordingIndex index = new RecordingIndex(recording, builder, pass.nanoClock(), stateEvery);
      pass.run(builder, index, progress);
      return new RecordingTimeline(pass, store, index);
    } catch (RuntimeException | Error e) {
      recording.close();
      throw e;
    }
  }
}
