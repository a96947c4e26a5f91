package dev.kymo.analysis.events;

import dev.kymo.model.calls.Slice;
import dev.kymo.model.timeline.CallVisitor;
import dev.kymo.model.timeline.Track;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Puts the calls and states of one track between two times back into the order in which they began
 * and ended. Times do not suffice: events may have the same nanosecond. But calls come in the order
 * of their ends, so a call's own calls are complete when it comes, and its begin goes before all of
 * them.
 */
final class TrackEvents implements CallVisitor {
  private static final int ENDS_WITHOUT_EVENT = Slice.OPEN_END | Slice.INFERRED_END;

  /** Instead of a track: it is recorded at the end of the state, which was not read. */
  static final int UNREAD = -2;

  private final Track track;
  private final ListedEvents listed;
  private final long from;
  private final long to;
  private final int max;
  private final List<RecordedEvent> events = new ArrayList<>();

  /** By event: the one that follows; -1 = none. */
  private int[] next = new int[64];

  /** By depth: first and last event of the calls whose caller has not come yet; -1 = none. */
  private int[] heads = new int[0];

  private int[] tails = new int[0];

  /** Of the next state. */
  private int object;

  private int other = -1;

  /** There were too many events; thrown through the timeline, to stop it. */
  static final class TooManyException extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooManyException() {
      super("too many events", null, false, false);
    }
  }

  TrackEvents(Track track, ListedEvents listed, long from, long to, int max) {
    this.track = track;
    this.listed = listed;
    this.from = from;
    this.to = to;
    this.max = max;
  }

  @Override
  public void detail(int objectOfState, int otherTrack) {
    object = objectOfState;
    other = otherTrack;
  }

  @Override
  public void call(int depth, int method, long begin, long end, int flags) {
    if (depth + 2 > heads.length) {
      growDepths(depth + 2);
    }
    boolean call = listed.isCall(track, method);
    if (begin >= from && begin <= to && (flags & Slice.OPEN_BEGIN) == 0) {
      if (listed.begin(track, method, other)) {
        int kind = call ? RecordedEvent.ENTER : RecordedEvent.STATE;
        if (end > to && other < 0 && track.kind().hasDetails()) {
          other = UNREAD;
        }
        int enter = add(begin, depth, method, kind, end - begin);
        append(depth, enter, enter);
      }
    }
    if (heads[depth + 1] >= 0) {
      append(depth, heads[depth + 1], tails[depth + 1]);
      heads[depth + 1] = -1;
    }
    if (end >= from && end <= to && (flags & ENDS_WITHOUT_EVENT) == 0) {
      if (listed.end(track, method, other)) {
        int thrown = (flags & Slice.UNWOUND) != 0 ? RecordedEvent.UNWIND : RecordedEvent.LEAVE;
        int leave = add(end, depth, method, call ? thrown : RecordedEvent.WOKEN, end - begin);
        append(depth, leave, leave);
      }
    }
    object = 0;
    other = -1;
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
    events.add(
        new RecordedEvent(time, track.id(), depth, method, kind, duration, other, object, "", ""));
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
