package dev.kymo.reader;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/**
 * Reads all thread streams in the order of time, event by event; at the same time, streams come in
 * their own order. Slower than {@link SegmentMerge}, which is enough where only each thread's own
 * order counts.
 */
public final class TimeMerge {
  private static final int CAPACITY = 256;

  private final Comparator<Source> order;
  private final PriorityQueue<Source> sources;
  private final EventBatch part = new EventBatch(CAPACITY);

  /** Those that have no more events at present. */
  private List<Source> idle = new ArrayList<>();

  private Consumer<ThreadStream> before = stream -> {};
  private int known;
  private long first = Long.MAX_VALUE;
  private boolean begun;

  private TimeMerge(Comparator<Source> sameTime) {
    this.order = Comparator.comparingLong(Source::clock).thenComparing(sameTime);
    this.sources = new PriorityQueue<>(order);
  }

  private final class Source implements EventSink {
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
        before.accept(stream);
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
    TimeMerge merge = new TimeMerge(Comparator.comparingInt(source -> source.index));
    merge.follow(streams, sink, Long.MAX_VALUE, stream -> {});
  }

  /**
   * A merge of streams that grow. At the same time they come in the order of their names, as in a
   * reading of the whole: the order in which they were found says nothing.
   */
  static TimeMerge growing() {
    return new TimeMerge(
        Comparator.comparing(source -> source.stream.name(), NaturalOrder.INSTANCE));
  }

  /** Clock of the first event, once it is delivered. */
  long first() {
    return first;
  }

  /**
   * Delivers the events up to a clock, as far as they have been written.
   *
   * @param streams those of the last time, and perhaps more after them
   * @param reading takes each stream that is about to be read
   */
  void follow(
      List<ThreadStream> streams, EventSink sink, long until, Consumer<ThreadStream> reading) {
    before = reading;
    List<Source> again = idle;
    idle = new ArrayList<>();
    again.forEach(this::add);
    while (known < streams.size()) {
      add(new Source(streams.get(known), known));
      known++;
    }
    Source source = sources.peek();
    while (source != null && source.clock() <= until) {
      begun = true;
      sources.remove();
      deliver(source, sink, until);
      source = sources.peek();
    }
  }

  private void add(Source source) {
    if (!begun && source.stream.hasNext()) {
      first = Math.min(first, source.stream.clock());
    }
    if (source.fill()) {
      sources.add(source);
    } else {
      idle.add(source);
    }
  }

  private void deliver(Source source, EventSink sink, long until) {
    if (source.gapThreads.length > 0) {
      source.deliverGap(sink);
    } else {
      deliverEvents(source, sink, until);
    }
    if (source.at < source.batch.count) {
      sources.add(source);
    } else {
      add(source);
    }
  }

  private void deliverEvents(Source source, EventSink sink, long until) {
    Source next = sources.peek();
    EventBatch batch = source.batch;
    int begin = source.at;
    do {
      source.at++;
    } while (source.at < batch.count
        && source.clock() <= until
        && (next == null || order.compare(source, next) < 0));
    part.copy(batch, begin, source.at);
    sink.events(part);
  }
}
