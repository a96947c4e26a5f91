package dev.kymo.analysis;

import dev.kymo.model.CallVisitor;
import dev.kymo.model.Slice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Puts the events of one track between two times back into the order in which they happened. Times
 * do not tell: events may be of the same nanosecond. But calls come in the order of their ends, so
 * that what a call has called is complete when the call comes, and its begin goes before all of it.
 */
final class TrackEvents implements CallVisitor {
  private static final int ENDS_WITHOUT_EVENT = Slice.OPEN_END | Slice.INFERRED_END;

  private final int track;
  private final long from;
  private final long to;
  private final int max;
  private final List<RecordedEvent> events = new ArrayList<>();

  /** By event: the one that follows; -1 = none. */
  private int[] next = new int[64];

  /** By depth: first and last event of the calls whose caller has not come; -1 = none. */
  private int[] heads = new int[0];

  private int[] tails = new int[0];

  /** The events did not fit; thrown through the timeline, which would go on for nothing. */
  static final class TooManyException extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooManyException() {
      super("too many events", null, false, false);
    }
  }

  TrackEvents(int track, long from, long to, int max) {
    this.track = track;
    this.from = from;
    this.to = to;
    this.max = max;
  }

  @Override
  public void call(int depth, int method, long begin, long end, int flags) {
    if (depth + 2 > heads.length) {
      growDepths(depth + 2);
    }
    if (begin >= from && begin <= to && (flags & Slice.OPEN_BEGIN) == 0) {
      int enter = add(begin, depth, method, RecordedEvent.ENTER, end - begin);
      append(depth, enter, enter);
    }
    if (heads[depth + 1] >= 0) {
      append(depth, heads[depth + 1], tails[depth + 1]);
      heads[depth + 1] = -1;
    }
    if (end >= from && end <= to && (flags & ENDS_WITHOUT_EVENT) == 0) {
      int kind = (flags & Slice.UNWOUND) != 0 ? RecordedEvent.UNWIND : RecordedEvent.LEAVE;
      int leave = add(end, depth, method, kind, end - begin);
      append(depth, leave, leave);
    }
  }

  private void growDepths(int least) {
    int length = heads.length;
    heads = Arrays.copyOf(heads, least * 2);
    tails = Arrays.copyOf(tails, least * 2);
    Arrays.fill(heads, length, heads.length, -1);
  }

  private int add(long time, int depth, int method, int kind, long duration) {
    int event = events.size();
    if (event == max) {
      throw new TooManyException();
    }
    if (event == next.length) {
      next = Arrays.copyOf(next, event * 2);
    }
    next[event] = -1;
    events.add(new RecordedEvent(time, track, depth, method, kind, duration));
    return event;
  }

  private void append(int depth, int head, int tail) {
    if (heads[depth] < 0) {
      heads[depth] = head;
    } else {
      next[tails[depth]] = head;
    }
    tails[depth] = tail;
  }

  /** All events in their order. */
  List<RecordedEvent> inOrder() {
    List<RecordedEvent> all = new ArrayList<>(events.size());
    for (int head : heads) {
      for (int event = head; event >= 0; event = next[event]) {
        all.add(events.get(event));
      }
    }
    return all;
  }
}
