package dev.kymo.analysis.events;

import dev.kymo.format.EventKind;
import dev.kymo.model.arrows.MessageArrows;
import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.reader.EventBatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** How often each user event happened, and what counters and messages did. */
public final class EventReport {
  private final CallPass pass;
  private final long from;
  private final long to;
  private final Map<Integer, Row> rows = new HashMap<>();
  private final MessageArrows messages = new MessageArrows();

  /** What is known of one kind of event. */
  public static final class Row {
    private final TracedEvent event;
    private long count;
    private double min = Double.POSITIVE_INFINITY;
    private double max = Double.NEGATIVE_INFINITY;
    private double last = Double.NaN;
    private final List<Long> latencies = new ArrayList<>();

    Row(TracedEvent event) {
      this.event = event;
    }

    public TracedEvent event() {
      return event;
    }

    /** How often it happened; of an event that begins something, how often that began. */
    public long count() {
      return count;
    }

    /** Whether it is a counter that had a value. */
    public boolean hasValues() {
      return !Double.isNaN(last);
    }

    /** Least value of a counter. */
    public double min() {
      return min;
    }

    /** Greatest value of a counter. */
    public double max() {
      return max;
    }

    /** Last value of a counter. */
    public double last() {
      return last;
    }

    /** Nanoseconds that messages took which were sent by this event and received; ascending. */
    public List<Long> latencies() {
      return latencies;
    }

    private void value(double value) {
      last = value;
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
  }

  private EventReport(CallPass pass, long from, long to) {
    this.pass = pass;
    this.from = from;
    this.to = to;
  }

  /**
   * Reads the events of an opened pass.
   *
   * @param from nanoseconds since the recording's begin
   * @param to nanoseconds since the recording's begin
   * @param wanted threads
   * @param through puts a choice of calls and events before a sink
   */
  public static EventReport of(
      CallPass pass,
      long from,
      long to,
      Predicate<ThreadCalls> wanted,
      UnaryOperator<CallSink> through,
      ProgressListener progress) {
    EventReport report = new EventReport(pass, from, to);
    pass.definitions().events().forEach(event -> report.row(event));
    pass.run(through.apply(report.new Sink()), wanted, progress);
    report.pairMessages();
    return report;
  }

  /**
   * All kinds of events that are defined, by subsystem and id. Events that end something are listed
   * if they have data; otherwise their begin stands for them.
   */
  public List<Row> rows() {
    return rows.values().stream()
        .filter(row -> row.count > 0 || row.event.kind() != EventKind.END.number())
        .sorted(
            Comparator.comparing((Row row) -> row.event.subsystem().name())
                .thenComparingInt(row -> row.event.definition().id())
                .thenComparingInt(row -> row.event.number()))
        .toList();
  }

  private Row row(TracedEvent event) {
    return rows.computeIfAbsent(event.number(), number -> new Row(event));
  }

  private void pairMessages() {
    messages.read(
        Long.MIN_VALUE,
        Long.MAX_VALUE,
        Integer.MAX_VALUE,
        new MessageArrows.Taker() {
          @Override
          public boolean has(int sender, int receiver) {
            return true;
          }

          @Override
          public void take(long sent, long received, int sender, int receiver, int event) {
            row(pass.definitions().event(event)).latencies.add(received - sent);
          }
        });
    rows.values().forEach(row -> row.latencies.sort(Comparator.naturalOrder()));
  }

  private final class Sink implements CallSink {
    private final NanoClock clock = pass.nanoClock();

    @Override
    public void call(CallCursor call) {}

    @Override
    public void enter(ThreadCalls thread, int depth, int method, long at) {
      Row row = rows.get(method);
      if (row != null && isInside(at)) {
        row.count++;
      }
    }

    @Override
    public void event(ThreadCalls thread, int number, long at, EventBatch batch, int word) {
      if (!isInside(at)) {
        return;
      }
      TracedEvent event = pass.definitions().event(number);
      Row row = row(event);
      switch (EventKind.of(event.kind())) {
        case BEGIN -> {} // its enter counts
        case COUNTER -> {
          row.count++;
          row.value(event.value(batch, word));
        }
        case SEND, RECEIVE -> {
          row.count++;
          messages.add(event, batch, word, clock.nanos(at), thread.index());
        }
        default -> row.count++;
      }
    }

    private boolean isInside(long at) {
      long time = clock.nanos(at);
      return time >= from && time <= to;
    }
  }
}
