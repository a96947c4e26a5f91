package dev.kymo.model.replay;

import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.Snapshot;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.reader.EventBatch;
import dev.kymo.reader.EventSink;
import dev.kymo.reader.Recording;
import dev.kymo.reader.SegmentMerge;
import dev.kymo.reader.ThreadStream;
import java.util.ArrayList;
import java.util.List;

/** Reads part of one thread again, with the help of the index. */
public final class ThreadReplay implements EventSink {
  private final Snapshot from;
  private final ThreadCalls calls;

  private ThreadReplay(Snapshot from, ThreadCalls calls) {
    this.from = from;
    this.calls = calls;
  }

  /**
   * Hands the calls of a thread that end between two clocks to a sink; also calls around those, and
   * some that begin earlier with a made up begin: the sink picks. Open calls are not handed out.
   */
  public static ThreadCalls run(
      Recording recording,
      RecordingIndex index,
      RecordedDefinitions definitions,
      ThreadCalls thread,
      long begin,
      long end,
      CallSink sink) {
    TrackIndex track = index.of(thread);
    ThreadCalls calls = again(thread, definitions, sink);
    if (track.isEmpty()) {
      return calls;
    }
    Snapshot from = index.before(thread, begin);
    calls.resume(from, thread);
    SegmentMerge.run(streams(recording, index, track, from), new ThreadReplay(from, calls), end);
    return calls;
  }

  /** A thread without events, whose calls go to a sink. */
  static ThreadCalls again(ThreadCalls thread, RecordedDefinitions definitions, CallSink sink) {
    return new ThreadCalls(
        thread.index(),
        thread.process(),
        thread.definition(),
        definitions.methods().numbers(thread.process()),
        new CallCursor(sink));
  }

  /** The streams of a thread, each where everything after a state is still to come. */
  static List<ThreadStream> streams(
      Recording recording, RecordingIndex index, TrackIndex track, Snapshot from) {
    List<ThreadStream> streams = new ArrayList<>();
    for (int stream : track.streams()) {
      StreamIndex packets = index.stream(stream);
      int entry =
          stream == from.stream() ? packets.at(from.packetOffset()) : packets.before(from.clock());
      streams.add(index.open(recording, stream, entry));
    }
    return streams;
  }

  @Override
  public void events(EventBatch batch) {
    if (batch.thread() != calls.thread() || batch.process() != calls.process()) {
      return;
    }
    if (isAfter(batch, from)) {
      calls.takeAgain(batch);
    }
  }

  static boolean isAfter(EventBatch batch, Snapshot state) {
    return batch.stream() == state.stream()
        ? batch.offset() >= state.offset()
        : batch.clocks()[0] >= state.clock();
  }
}
