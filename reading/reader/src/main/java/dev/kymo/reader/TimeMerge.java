package dev.kymo.reader;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Reads all thread streams in the order of time, event by event. Slower than {@link SegmentMerge},
 * which is enough where only each thread's own order counts.
 */
public final class TimeMerge {
  private static final int CAPACITY = 256;

  private final PriorityQueue<Source> sources =
      new PriorityQueue<>(
          Comparator.comparingLong(Source::clock).thenComparingInt(source -> source.index));
  private final EventBatch part = new EventBatch(CAPACITY);

  private TimeMerge() {}

  /** A stream and its next events. */
  private static final class Source implements EventSink {
    private final ThreadStream stream;
    private final int index;
    private final EventBatch batch = new EventBatch(CAPACITY);
    private final long[] gap = new long[3];
    private int[] gapThreads = {};
    private int at;

    Source(ThreadStream stream, int index) {
      this.stream = stream;
      this.index = index;
    }

    @Override
    public void events(EventBatch events) {
      at = 0;
    }

    @Override
    public void gap(int process, int thread, long from, long to, long lost) {
      if (gapThreads.length == 0) {
        gap[0] = from;
        gap[1] = to;
        gap[2] = lost;
        gapThreads = new int[] {thread};
      } else {
        gapThreads = new int[] {gapThreads[0], thread};
      }
    }

    /** Reads the next events or the next loss; false at the end. */
    boolean fill() {
      at = 0;
      batch.clear();
      while (stream.hasNext() && batch.count == 0 && gapThreads.length == 0) {
        stream.deliver(batch, this);
      }
      return batch.count > 0 || gapThreads.length > 0;
    }

    long clock() {
      return gapThreads.length > 0 ? gap[1] : batch.clocks[at];
    }

    void deliverGap(EventSink sink) {
      for (int i = 0; i < gapThreads.length; i++) {
        sink.gap(stream.process(), gapThreads[i], gap[0], gap[1], i == 0 ? gap[2] : 0);
      }
      gapThreads = new int[0];
    }
  }

  /**
   * Delivers all events: of one thread at a time, those that come before the other threads' next.
   */
  public static void run(List<ThreadStream> streams, EventSink sink) {
    TimeMerge merge = new TimeMerge();
    for (int i = 0; i < streams.size(); i++) {
      merge.add(new Source(streams.get(i), i));
    }
    merge.deliverAll(sink);
  }

  private void add(Source source) {
    if (source.fill()) {
      sources.add(source);
    }
  }

  private void deliverAll(EventSink sink) {
    while (true) {
      Source source = sources.poll();
      if (source == null) {
        return;
      }
      source.deliverGap(sink);
      Source next = sources.peek();
      long until = next == null ? Long.MAX_VALUE : next.clock();
      EventBatch batch = source.batch;
      int begin = source.at;
      int end = begin;
      while (end < batch.count && (end == begin || batch.clocks[end] <= until)) {
        end++;
      }
      source.at = end;
      if (end > begin) {
        part.copy(batch, begin, end);
        sink.events(part);
      }
      if (end < batch.count) {
        sources.add(source);
      } else {
        add(source);
      }
    }
  }
}
