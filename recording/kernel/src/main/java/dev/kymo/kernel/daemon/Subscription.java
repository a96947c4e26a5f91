package dev.kymo.kernel.daemon;

import dev.kymo.format.KernelEventFormat;
import dev.kymo.kernel.Service;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/** The events that one client gets of a capture, and those that it misses. Used by one thread. */
final class Subscription {
  final Client client;
  final Registration registration;

  final Set<String> on = new HashSet<>();

  private final LongSupplier limit;
  private final Batch batch = new Batch();
  private final Map<Integer, Gap> gaps = new TreeMap<>();
  private final List<Stop> stops = new ArrayList<>();

  /** The client's number of an event by the capture's; -1 for events that it does not get. */
  private int[] numbers = {};

  private final List<Rule> rules = new ArrayList<>();
  private long since;
  private long toldUpTo;
  private long lost;

  /** Programs that were not shown: those with other rights, and those that nobody knows. */
  private int withOtherRights;

  private int unknown;

  private static final class Gap {
    long from;
    long to;
    long count;
  }

  /** Whether events up to a clock are still to be given. */
  private record Stop(long clock, Set<String> events) {}

  /**
   * Nothing on yet.
   *
   * @param limit bytes that may wait for the client
   */
  Subscription(Client client, Registration registration, LongSupplier limit) {
    this.client = client;
    this.registration = registration;
    this.limit = limit;
  }

  boolean isForRoot() {
    return client.uid == 0;
  }

  /** Whether an event is on only because others are. */
  boolean isCompany(String event) {
    return Service.ALWAYS.contains(event)
        || (event.equals(Meaning.HARDENING) && registration.number(event) < 0);
  }

  /** Takes what is on from now on, and the capture's events. */
  void start(Set<String> events, long clock) {
    if (on.isEmpty()) {
      since = clock;
    }
    on.addAll(events);
  }

  void formats(List<KernelEventFormat> formats) {
    int[] to = new int[formats.size()];
    Arrays.fill(to, -1);
    for (int i = 0; i < to.length; i++) {
      String name = formats.get(i).toString();
      to[i] = on.contains(name) ? registration.number(name) : -1;
      if (i >= rules.size()) {
        rules.add(Rule.of(formats.get(i)));
      }
    }
    numbers = to;
  }

  /** Takes an event for root. */
  void event(int cpu, long clock, int event, byte[] bytes, int at, int size) {
    int number = numbers[event];
    if (number >= 0 && clock >= since) {
      add(cpu, clock, number, bytes, at, size);
    }
  }

  /** Takes the part of an event that its user may see. */
  void event(Owners owners, int cpu, long clock, int event, byte[] bytes, int at, int size) {
    int number = numbers[event];
    if (number >= 0 && clock >= since) {
      int copy = add(cpu, clock, number, bytes, at, size);
      if (!rules.get(event).redact(owners, client.owner, batch.bytes(), copy, size)) {
        batch.undo();
      }
    }
  }

  /** A thread that it saw may not be seen from now on. */
  void hidden(int cpu, long clock, int tid) {
    for (int i = 0; i < numbers.length; i++) {
      Rule rule = rules.get(i);
      if (rule.kind == Rule.Kind.SWITCH && numbers[i] >= 0 && clock >= since) {
        byte[] event = rule.farewell(tid);
        add(cpu, clock, numbers[i], event, 0, event.length);
      }
    }
  }

  /**
   * A program of its owner's was not shown.
   *
   * @param certain whether it has other rights; otherwise that could not be found out in time
   */
  void withheld(boolean certain) {
    withOtherRights += certain ? 1 : 0;
    unknown += certain ? 0 : 1;
  }

  private int add(int cpu, long clock, int number, byte[] bytes, int at, int size) {
    if (!batch.hasRoom(size)) {
      flush();
    }
    return batch.add(cpu, clock, number, bytes, at, size);
  }

  void lost(int cpu, long from, long to, long count) {
    if (to >= since) {
      flush();
      miss(cpu, Math.max(from, since), to, count);
      tellLost();
    }
  }

  private void miss(int cpu, long from, long to, long count) {
    Gap gap = gaps.computeIfAbsent(cpu, _ -> new Gap());
    gap.from = gap.count == 0 ? from : Math.min(gap.from, from);
    gap.to = Math.max(gap.to, to);
    gap.count += count;
    lost += count;
  }

  /** Reports what is missing, if there is room; false if there is none. */
  private boolean tellLost() {
    return tellLost(limit.getAsLong());
  }

  private boolean tellLost(long room) {
    Iterator<Map.Entry<Integer, Gap>> all = gaps.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<Integer, Gap> entry = all.next();
      Gap gap = entry.getValue();
      ByteBuffer frame =
          new Frames.Builder(Frames.LOST)
              .u16(entry.getKey())
              .u64(gap.from)
              .u64(gap.to)
              .u64(gap.count)
              .frame();
      if (!client.out.events(frame, room)) {
        return false;
      }
      all.remove();
    }
    return true;
  }

  private void flush() {
    if (batch.isEmpty()) {
      return;
    }
    ByteBuffer frame = batch.take();
    if (!tellLost() || !client.out.events(frame, limit.getAsLong())) {
      drop(frame.order(ByteOrder.LITTLE_ENDIAN).position(Frames.HEADER));
    }
  }

  private void drop(ByteBuffer events) {
    while (events.hasRemaining()) {
      long clock = events.getLong();
      int cpu = events.getShort() & 0xFFFF;
      events.getShort();
      int size = events.getInt();
      events.position(events.position() + size);
      miss(cpu, clock, clock, 1);
    }
  }

  /** Everything below this clock has been given: sends it. */
  void upTo(long clock) {
    flush();
    if (clock > toldUpTo && clock != Long.MAX_VALUE && tellLost()) {
      toldUpTo = clock;
      client.out.events(new Frames.Builder(Frames.UP_TO).u64(clock).frame(), limit.getAsLong());
    }
  }

  /** Answers the stops after which nothing comes any more. */
  void answerStops(long clock) {
    stops.removeIf(stop -> stop.clock <= clock && answer(stop));
  }

  private boolean answer(Stop stop) {
    on.removeAll(stop.events);
    for (int i = 0; i < numbers.length; i++) {
      String name = rules.get(i).name();
      numbers[i] = on.contains(name) ? numbers[i] : -1;
    }
    tellLost(Long.MAX_VALUE); // at most one for each processor, and no later event could report it
    client.out.answer(Frames.ok(Frames.STOP).u64(lost).u32(withOtherRights).u32(unknown).frame());
    return true;
  }

  boolean isStopping() {
    return !stops.isEmpty();
  }

  /** Events that are being turned off. */
  Set<String> stopping() {
    Set<String> events = new HashSet<>();
    stops.forEach(stop -> events.addAll(stop.events));
    return events;
  }

  /** These are off in the kernel since this clock. */
  void stop(Set<String> events, long clock) {
    stops.add(new Stop(clock, events));
  }
}
