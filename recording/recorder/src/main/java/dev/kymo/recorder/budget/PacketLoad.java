package dev.kymo.recorder.budget;

import dev.kymo.format.ThreadRecord;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The methods in the records of one packet: their calls, and how long these took. */
final class PacketLoad {
  private final Map<Integer, Integer> index = new HashMap<>();
  private int[] methods = new int[64];
  private int[] calls = new int[64];
  private int[] ended = new int[64];
  private long[] durations = new long[64];
  private int count;
  private long ticks;

  private PacketLoad() {}

  /** Evaluates records; if a virtual thread goes on elsewhere, ends of its calls are missing. */
  static PacketLoad of(long[] records) {
    PacketLoad load = new PacketLoad();
    int[] open = new int[64];
    long[] begins = new long[64];
    int depth = 0;
    long now = records.length == 0 ? 0 : clockOfFirst(records);
    long first = now;
    for (int i = 0; i < records.length; i++) {
      long word = records[i];
      int id = ThreadRecord.id(word);
      if (id == ThreadRecord.EXTENDED) {
        if (++i == records.length) {
          break;
        }
        now = ThreadRecord.extendedClock(word, records[i]);
        id = ThreadRecord.extendedId(word);
        word = records[i];
      } else {
        now = ThreadRecord.clock(now, ThreadRecord.clockLow(word));
      }
      int method = ThreadRecord.payload(word);
      if (id >= ThreadRecord.DETAIL) {
        i += behind(records, i + 1, id);
      } else if (id == ThreadRecord.ENTER) {
        int at = load.of(method); // may replace the arrays
        load.calls[at]++;
        if (depth == open.length) {
          open = Arrays.copyOf(open, depth * 2);
          begins = Arrays.copyOf(begins, depth * 2);
        }
        open[depth] = method;
        begins[depth++] = now;
      } else if (id == ThreadRecord.SWITCH) {
        depth = 0;
      } else if (depth > 0 && open[depth - 1] == method) {
        int at = load.of(method);
        load.ended[at]++;
        load.durations[at] += now - begins[--depth];
      }
    }
    load.ticks = now - first;
    return load;
  }

  /** Elements that follow the word of a record. */
  private static int behind(long[] records, int next, int id) {
    boolean data = id == ThreadRecord.EVENT_DATA && next < records.length;
    return data ? ThreadRecord.sizeBehindWord(records[next]) / Long.BYTES : 1;
  }

  private static long clockOfFirst(long[] records) {
    long word = records[0];
    return ThreadRecord.id(word) == ThreadRecord.EXTENDED && records.length > 1
        ? ThreadRecord.extendedClock(word, records[1])
        : ThreadRecord.clockLow(word) & 0xFFFFFFFFL;
  }

  private int of(int method) {
    Integer known = index.get(method);
    if (known != null) {
      return known;
    }
    if (count == methods.length) {
      methods = Arrays.copyOf(methods, count * 2);
      calls = Arrays.copyOf(calls, count * 2);
      ended = Arrays.copyOf(ended, count * 2);
      durations = Arrays.copyOf(durations, count * 2);
    }
    methods[count] = method;
    index.put(method, count);
    return count++;
  }

  int methods() {
    return count;
  }

  int method(int i) {
    return methods[i];
  }

  int calls(int i) {
    return calls[i];
  }

  /** Ticks of a call; NaN if none has ended. */
  double average(int i) {
    return ended[i] == 0 ? Double.NaN : (double) durations[i] / ended[i];
  }

  /** From the first record to the last. */
  long ticks() {
    return ticks;
  }
}
