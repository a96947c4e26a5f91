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
    ThreadCalls calls =
        new ThreadCalls(
            thread.index(),
            thread.process(),
            thread.definition(),
            definitions.methods().numbers(thread.process()),
            new CallCursor(sink));
    if (track.isEmpty()) {
      return calls;
    }
    Snapshot from = index.before(thread, begin);
    calls.resume(from, thread);
    List<ThreadStream> streams = new ArrayList<>();
    for (int stream : track.streams()) {
      StreamIndex packets = index.stream(stream);
      int entry =
          stream == from.stream() ? packets.at(from.packetOffset()) : packets.before(from.clock());
      streams.add(
          recording.threads(
              stream, packets.offset(entry), packets.process(), packets.floor(entry)));
    }
    SegmentMerge.run(streams, new ThreadReplay(from, calls), end);
    return calls;
  }

  @Override
  public void events(EventBatch batch) {
    if (batch.thread() != calls.thread() || batch.process() != calls.process()) {
      return;
    }
    boolean sameStream = batch.stream() == from.stream();
    if (sameStream ? batch.offset() >= from.offset() : batch.clocks()[0] >= from.clock()) {
      calls.takeAgain(batch);
    }
  }
}
