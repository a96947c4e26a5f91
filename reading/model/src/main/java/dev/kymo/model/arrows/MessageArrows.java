package dev.kymo.model.arrows;

import dev.kymo.format.EventKind;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.model.index.ByteCursor;
import dev.kymo.model.index.ByteWriter;
import dev.kymo.model.index.Contents;
import dev.kymo.reader.EventBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.function.LongToIntFunction;
import java.util.stream.IntStream;

/**
 * Messages that were sent and received. Sends and receives with equal key and channel are paired in
 * the order of their times; those that are parts of a stream, by their bytes ({@link StreamParts}).
 * Either may be earlier, because clocks of different machines differ. Times are nanoseconds. Added
 * to by one thread; others may ask when it does not.
 */
public final class MessageArrows {
  private static final int MAX = 1 << 20;

  /** Channel of links; no subsystem has this name. */
  private static final String LINKS = "\0links";

  /**
   * Links take no time: as long as this many bits of nanoseconds they count when some are chosen.
   */
  private static final int CHANCE_BITS = 20;

  /** Position of what is no part of a stream. */
  private static final long WHOLE = -1;

  private long[] times = {};
  private long[] keys = {};
  private int[] channels = {};

  /** Of a part of a stream, its first byte; otherwise {@link #WHOLE}. */
  private long[] positions = {};

  private int[] lengths = {};

  /** Index of the thread, or the inverted one of {@link #targets}. */
  private int[] threads = {};

  /** Number of the event, inverted if it is a receive. */
  private int[] events = {};

  private int count;
  private boolean more;
  private final Map<String, Integer> channelNumbers = new HashMap<>();

  /** The threads that links lead to, by process and number; they may not have been met yet. */
  private final List<Long> targets = new ArrayList<>();

  private final Map<Long, Integer> targetNumbers = new HashMap<>();

  /** In the order of the receives' times. */
  private List<Pair> pairs = List.of();

  /** What {@link #pairs} are made of. */
  private int asked;

  private record Pair(int sent, int received) {}

  public MessageArrows() {}

  /**
   * Takes one end of a message.
   *
   * @param known an event that sends or receives
   * @param word of the event in the batch
   * @param time nanoseconds
   * @param thread index of the thread
   */
  public synchronized void add(
      TracedEvent known, EventBatch batch, int word, long time, int thread) {
    boolean part = StreamParts.areOf(known);
    add(
        channelNumbers.computeIfAbsent(known.subsystem().name(), _ -> channelNumbers.size()),
        known.key(batch, word),
        part ? known.number(batch, word, StreamParts.positionField()) : WHOLE,
        part ? (int) known.number(batch, word, StreamParts.bytesField()) : 0,
        time,
        thread,
        EventKind.SEND.is(known.kind()) ? known.number() : ~known.number());
  }

  /**
   * Takes an event that leads to what another thread did at the same time.
   *
   * @param thread index of the thread with the event
   * @param process number of the other thread's
   * @param other number of the other thread
   */
  public synchronized void link(long time, int thread, int process, int other, int event) {
    if (count > MAX - 2) {
      more = true;
      return;
    }
    long key = count;
    int target =
        targetNumbers.computeIfAbsent(
            RecordedDefinitions.key(process, other),
            added -> {
              targets.add(added);
              return targets.size() - 1;
            });
    int links = channelNumbers.computeIfAbsent(LINKS, _ -> channelNumbers.size());
    add(links, key, WHOLE, 0, time, thread, event);
    add(links, key, WHOLE, 0, time, ~target, ~event);
  }

  /**
   * The thread that an end of a message is on.
   *
   * @param end its index, or a negative number that stands for one a link leads to
   * @param byIndex finds what is asked for by index
   * @param byKey finds it by {@link RecordedDefinitions#key}
   */
  public synchronized int track(int end, IntUnaryOperator byIndex, LongToIntFunction byKey) {
    if (end >= 0) {
      return byIndex.applyAsInt(end);
    }
    return ~end < targets.size() ? byKey.applyAsInt(targets.get(~end)) : -1;
  }

  private void add(
      int channel, long key, long position, int bytes, long time, int thread, int event) {
    if (count == MAX) {
      more = true;
      return;
    }
    if (count == times.length) {
      int size = Math.min(MAX, Math.max(16, count * 2));
      times = Arrays.copyOf(times, size);
      keys = Arrays.copyOf(keys, size);
      channels = Arrays.copyOf(channels, size);
      positions = Arrays.copyOf(positions, size);
      lengths = Arrays.copyOf(lengths, size);
      threads = Arrays.copyOf(threads, size);
      events = Arrays.copyOf(events, size);
    }
    times[count] = time;
    keys[count] = key;
    channels[count] = channel;
    positions[count] = position;
    lengths[count] = bytes;
    threads[count] = thread;
    events[count++] = event;
  }

  private boolean isSend(int i) {
    return events[i] >= 0;
  }

