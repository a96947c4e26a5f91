package dev.kymo.model.calls;

import dev.kymo.reader.EventBatch;
import dev.kymo.reader.EventSink;
import java.util.Arrays;

/** Passes events on, and reports progress by the packets that they come from. */
public final class MeteredSink implements EventSink {
  private final EventSink to;
  private final long total;
  private final ProgressListener progress;
  private long[] offsets = {};
  private long done;

  public MeteredSink(EventSink to, long total, ProgressListener progress) {
    this.to = to;
    this.total = total;
    this.progress = progress;
  }

  @Override
  public void events(EventBatch batch) {
    to.events(batch);
    int stream = batch.stream();
    if (stream >= offsets.length) {
      offsets = Arrays.copyOf(offsets, Math.max(stream + 1, offsets.length * 2));
    }
    if (batch.packetOffset() != offsets[stream]) {
      done += batch.packetOffset() - offsets[stream];
      offsets[stream] = batch.packetOffset();
      progress.progress(done, total);
    }
  }

  @Override
  public void gap(int process, int thread, long from, long to, long lost) {
    this.to.gap(process, thread, from, to, lost);
  }
}
