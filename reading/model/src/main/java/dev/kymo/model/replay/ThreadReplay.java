package dev.kymo.model;

import dev.kymo.reader.EventBatch;
import dev.kymo.reader.EventSink;
import dev.kymo.reader.Recording;
import dev.kymo.reader.SegmentMerge;
import dev.kymo.reader.ThreadStream;
import java.util.ArrayList;
import java.util.List;

/** Reads part of one thread again, with the help of the index. */
final class ThreadReplay implements EventSink {
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
  static ThreadCalls run(
      Recording recording,
      RecordingIndex index,
      Definitions definitions,
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
            sink);
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
