package dev.kymo.model.counts;

import dev.kymo.format.Clock;
import dev.kymo.format.CountRecord;
import dev.kymo.model.definitions.MethodTable;
import dev.kymo.model.index.ByteWriter;
import dev.kymo.reader.CountReader;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.Recording;
import dev.kymo.reader.StreamSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Everything that the streams of counts say, in memory. If it becomes much, readings that lie close
 * together are made one, so that sums stay exact and only times become coarser.
 */
public final class CountLog {
  private static final long MAX_BYTES = 64 << 20;

  private record Key(int process, int thread, int method, int mode) {}

  /** A thread of a process. */
  public record Owner(int process, int thread) {
    public static Owner of(CountedThread thread) {
      return new Owner(thread.process(), thread.thread());
    }
  }

  /** A thread's series, and from when to when they grew. */
  private static final class OfThread {
    final List<CountSeries> series = new ArrayList<>();
    final long first;
    int lastRound;

    OfThread(long first) {
      this.first = first;
    }
  }

  private final MethodTable methods;
  private final long maxBytes;
  private final Map<Integer, CountRounds> rounds = new HashMap<>();
  private final Map<Key, CountSeries> series = new HashMap<>();
  private final Map<Owner, OfThread> byThread = new HashMap<>();
  private final List<Owner> owners = new ArrayList<>();
  private final ByteWriter scratch = new ByteWriter();
  private final long second;
  private long grain;
  private long bytes;
  private long records;

  public CountLog(MethodTable methods, Clock clock) {
    this(methods, clock, MAX_BYTES);
  }

  public CountLog(MethodTable methods, Clock clock, long maxBytes) {
    this.methods = methods;
    this.maxBytes = maxBytes;
    this.second = clock.frequency();
    this.grain = second * 7 / 10;
  }

  /** Reads all streams of counts; the methods are to be defined before. */
  public void read(Recording recording, Diagnostics diagnostics) {
    for (StreamSource file : recording.countStreams()) {
      CountReader stream = recording.counts(file, diagnostics);
      CountRecord count = stream.next();
      while (count != null) {
        add(stream.process(), stream.clock(), count);
        count = stream.next();
      }
    }
  }

  public synchronized void add(int process, long clock, CountRecord count) {
    records++;
    CountRounds times = rounds(process);
    int round = times.of(clock);
    OfThread thread = thread(new Owner(process, count.thread()), times, round, count);
    Key key = new Key(process, count.thread(), count.method(), count.mode());
    CountSeries of = series.get(key);
    if (of == null) {
      of = new CountSeries(methods.numbers(process).of(count.method()), count.mode(), since(count));
      series.put(key, of);
      thread.series.add(of);
    }
    bytes += of.add(round, count, scratch);
    if (bytes > maxBytes) {
      thin();
    }
  }

  private OfThread thread(Owner owner, CountRounds times, int round, CountRecord count) {
    OfThread known = byThread.get(owner);
    if (known == null) {
      long since = Math.min(since(count), times.clock(round));
      known = new OfThread(Math.max(since, times.begin(-1, round, grain, 0)));
      byThread.put(owner, known);
      owners.add(owner);
    }
    known.lastRound = round;
    return known;
  }

  /** Clock at which nothing was counted yet; the smallest number = not known. */
  private static long since(CountRecord count) {
    CountRecord.Spent spent = count.spent();
    return spent == null ? Long.MIN_VALUE : spent.since();
  }

  private void thin() {
    long before = bytes;
    bytes = 0;
    grain *= 2;
    for (Map.Entry<Key, CountSeries> entry : series.entrySet()) {
      entry.getValue().thin(rounds(entry.getKey().process()), grain, scratch);
      bytes += entry.getValue().bytes();
    }
    if (bytes > before / 2) {
      // So many counters, or readings so far apart, that it takes what it takes.
      bytes = Math.min(bytes, maxBytes / 2);
    }
  }

  private CountRounds rounds(int process) {
    return rounds.computeIfAbsent(process, p -> new CountRounds(second));
  }

  /** Threads of which something was counted, in the order in which they were met. */
  public synchronized List<Owner> owners() {
    return List.copyOf(owners);
  }

  public synchronized long records() {
    return records;
  }

  /** Clock at which the counters of a process were read last; 0 = never. */
  public synchronized long last(int process) {
    CountRounds known = rounds.get(process);
    return known == null ? 0 : known.last();
  }

  /** Takes readings of one series after the other. */
  @FunctionalInterface
  public interface Taker {
    /**
     * A reading: from begin to end a counter went from {@code was} to {@code is}.
     *
     * @param begin clock
     * @param end clock
     */
    void take(CountSeries series, long begin, long end, long[] was, long[] is);
  }

  /**
   * Hands out all readings of a thread, series by series.
   *
   * @param base first clock of the recording
   */
  public synchronized void read(Owner owner, long base, Taker taker) {
    CountRounds times = rounds(owner.process());
    for (CountSeries of : series(owner)) {
      of.read((before, round, was, is) -> {
        long end = Math.max(base, times.clock(round));
        long begin = Math.max(base, times.begin(before, round, grain, base));
        taker.take(of, Math.min(end, Math.max(begin, of.since())), end, was, is);
      });
    }
  }

  private List<CountSeries> series(Owner owner) {
    OfThread known = byThread.get(owner);
    return known == null ? List.of() : known.series;
  }

  /** Clock at which a thread's first counter can have begun; the largest number if it has none. */
  public synchronized long first(Owner owner) {
    OfThread known = byThread.get(owner);
    return known == null ? Long.MAX_VALUE : known.first;
  }

  /** Clock at which a thread's counters had last grown; 0 = it has none. */
  public synchronized long last(Owner owner) {
    OfThread known = byThread.get(owner);
    return known == null ? 0 : rounds(owner.process()).clock(known.lastRound);
  }

  /** Clock from which on they grew until then. */
  public synchronized long beforeLast(Owner owner) {
    OfThread known = byThread.get(owner);
    return known == null ? 0 : rounds(owner.process()).begin(-1, known.lastRound, grain, 0);
  }

  public synchronized long calls(Owner owner) {
    long calls = 0;
    for (CountSeries of : series(owner)) {
      calls += of.calls();
    }
    return calls;
  }
}
