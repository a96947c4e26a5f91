package dev.kymo.reader;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads all thread streams so that each thread's events come in their order.
 *
 * <p>A segment is what one thread did in one stream between two switches. A platform thread has one
 * segment for each packet; a virtual thread has one each time it continues on a carrier. Segments
 * are delivered in the order of their first clocks; within a segment, no other stream is read.
 */
public final class SegmentMerge {
  private final PriorityQueue<Head> heads =
      new PriorityQueue<>(Comparator.comparingLong(Head::clock).thenComparingInt(Head::index));
  private final EventBatch batch = new EventBatch();
  private final LongConsumer progress;
  private final Consumer<ThreadStream> before;
  private final ToLongFunction<ThreadStream> until;
  private final boolean finishSegments;
  private @Nullable Head current;
  private long done;

  private record Head(long clock, int index, ThreadStream stream) {}

  private SegmentMerge(
      List<ThreadStream> streams,
      ToLongFunction<ThreadStream> until,
      boolean finishSegments,
      LongConsumer progress,
      Consumer<ThreadStream> before) {
    this.progress = progress;
    this.before = before;
    this.until = until;
    this.finishSegments = finishSegments;
    for (int i = 0; i < streams.size(); i++) {
      push(i, streams.get(i));
    }
  }

  /**
   * Delivers everything from where the streams stand to their ends.
   *
   * @param progress takes the bytes of events done so far, now and then
   */
  public static void run(List<ThreadStream> streams, EventSink sink, LongConsumer progress) {
    new SegmentMerge(streams, stream -> Long.MAX_VALUE, false, progress, stream -> {})
        .deliverAll(sink);
  }

  /** Delivers everything up to a clock, and a little more. */
  public static void run(List<ThreadStream> streams, EventSink sink, long until) {
    new SegmentMerge(streams, stream -> until, false, done -> {}, stream -> {}).deliverAll(sink);
  }

  /** Will deliver everything up to a clock, and a little more, whenever it is asked for more. */
  public static SegmentMerge of(List<ThreadStream> streams, long until) {
    return new SegmentMerge(streams, stream -> until, false, done -> {}, stream -> {});
  }

  /**
   * Delivers the segments that begin up to a clock, as far as they have been written.
   *
   * @param until the clock for a stream that has a head; the same or later at a later call
   * @param before takes each stream that is about to be read
   */
  static void follow(
      List<ThreadStream> streams,
      EventSink sink,
      ToLongFunction<ThreadStream> until,
      Consumer<ThreadStream> before) {
    new SegmentMerge(streams, until, true, done -> {}, before).deliverAll(sink);
  }

  private void push(int index, ThreadStream stream) {
    if (isDue(stream)) {
      heads.add(new Head(stream.clock(), index, stream));
    }
  }

  /** A thread whose segment has begun has no other segment before that ends. */
  private boolean isDue(ThreadStream stream) {
    return stream.hasNext()
        && (stream.clock() <= until.applyAsLong(stream)
            || (finishSegments && !stream.startsSegment()));
  }

  private void deliverAll(EventSink sink) {
    while (deliver(sink)) {}
  }

  /** Delivers the next batch of events; returns whether there was one. */
  public boolean deliver(EventSink sink) {
    Head head = current == null ? heads.poll() : current;
    if (head == null) {
      return false;
    }
    ThreadStream stream = head.stream();
    before.accept(stream);
    stream.deliver(batch, sink);
    done += batch.count() * 8L;
    progress.accept(done);
    current = isDue(stream) && !stream.startsSegment() ? head : null;
    if (current == null) {
      push(head.index(), stream);
    }
    return true;
  }
}
