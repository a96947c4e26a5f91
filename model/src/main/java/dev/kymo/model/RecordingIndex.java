package dev.kymo.model;

import dev.kymo.reader.EventBatch;
import dev.kymo.reader.EventSink;
import dev.kymo.reader.Recording;
import java.util.ArrayList;
import java.util.List;

/**
 * Remembers, while a recording is read for the first time, how to read any part of any thread
 * again. Its memory is bounded: states are kept ever more rarely as they become too many.
 */
final class RecordingIndex implements EventSink {
  private static final long MIN_SPACING = 64 << 10;
  private static final int MAX_PACKETS = 500_000;

  /** Memory for states, longs. */
  private static final long MAX_STATES = 4 << 20;

  private final CallBuilder builder;
  private final StreamIndex[] streams;
  private final List<TrackIndex> tracks = new ArrayList<>();
  private final OverviewBuilder overview = new OverviewBuilder();
  private final NanoClock clock;
  private long every;
  private long states;

  /**
   * An empty index.
   *
   * @param every so many events of a thread its state is kept
   */
  RecordingIndex(Recording recording, CallBuilder builder, NanoClock clock, long every) {
    this.clock = clock;
    this.builder = builder;
    this.every = every;
    this.streams = new StreamIndex[recording.threadStreams().size()];
    long spacing = Math.min(every * 8, MIN_SPACING);
    for (int i = 0; i < streams.length; i++) {
      streams[i] = new StreamIndex(Math.max(spacing, recording.size() / MAX_PACKETS));
    }
  }

  @Override
  public void events(EventBatch batch) {
    ThreadCalls thread = builder.thread(batch.process(), batch.thread());
    TrackIndex track = track(thread.index());
    track.on(batch.stream());
    if (batch.start()) {
      streams[batch.stream()].add(batch.packetOffset(), batch.packetFloor(), batch.process());
      if (track.due(thread.counts().events(), every)) {
        keep(track, thread, batch);
      }
    }
    builder.events(batch);
    // Clocks that went back are raised by now.
    long[] clocks = batch.clocks();
    int count = batch.count();
    overview.add(clock.nanos(clocks[0]), clock.nanos(clocks[count - 1]), count);
  }

  @Override
  public void gap(int process, int thread, long from, long to, long lost) {
    builder.gap(process, thread, from, to, lost);
    overview.addLost(clock.nanos(from), clock.nanos(to), Math.max(0, lost));
  }

  private void keep(TrackIndex track, ThreadCalls thread, EventBatch batch) {
    long clock = Math.max(batch.clocks()[0], thread.last);
    Snapshot snapshot =
        new Snapshot(thread, clock, batch.stream(), batch.packetOffset(), batch.offset());
    track.add(snapshot, thread.counts().events());
    states += snapshot.size();
    if (states > MAX_STATES && every < 1 << 30) {
      every *= 2;
      states = 0;
      for (TrackIndex each : tracks) {
        states += each.thin();
      }
    }
  }

  private TrackIndex track(int index) {
    while (index >= tracks.size()) {
      tracks.add(new TrackIndex());
    }
    return tracks.get(index);
  }

  /** A thread's part; empty if it has no events. */
  TrackIndex of(ThreadCalls thread) {
    return thread.index() < tracks.size() ? tracks.get(thread.index()) : new TrackIndex();
  }

  Overview overview() {
    return overview.build();
  }

  StreamIndex stream(int stream) {
    return streams[stream];
  }
}
