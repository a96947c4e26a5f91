package dev.kymo.analysis.filter;

import dev.kymo.format.ThreadRecord;
import dev.kymo.reader.EventBatch;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Begins of the calls that are running, while events are read in the order of time. */
final class OpenTimes {
  private final Map<Long, Calls> threads = new HashMap<>();

  /** The running calls of one thread: method and clock of each. */
  static final class Calls {
    private long[] clocks = new long[8];
    private int[] methods = new int[8];
    private int depth;

    private void enter(int method, long clock) {
      if (depth == clocks.length) {
        clocks = Arrays.copyOf(clocks, depth * 2);
        methods = Arrays.copyOf(methods, depth * 2);
      }
      methods[depth] = method;
      clocks[depth++] = clock;
    }

    /** Place of the innermost call of a method; -1 = none is running. */
    int place(int method) {
      int at = depth - 1;
      while (at >= 0 && methods[at] != method) {
        at--;
      }
      return at;
    }

    int depth() {
      return depth;
    }

    long clock(int at) {
      return clocks[at];
    }
  }

  private static long key(EventBatch batch) {
    return (long) batch.process() << 32 | (batch.thread() & 0xFFFFFFFFL);
  }

  /** The calls of the thread that a batch is of. */
  Calls of(EventBatch batch) {
    return threads.computeIfAbsent(key(batch), key -> new Calls());
  }

  /** Takes an event, after it was asked about. */
  void take(EventBatch batch, long clock, int word) {
    int id = EventBatch.id(word);
    if (id == ThreadRecord.ENTER) {
      of(batch).enter(EventBatch.payload(word), clock);
    } else if (id == ThreadRecord.LEAVE || id == ThreadRecord.UNWIND) {
      Calls calls = of(batch);
      int at = calls.place(EventBatch.payload(word));
      if (at >= 0) {
        calls.depth = at;
      }
      if (calls.depth == 0) {
        threads.remove(key(batch)); // of a million threads most have ended
      }
    }
  }

  /** Events of a thread are missing: what is running is unknown. */
  void lose(int process, int thread) {
    threads.remove((long) process << 32 | (thread & 0xFFFFFFFFL));
  }
}
