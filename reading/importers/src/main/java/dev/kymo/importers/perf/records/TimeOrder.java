package dev.kymo.importers.perf.records;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records in the order of their times. perf reads one processor's buffer after the other, in
 * rounds; what a round has is not earlier than what the round before the last one had.
 */
public final class TimeOrder {
  /** So many records wait at most, also without rounds; then the earlier half goes on. */
  private static final int MOST = 1 << 17;

  private final PerfData data;
  private final List<PerfRecord> waiting = new ArrayList<>();
  private final Deque<PerfRecord> ready = new ArrayDeque<>();
  private long latest = -1;
  private long complete = -1;
  private long settled = -1;
  private boolean atEnd;

  public TimeOrder(PerfData data) {
    this.data = data;
  }

  /** The next record; null at the end. */
  public @Nullable PerfRecord next() throws IOException {
    while (ready.isEmpty() && !atEnd) {
      PerfRecord record = data.next();
      if (record == null) {
        atEnd = true;
        release(Long.MAX_VALUE);
      } else if (record.time() < 0) {
        ready.add(record);
        if (record instanceof PerfRecord.Other other
            && other.type() == PerfRecord.Other.FINISHED_ROUND) {
          release(complete);
          settled = complete;
          complete = latest;
        }
      } else {
        waiting.add(record);
        latest = Math.max(latest, record.time());
        if (waiting.size() == MOST) {
          waiting.sort(Comparator.comparingLong(PerfRecord::time));
          release(waiting.get(MOST / 2).time());
        }
      }
    }
    return ready.poll();
  }

  /** Time before which no record follows, as far as the rounds say; -1 if they say nothing. */
  public long settled() {
    return ready.isEmpty() ? settled : -1;
  }

  private void release(long upTo) {
    waiting.sort(Comparator.comparingLong(PerfRecord::time));
    int count = 0;
    while (count < waiting.size() && waiting.get(count).time() <= upTo) {
      ready.add(waiting.get(count++));
    }
    waiting.subList(0, count).clear();
  }
}