  private void pair() {
    if (asked == count) {
      return;
    }
    int[] order =
        IntStream.range(0, count).boxed().sorted(this::compare).mapToInt(i -> i).toArray();
    List<Pair> found = new ArrayList<>();
    for (int begin = 0; begin < count; ) {
      int end = begin + 1;
      while (end < count && isSame(order[begin], order[end])) {
        end++;
      }
      if (positions[order[begin]] == WHOLE) {
        pair(order, begin, end, found);
      } else {
        pairParts(order, begin, end, found);
      }
      begin = end;
    }
    found.sort(Comparator.comparingLong(pair -> times[pair.received()]));
    pairs = found;
    asked = count;
  }

  /** The first send with the first receive, and so on. */
  private void pair(int[] order, int begin, int end, List<Pair> found) {
    int send = begin;
    int receive = begin;
    while (true) {
      while (send < end && !isSend(order[send])) {
        send++;
      }
      while (receive < end && isSend(order[receive])) {
        receive++;
      }
      if (send == end || receive == end) {
        return;
      }
      found.add(new Pair(order[send++], order[receive++]));
    }
  }

  /** Each send with the receive that got its last byte. */
  private void pairParts(int[] order, int begin, int end, List<Pair> found) {
    StreamParts sent = new StreamParts();
    StreamParts received = new StreamParts();
    for (int i = begin; i < end; i++) {
      int of = order[i];
      (isSend(of) ? sent : received).add(positions[of], lengths[of], of);
    }
    for (StreamParts.Pair pair : sent.pairs(received)) {
      found.add(new Pair(pair.written(), pair.read()));
    }
  }

  private int compare(int a, int b) {
    int byChannel = Integer.compare(channels[a], channels[b]);
    int byKey = byChannel != 0 ? byChannel : Long.compare(keys[a], keys[b]);
    int byPart = byKey != 0 ? byKey : Boolean.compare(positions[a] == WHOLE, positions[b] == WHOLE);
    return byPart != 0 ? byPart : Long.compare(times[a], times[b]);
  }

  private boolean isSame(int a, int b) {
    return channels[a] == channels[b]
        && keys[a] == keys[b]
        && (positions[a] == WHOLE) == (positions[b] == WHOLE);
  }

  /** Takes messages. */
  public interface Taker {
    /** Whether an arrow can be drawn: both threads have tracks. */
    boolean has(int sender, int receiver);

    /** A message, in the order of the receives' times. */
    void take(long sent, long received, int sender, int receiver, int event);
  }

  /**
   * Hands out the messages that were on their way in a range, the longest of them if there are more
   * than wanted.
   *
   * @return whether there are more, or were
   */
  public synchronized boolean read(long from, long to, int wanted, Taker taker) {
    pair();
    List<Pair> inRange = new ArrayList<>();
    for (Pair pair : pairs) {
      long sent = times[pair.sent()];
      long received = times[pair.received()];
      if (Math.min(sent, received) <= to
          && Math.max(sent, received) >= from
          && taker.has(threads[pair.sent()], threads[pair.received()])) {
        inRange.add(pair);
      }
    }
    long least = 0;
    boolean tooMany = inRange.size() > wanted;
    if (tooMany) {
      long[] lengths = inRange.stream().mapToLong(this::length).sorted().toArray();
      least = lengths[lengths.length - wanted - 1] + 1;
    }
    for (Pair pair : inRange) {
      if (length(pair) >= least) {
        int sent = pair.sent();
        int received = pair.received();
        taker.take(times[sent], times[received], threads[sent], threads[received], events[sent]);
      }
    }
    return tooMany || more;
  }

  private long length(Pair pair) {
    if (threads[pair.received()] < 0) {
      return chance(pair.sent());
    }
    return Math.abs(times[pair.received()] - times[pair.sent()]);
  }

  /** No link is longer than another: chance picks those to show. */
  private static long chance(int number) {
    return (number * 0x9E3779B97F4A7C15L) >>> (Long.SIZE - CHANCE_BITS);
  }

  /** How many sends and receives there are. */
  int size() {
    return count;
  }

  /** How many pairs they make. */
  synchronized int paired() {
    pair();
    return pairs.size();
  }

  synchronized void writeTo(Contents contents) {
    contents.next().number(count).number(more ? 1 : 0).number(targets.size());
    targets.forEach(target -> contents.next().signed(target));
    for (int i = 0; i < count; i++) {
      ByteWriter to = contents.next();
      to.signed(times[i]).signed(keys[i]).number(channels[i]).signed(threads[i]).signed(events[i]);
      to.signed(positions[i]).number(lengths[i] & 0xFFFFFFFFL);
    }
  }

  void readFrom(Contents.Reader contents) {
    ByteCursor head = contents.next();
    long size = head.number();
    more = head.number() != 0;
    long known = head.number();
    for (long i = 0; i < known; i++) {
      targets.add(contents.next().signed());
    }
    for (long i = 0; i < size; i++) {
      ByteCursor from = contents.next();
      long time = from.signed();
      long key = from.signed();
      int channel = (int) from.number();
      int thread = (int) from.signed();
      int event = (int) from.signed();
      add(channel, key, from.signed(), (int) from.number(), time, thread, event);
    }
  }
}
