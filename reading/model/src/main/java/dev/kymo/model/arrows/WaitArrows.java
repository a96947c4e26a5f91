package dev.kymo.model.arrows;

import dev.kymo.model.index.ByteCursor;
import dev.kymo.model.index.ByteWriter;
import dev.kymo.model.index.Contents;
import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/**
 * The states that are known to have been ended by another thread, in the order of their ends:
 * arrows are drawn from them. If there are very many, the shortest are given up. Times are
 * nanoseconds. Added to by one thread; others may ask when it does not.
 */
public final class WaitArrows {
  private static final int MAX = 1 << 20;

  private final int max;
  private long[] ends = {};
  private long[] lengths = {};

  /** Index of the thread that waited. */
  private int[] threads = {};

  /** Number, in its process, of the thread that let it continue. */
  private int[] others = {};

  private int[] methods = {};
  private int count;
  private int sorted;

  /** Between these times shorter waits than {@link #least} were given up. */
  private long lostFrom = Long.MAX_VALUE;

  private long lostTo = Long.MIN_VALUE;
  private long least;

  WaitArrows() {
    this(MAX);
  }

  /** No waits yet, and at most {@code max}. */
  WaitArrows(int max) {
    this.max = max;
  }

  synchronized void add(long begin, long end, int thread, int other, int method) {
    if (end - begin < least) {
      lose(end);
      return;
    }
    if (count == max) {
      giveUpShortest();
    }
    if (count == ends.length) {
      int size = Math.min(max, Math.max(16, count * 2));
      ends = Arrays.copyOf(ends, size);
      lengths = Arrays.copyOf(lengths, size);
      threads = Arrays.copyOf(threads, size);
      others = Arrays.copyOf(others, size);
      methods = Arrays.copyOf(methods, size);
    }
    ends[count] = end;
    lengths[count] = end - begin;
    threads[count] = thread;
    others[count] = other;
    methods[count++] = method;
  }

  private void lose(long end) {
    lostFrom = Math.min(lostFrom, end);
    lostTo = Math.max(lostTo, end);
  }

  /** Keeps half of them, or fewer if many have the same length. */
  private void giveUpShortest() {
    long[] byLength = Arrays.copyOf(lengths, count);
    Arrays.sort(byLength);
    least = byLength[count / 2] + 1;
    int kept = 0;
    int keptSorted = 0;
    for (int i = 0; i < count; i++) {
      if (lengths[i] < least) {
        lose(ends[i]);
      } else {
        move(i, kept++);
      }
      keptSorted = i < sorted ? kept : keptSorted;
    }
    count = kept;
    sorted = keptSorted;
  }

  private void move(int from, int to) {
    ends[to] = ends[from];
    lengths[to] = lengths[from];
    threads[to] = threads[from];
    others[to] = others[from];
    methods[to] = methods[from];
  }

  /** Threads report one after the other, but none much later than the others. */
  private void sort() {
    if (sorted == count) {
      return;
    }
    long earliest = Long.MAX_VALUE;
    for (int i = sorted; i < count; i++) {
      earliest = Math.min(earliest, ends[i]);
    }
    int from = firstEndingAt(earliest, sorted);
    long[] endsOf = ends;
    int[] order =
        IntStream.range(from, count)
            .boxed()
            .sorted((a, b) -> Long.compare(endsOf[a], endsOf[b]))
            .mapToInt(i -> i)
            .toArray();
    permute(order, from);
    sorted = count;
  }

  private void permute(int[] order, int from) {
    long[] newEnds = new long[order.length];
    long[] newLengths = new long[order.length];
    int[] newThreads = new int[order.length];
    int[] newOthers = new int[order.length];
    int[] newMethods = new int[order.length];
    for (int i = 0; i < order.length; i++) {
      newEnds[i] = ends[order[i]];
      newLengths[i] = lengths[order[i]];
      newThreads[i] = threads[order[i]];
      newOthers[i] = others[order[i]];
      newMethods[i] = methods[order[i]];
    }
    System.arraycopy(newEnds, 0, ends, from, order.length);
    System.arraycopy(newLengths, 0, lengths, from, order.length);
    System.arraycopy(newThreads, 0, threads, from, order.length);
    System.arraycopy(newOthers, 0, others, from, order.length);
    System.arraycopy(newMethods, 0, methods, from, order.length);
  }

  private int firstEndingAt(long time, int until) {
    int low = 0;
    int high = until;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ends[middle] < time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Takes waits. */
  public interface Taker {
    /** Whether an arrow can be drawn: both threads have tracks. */
    boolean has(int thread, int other);

    /** A wait, in the order of the ends. */
    void take(long end, long length, int thread, int other, int method);
  }

  /**
   * Hands out the waits that end in a range (ends included), the longest of them if there are more
   * than wanted.
   *
   * @return whether there are more, or were
   */
  public synchronized boolean read(long from, long to, int wanted, Taker taker) {
    sort();
    int begin = firstEndingAt(from, count);
    int end = to == Long.MAX_VALUE ? count : firstEndingAt(to + 1, count);
    boolean more = lostFrom <= to && lostTo >= from;
    PriorityQueue<Integer> longest =
        new PriorityQueue<>((a, b) -> Long.compare(lengths[a], lengths[b]));
    long above = -1; // what is no longer changes nothing
    for (int i = next(begin, end, above); i < end; i = next(i + 1, end, above)) {
      if (taker.has(threads[i], others[i])) {
        longest.add(i);
        if (longest.size() > wanted) {
          longest.poll();
          more = true;
        }
      }
      if (more && longest.size() == wanted) {
        above = wanted == 0 ? Long.MAX_VALUE : lengths[longest.element()];
      }
    }
    longest.stream()
        .sorted()
        .forEach(i -> taker.take(ends[i], lengths[i], threads[i], others[i], methods[i]));
    return more;
  }

  /** The first wait from an index on that took longer: there may be a million to look at. */
  private int next(int from, int end, long above) {
    int i = from;
    while (i < end && lengths[i] <= above) {
      i++;
    }
    return i;
  }

  int size() {
    return count;
  }

  synchronized void writeTo(Contents contents) {
    sort();
    contents.next().number(count).signed(lostFrom).signed(lostTo).number(least);
    long before = 0;
    for (int i = 0; i < count; i++) {
      ByteWriter to = contents.next();
      to.number(ends[i] - before).number(lengths[i]).number(threads[i]);
      to.number(others[i] & 0xFFFFFFFFL).number(methods[i]);
      before = ends[i];
    }
  }

  void readFrom(Contents.Reader contents) {
    ByteCursor head = contents.next();
    long waits = head.number();
    lostFrom = head.signed();
    lostTo = head.signed();
    long shortest = head.number();
    long end = 0;
    for (long i = 0; i < waits; i++) {
      ByteCursor from = contents.next();
      end += from.number();
      long length = from.number();
      add(end - length, end, (int) from.number(), (int) from.number(), (int) from.number());
    }
    least = shortest;
    sorted = count;
  }
}
