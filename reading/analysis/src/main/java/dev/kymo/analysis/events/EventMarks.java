package dev.kymo.analysis.events;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Events as they are marked on a track: each by itself, or, where marks would touch, several by one
 * that counts them. Every event is in one of the marks.
 *
 * <p>Marks end where a cell of the time axis ends, and cells do not depend on the window: while one
 * moves over many events, their marks stay the same.
 */
final class EventMarks {
  /** Marks less far apart touch; in what can just be seen. */
  private static final int APART = 4;

  private static final int CELL = 2 * APART;
  private static final int KINDS = 3;

  private final long apart;
  private final long cell;
  private final List<Mark> marks = new ArrayList<>();
  private final Map<Integer, long[]> kinds = new HashMap<>();

  /** How many there are of the kind of the last event: often the next is of the same. */
  private long[] same = {};

  private int last = -1;
  private long begin;
  private long cellEnd;
  private long end;
  private long count;

  /**
   * No marks yet.
   *
   * @param resolution nanoseconds that can just be seen
   */
  EventMarks(long resolution) {
    apart = Math.max(1, resolution * APART);
    cell = Math.max(1, resolution * CELL);
  }

  /** An event, not earlier than the one before. */
  void add(long time, int event) {
    if (time - end >= apart || time >= cellEnd) {
      finish();
    }
    if (count == 0) {
      begin = time;
      cellEnd = (time / cell + 1) * cell;
    }
    end = time;
    count++;
    if (event != last) {
      last = event;
      same = kinds.computeIfAbsent(event, _ -> new long[1]);
    }
    same[0]++;
  }

  private void finish() {
    if (count > 0) {
      List<Mark.Kind> most =
          kinds.entrySet().stream()
              .map(kind -> new Mark.Kind(kind.getKey(), kind.getValue()[0]))
              .sorted(
                  Comparator.comparingLong(Mark.Kind::count)
                      .reversed()
                      .thenComparingInt(Mark.Kind::event))
              .limit(KINDS)
              .toList();
      marks.add(new Mark(begin, end, count, kinds.size(), most));
      kinds.clear();
      last = -1;
      count = 0;
    }
  }

  List<Mark> done() {
    finish();
    return marks;
  }
}
