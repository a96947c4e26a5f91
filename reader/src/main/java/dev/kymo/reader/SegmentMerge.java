package dev.kymo.reader;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.LongConsumer;

/**
 * Reads all thread streams so that each thread's events come in their order.
 *
 * <p>A segment is what one thread did in one stream between two switches. A platform thread has one
 * segment a packet; a virtual thread has one each time it continues on a carrier. Segments are
 * delivered in the order of their first clocks; within a segment no other stream is looked at.
 */
public final class SegmentMerge {
  private final PriorityQueue<Head> heads =
      new PriorityQueue<>(Comparator.comparingLong(Head::clock).thenComparingInt(Head::index));
  private final EventBatch batch = new EventBatch();
  private final LongConsumer progress;
  private final long until;

  private record Head(long clock, int index, ThreadStream stream) {}

  private SegmentMerge(List<ThreadStream> streams, long until, LongConsumer progress) {
    this.progress = progress;
    this.until = until;
    for (int i = 0; i < streams.size(); i++) {
      push(i, streams.get(i));
    }
  }

  /** Opens all thread streams of a recording, standing at their first events. */
  public static List<ThreadStream> openAll(Recording recording, Diagnostics diagnostics) {
    List<ThreadStream> streams = new ArrayList<>();
    for (int i = 0; i < recording.threadStreams().size(); i++) {
      streams.add(recording.threads(i, diagnostics));
    }
    return streams;
  }

  /**
   * Delivers everything from where the streams stand to their ends.
   *
   * @param progress told the bytes' worth of events done so far, now and then
   */
  public static void run(List<ThreadStream> streams, EventSink sink, LongConsumer progress) {
    new SegmentMerge(streams, Long.MAX_VALUE, progress).deliverAll(sink);
  }

  /** Delivers everything up to a clock, and little more. */
  public static void run(List<ThreadStream> streams, EventSink sink, long until) {
    new SegmentMerge(streams, until, done -> {}).deliverAll(sink);
  }

  private void push(int index, ThreadStream stream) {
    if (stream.hasNext() && stream.clock() <= until) {
      heads.add(new Head(stream.clock(), index, stream));
    }
  }

  private void deliverAll(EventSink sink) {
    long done = 0;
    while (true) {
      Head head = heads.poll();
      if (head == null) {
        return;
      }
      ThreadStream stream = head.stream();
      do {
        stream.deliver(batch, sink);
        done += batch.count() * 8L;
        progress.accept(done);
      } while (stream.hasNext() && !stream.startsSegment() && stream.clock() <= until);
      push(head.index(), stream);
    }
  }
}
