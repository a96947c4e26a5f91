package dev.kymo.model.replay;

import dev.kymo.model.calls.CallBuilder;
import dev.kymo.model.calls.Snapshot;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.model.index.ByteCursor;
import dev.kymo.model.index.ByteWriter;
import dev.kymo.model.index.Contents;
import dev.kymo.model.index.IndexFile;
import dev.kymo.reader.EventBatch;
import dev.kymo.reader.EventSink;
import dev.kymo.reader.Recording;
import dev.kymo.reader.ThreadStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Remembers, while a recording is read for the first time, how to read any part of any thread
 * again. It takes a small part of the recording's size, however deeply calls are nested.
 */
public final class RecordingIndex implements EventSink {
  private static final long SPACING = 64 << 10;

  /** Skipping an event of another thread costs this many times less than taking one. */
  private static final long OTHERS = 4;

  private final CallBuilder builder;
  private final IndexFile states;
  private final NanoClock clock;
  private final long every;
  private final ByteWriter bytes = new ByteWriter();
  private final List<TrackIndex> tracks = new ArrayList<>();
  private StreamIndex[] streams = {};
  private long all;
  private OverviewBuilder overview = new OverviewBuilder();

  /**
   * An empty index.
   *
   * @param states file for states of threads
   * @param every number of events of a thread after which its state is kept; more if its stack is
   *     deep
   */
  public RecordingIndex(CallBuilder builder, IndexFile states, NanoClock clock, long every) {
    this.builder = builder;
    this.states = states;
    this.clock = clock;
    this.every = every;
  }

  @Override
  public void events(EventBatch batch) {
    ThreadCalls thread = builder.thread(batch.process(), batch.thread());
    TrackIndex track = track(thread.index());
    track.on(batch.stream());
    if (batch.start()) {
      stream(batch.stream()).add(batch.packetOffset(), batch.packetFloor(), batch.process());
      long room = Math.max(every, 16L * thread.depth);
      if (track.due(thread.counts().events(), room, all, OTHERS * room)) {
        keep(track, thread, batch);
      }
    }
    builder.events(batch);
    long[] clocks = batch.clocks(); // those that went back are raised by now
    int count = batch.count();
    all += count;
    overview.add(clock, clocks, count);
  }

  @Override
  public void gap(int process, int thread, long from, long to, long lost) {
    builder.gap(process, thread, from, to, lost);
    overview.addLost(clock.nanos(from), clock.nanos(to), Math.max(0, lost));
  }

  private void keep(TrackIndex track, ThreadCalls thread, EventBatch batch) {
    long at = Math.max(batch.clocks()[0], thread.last);
    bytes.clear();
    Snapshot.write(thread, at, batch.stream(), batch.packetOffset(), batch.offset(), bytes);
    int size = bytes.size;
    track.add(at, states.append(bytes), size);
    track.kept(thread.counts().events(), all);
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

  /** The last state of a thread that is not later than a clock, or else the first. */
  Snapshot before(ThreadCalls thread, long at) {
    return of(thread).before(at, states);
  }

  /** One of the states of a thread, in their order. */
  Snapshot state(ThreadCalls thread, int number) {
    return of(thread).state(number, states);
  }

  /** A stream of the recording, at one of the packets that are kept. */
  ThreadStream open(Recording recording, int stream, int entry) {
    StreamIndex packets = stream(stream);
    return recording.threads(
        stream, packets.offset(entry), packets.process(), packets.floor(entry));
  }

  StreamIndex stream(int stream) {
    if (stream >= streams.length) {
      int from = streams.length;
      streams = Arrays.copyOf(streams, Math.max(stream + 1, from * 2));
      Arrays.setAll(
          streams, i -> i < from ? streams[i] : new StreamIndex(Math.min(every * 8, SPACING)));
    }
    return streams[stream];
  }

  public Overview overview() {
    return overview.build();
  }

  public void writeTo(Contents contents) {
    ByteWriter to = contents.next();
    to.number(states.size());
    overview.writeTo(to);
    to.number(streams.length).number(tracks.size());
    for (StreamIndex stream : streams) {
      stream.writeTo(contents.next());
    }
    for (TrackIndex track : tracks) {
      track.writeTo(contents.next());
    }
    states.flush();
  }

  public void readFrom(Contents.Reader contents) {
    ByteCursor from = contents.next();
    states.expect(from.number());
    overview = OverviewBuilder.read(from);
    long streamCount = from.number();
    long trackCount = from.number();
    for (int i = 0; i < streamCount; i++) {
      stream(i).readFrom(contents.next());
    }
    for (int i = 0; i < trackCount; i++) {
      track(i).readFrom(contents.next());
    }
  }
}
