package dev.kymo.model.calls;

import dev.kymo.model.index.ByteCursor;
import dev.kymo.model.index.ByteWriter;
import java.util.Arrays;

/** The losses of one thread, in the order in which they were met; times are clock ticks. */
public final class GapList {
  private long[] from = {};
  private long[] to = {};
  private long[] lost = {};
  private int count;
  private int reached;
  private long reachedEnd;

  GapList() {}

  void add(long gapFrom, long gapTo, long events) {
    if (count == from.length) {
      int size = Math.max(2, count * 2);
      from = Arrays.copyOf(from, size);
      to = Arrays.copyOf(to, size);
      lost = Arrays.copyOf(lost, size);
    }
    from[count] = gapFrom;
    to[count] = gapTo;
    lost[count++] = events;
  }

  /** The same losses, which are counted with another thread. */
  void addAll(GapList other) {
    for (int i = 0; i < other.count; i++) {
      add(other.from[i], other.to[i], 0);
    }
  }

  /**
   * The thread's events have reached this clock: the losses before it have passed.
   *
   * @return whether one more has passed; to be called until none has
   */
  boolean reach(long clock) {
    if (reached == count || to[reached] > clock) {
      return false;
    }
    reachedEnd = Math.max(reachedEnd, to[reached++]);
    return true;
  }

  /** The loss that was reached last. */
  int reached() {
    return reached - 1;
  }

  /** End of the last loss that has passed; 0 = none. */
  long reachedEnd() {
    return reachedEnd;
  }

  /** The same losses, of which those before a clock have passed. */
  GapList resumedAt(long clock) {
    GapList copy = new GapList();
    copy.from = from;
    copy.to = to;
    copy.lost = lost;
    copy.count = count;
    while (copy.reach(clock)) {
      // passed
    }
    return copy;
  }

  public int count() {
    return count;
  }

  public long from(int gap) {
    return from[gap];
  }

  public long to(int gap) {
    return to[gap];
  }

  /** Events lost; {@link dev.kymo.reader.EventSink#UNKNOWN}; 0 = counted with another thread. */
  public long lost(int gap) {
    return lost[gap];
  }

  boolean touches(long rangeFrom, long rangeTo) {
    for (int i = 0; i < count; i++) {
      if (from[i] <= rangeTo && to[i] >= rangeFrom) {
        return true;
      }
    }
    return false;
  }

  /** When the last one ended; 0 = there is none. */
  public long lastEnd() {
    return count == 0 ? 0 : to[count - 1];
  }

  /** Events lost in all. */
  public long lost() {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += Math.max(0, lost[i]);
    }
    return sum;
  }

  void writeTo(ByteWriter to) {
    to.number(count);
    for (int i = 0; i < count; i++) {
      to.number(from[i]).number(this.to[i]).signed(lost[i]);
    }
  }

  static GapList read(ByteCursor from) {
    GapList gaps = new GapList();
    int count = from.count();
    for (int i = 0; i < count; i++) {
      gaps.add(from.number(), from.number(), from.signed());
    }
    return gaps;
  }
}
