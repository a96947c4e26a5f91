package dev.kymo.recorder;

import dev.kymo.format.Definition;
import dev.kymo.format.Definition.MethodMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the {@link Budget}: finds the methods whose probes cost more than they are worth and
 * changes their modes, down when a thread's probes cost too much, up again when it would fit. Runs
 * in the housekeeper's thread only; nothing of it runs in the program's.
 *
 * <p>It does not swing: a method stays where it is for a time, twice as long each time it has to go
 * down again, and only a few go up at once.
 */
final class Governor {
  /** Part of the budget to be used after methods have gone down. */
  private static final double TARGET = 0.3;

  /** Part of the budget that a method may cost in the mode above to be let go up. */
  private static final double CALM = 0.1;

  /** Part of the budget that a method which goes up is taken to cost at least. */
  private static final double NEGLIGIBLE = 0.01;

  /** Part of the budget below which the probes must be for any method to go up. */
  private static final double ROOM = 0.3;

  /** What probes cost lately counts for some seconds: phases come back. */
  private static final double FORGETTING = 0.98;

  private static final double FIRST_HOLD_SECONDS = 4;
  private static final double LONGEST_HOLD_SECONDS = 600;

  /** To look at a method that is left out, its class must be woven anew: done less often. */
  private static final double LEFT_OUT_FACTOR = 150;

  private static final int UP_AT_ONCE = 8;

  /** Part of what may be saved that a ring has when its methods have gone down. */
  private static final double CREDIT_AFTER = 0.1;

  private static final double LOOK_SECONDS = 0.1;

  /** A thread that has come by no probe for so long is taken to wait. */
  private static final double PATIENCE_SECONDS = 0.05;

  private final ProcessRecorder recorder;
  private final Budget budget;
  private final RingRegistry rings;
  private final Counters counters;
  private final Stripping stripping;
  private final LongCalls longCalls = new LongCalls();
  private final Map<Integer, Governed> methods = new ConcurrentHashMap<>();

  /** Methods that begin as they were in an earlier run, until the housekeeper knows of them. */
  private final Map<Integer, Finding> remembered = new ConcurrentHashMap<>();

  private long lookedAt;
  private @Nullable Looks looks;

  /** What probes cost the thread that they cost most, of late; part of its time. */
  private double recentShare;

  private double busiestShare;

  /** A method that is, or was, not recorded as events. */
  private static final class Governed {
    final Counted counted;
    double hold = FIRST_HOLD_SECONDS;
    long since;
    long calmSince;
    double rate;

    /** Why it is to be left out. */
    String reason = "";

    /** Calls a second, when it had to go down. */
    volatile long found;

    @Nullable Counter busiest;

    Governed(int method) {
      this(method, MethodMode.EVENTS);
    }

    Governed(int method, int mode) {
      this.counted = Probe.mode(method, mode);
    }

    void forget() {
      rate = 0;
      busiest = null;
    }
  }

  /** What a method costs a thread; parts of its time. */
  private static final class Load {
    final int method;
    final double rate;
    final double average;
    int mode;
    double cost;

    /**
     * A load.
     *
     * @param rate calls a tick
     * @param average ticks of a call, NaN = not known
     */
    Load(int method, int mode, double rate, double average) {
      this.method = method;
      this.mode = mode;
      this.rate = rate;
      this.average = average;
    }

    /** Hottest first; of those that cost about the same, the shortest. */
    double weight() {
      double length = Double.isNaN(average) ? 0 : average * rate / Math.max(cost, 1e-9);
      return cost * (length < 1 ? 2 : 1);
    }
  }

  Governor(
      ProcessRecorder recorder,
      Budget budget,
      RingRegistry rings,
      Counters counters,
      Stripping stripping) {
    this.stripping = stripping;
    this.recorder = recorder;
    this.budget = budget;
    this.rings = rings;
    this.counters = counters;
    this.lookedAt = recorder.now();
  }

  /** Does what is to be done; often. */
  void round() {
    takeRemembered();
    for (Ring ring : rings.overBudget()) {
      relieve(ring);
    }
    long now = recorder.now();
    if (now - lookedAt > LOOK_SECONDS * budget.ticksPerSecond()) {
      look(now, now - lookedAt);
      lookedAt = now;
    }
  }

  /** A method begins as it was in an earlier run; called by who weaves its class. */
  void remember(int method, Finding finding) {
    if (method >= Probe.GOVERNED) {
      return;
    }
    Probe.mode(method, finding.mode());
    recorder.define(
        new Definition.MethodMode(
            method, finding.mode(), MethodMode.EVENTS, MethodMode.asBefore(finding.rate())));
    remembered.put(method, finding);
    if (looks == null) {
      budget.wakeGovernor();
    }
  }

  private void takeRemembered() {
    long now = recorder.now();
    for (Map.Entry<Integer, Finding> entry : Map.copyOf(remembered).entrySet()) {
      int method = entry.getKey();
      int mode = entry.getValue().mode();
      Governed governed = new Governed(method, mode);
      governed.since = now;
      governed.calmSince = now;
      governed.found = entry.getValue().rate();
      methods.put(method, governed);
      remembered.remove(method);
      if (mode == MethodMode.LEFT_OUT) {
        stripping.isWithout(method);
      } else {
        beginLooks();
      }
    }
  }

  /** What was found out so far, by method. */
  Map<Integer, Finding> findings() {
    Map<Integer, Finding> findings = new HashMap<>(remembered);
    for (Governed governed : methods.values()) {
      int method = governed.counted.method;
      boolean toLose = stripping.isToLose(method);
      int mode = toLose ? MethodMode.LEFT_OUT : governed.counted.mode;
      findings.put(method, new Finding(mode, governed.found));
    }
    return findings;
  }

  /** All methods are events again. */
  void release() {
    for (Governed governed : methods.values()) {
      Probe.mode(governed.counted.method, MethodMode.EVENTS);
    }
    methods.clear();
  }

  private void relieve(Ring ring) {
    long[] records = ring.lastPacket();
    long now = recorder.now();
    if (records != null) {
      PacketLoad packet = PacketLoad.of(records);
      List<Load> loads = new ArrayList<>();
      for (int i = 0; i < packet.methods(); i++) {
        int method = packet.method(i);
        if (Probe.mode(method) == MethodMode.EVENTS && method < Probe.GOVERNED) {
          double rate = (double) packet.calls(i) / Math.max(1, packet.ticks());
          loads.add(new Load(method, MethodMode.EVENTS, rate, packet.average(i)));
        }
      }
      stepDown(loads, room(ring.countedShare), ring.owner.getName(), now);
    }
    ring.credit = (long) (budget.initialCredit() * CREDIT_AFTER);
    ring.creditFrom = now;
    ring.closedAt = now;
    ring.overBudget = false;
  }

  /**
   * What events may cost beside what is counted, and the other way round; part of a thread's time.
   */
  private double room(double taken) {
    double all = budget.share() * TARGET;
    return Math.max(all / 2, all - taken);
  }

  /**
   * Lets methods down until what they cost together fits: in a flat profile that is thousands, none
   * of which costs much.
   */
  private void stepDown(List<Load> loads, double room, String thread, long now) {
    PriorityQueue<Load> hottest =
        new PriorityQueue<>((a, b) -> Double.compare(b.weight(), a.weight()));
    double sum = 0;
    for (Load load : loads) {
      load.cost = load.rate * budget.cost(load.mode);
      sum += load.cost;
      hottest.add(load);
    }
    Map<Load, Integer> before = new HashMap<>();
    while (sum > room && !hottest.isEmpty()) {
      Load load = hottest.remove();
      before.putIfAbsent(load, load.mode);
      sum -= load.cost;
      load.mode = below(load.mode);
      if (load.mode != MethodMode.LEFT_OUT) {
        load.cost = load.rate * budget.cost(load.mode);
        sum += load.cost;
        hottest.add(load);
      }
    }
    before.forEach((load, mode) -> stepDown(load, mode, thread, now));
  }

  private void stepDown(Load load, int before, String thread, long now) {
    Governed governed = methods.computeIfAbsent(load.method, Governed::new);
    if (governed.since != 0) {
      governed.hold = Math.min(governed.hold * 2, LONGEST_HOLD_SECONDS);
    }
    governed.found = (long) (load.rate * budget.ticksPerSecond());
    String length =
        Double.isNaN(load.average)
            ? ""
            : String.format(
                Locale.ROOT, " of %.0f ns", load.average / budget.ticksPerSecond() * 1e9);
    String reason =
        String.format(
            Locale.ROOT,
            "%.0f calls/s%s on thread \"%s\" cost %.2f %% of its time, budget %.2f %%",
            load.rate * budget.ticksPerSecond(),
            length,
            thread,
            100 * load.rate * budget.cost(before),
            100 * budget.share());
    if (load.mode != MethodMode.LEFT_OUT) {
      change(governed, load.mode, now, reason);
      return;
    }
    if (before != MethodMode.SAMPLED) {
      change(governed, MethodMode.SAMPLED, now, reason);
    }
    governed.reason = reason; // counted until its probes are taken out
    governed.calmSince = now;
    stripping.strip(load.method, load.rate * budget.cost(MethodMode.SAMPLED));
  }

  private void change(Governed governed, int mode, long now, String reason) {
    beginLooks();
    int before = governed.counted.mode;
    governed.since = now;
    governed.calmSince = now;
    Probe.mode(governed.counted.method, mode);
    recorder.define(new Definition.MethodMode(governed.counted.method, mode, before, reason));
  }

  /** Looks at all counters: who costs too much though only counted, and who has calmed down. */
  private void look(long now, long elapsed) {
    methods.values().forEach(Governed::forget);
    busiestShare = 0;
    rings.forEach(ring -> {
      List<Load> loads = new ArrayList<>();
      catchUp(ring);
      for (Counter counter : ring.counters()) {
        if (counter != null && counter.calls() != counter.callsBefore) {
          look(counter, elapsed, loads);
        } else if (counter != null && counter.total != counter.publishedTime) {
          counters.publish(counter);
        }
      }
      double events = (ring.spent - ring.spentBefore) / elapsed;
      ring.spentBefore = ring.spent;
      check(ring, loads, events, now);
      busiestShare = Math.max(busiestShare, events + ring.countedShare);
    });
    for (Governed governed : methods.values()) {
      if (governed.busiest != null) {
        governed.counted.busiest(governed.busiest);
      }
      if (stripping.isToLose(governed.counted.method)) {
        stripping.strip(governed.counted.method, governed.rate * budget.cost(MethodMode.SAMPLED));
      }
    }
    calm(now);
    findLongCalls();
    for (int method : stripping.round(now, budget.ticksPerSecond(), longCalls)) {
      Governed governed = methods.get(method);
      if (governed != null) {
        change(governed, MethodMode.LEFT_OUT, now, governed.reason);
      }
    }
  }

  private void findLongCalls() {
    if (looks == null) {
      return;
    }
    longCalls.begin();
    rings.forEach(ring -> {
      CallStack stack = ring.stack();
      if (stack != null) {
        stack.longCalls(frame -> addLongCall(ring, frame));
      }
    });
    longCalls.end();
  }

  private void addLongCall(Ring ring, int frame) {
    int number = CallStack.number(frame);
    if (!CallStack.isCounted(frame)) {
      longCalls.add(number);
      return;
    }
    Counter counter = ring.counter(number);
    if (counter != null) {
      longCalls.add(counters.method(counter.block));
    }
  }

  /** Methods whose classes are not to be woven anew now. */
  Set<Integer> running() {
    return longCalls.methods();
  }

  /** From when the first method is counted, the program's threads add up times. */
  private void beginLooks() {
    if (looks == null) {
      looks = new Looks(recorder);
      looks.start();
    }
  }

  private void look(Counter counter, long elapsed, List<Load> loads) {
    counters.publish(counter);
    double rate = (double) (counter.published - counter.callsBefore) / elapsed;
    counter.callsBefore = counter.published;
    Governed governed = methods.get(counters.method(counter.block));
    if (governed != null && governed.counted.mode == counters.mode(counter.block)) {
      if (rate > governed.rate) {
        governed.rate = rate;
        governed.busiest = counter;
      }
      if (!stripping.isToLose(governed.counted.method)) {
        double average =
            counter.timed == 0 ? Double.NaN : (double) counter.durations / counter.timed;
        loads.add(new Load(governed.counted.method, governed.counted.mode, rate, average));
      }
    }
  }

  /** Copies all counters into shared memory. */
  void publish() {
    rings.forEach(ring -> {
      catchUp(ring);
      for (Counter counter : ring.counters()) {
        if (counter != null) {
          counters.publish(counter);
        }
      }
    });
  }

  /** A thread that waits for long comes by no probe; its time is told all the same. */
  private void catchUp(Ring ring) {
    CallStack stack = ring.stack();
    if (stack != null) {
      stack.catchUp(Looks.latest(), (long) (PATIENCE_SECONDS * budget.ticksPerSecond()));
    }
  }

  private void check(Ring ring, List<Load> loads, double events, long now) {
    double share = 0;
    for (Load load : loads) {
      share += load.rate * budget.cost(load.mode);
    }
    ring.countedShare = share;
    if (share > 0 && share + events > budget.share()) {
      stepDown(loads, room(events), ring.owner.getName(), now);
    }
  }

  private void calm(long now) {
    recentShare = Math.max(busiestShare, recentShare * FORGETTING);
    double room = budget.share() * ROOM - recentShare;
    int up = 0;
    for (Governed governed : methods.values()) {
      if (governed.counted.mode == MethodMode.EVENTS) {
        continue;
      }
      boolean leftOut = governed.counted.mode == MethodMode.LEFT_OUT;
      boolean stripped = stripping.isStripped(governed.counted.method);
      double wouldCost = governed.rate * budget.cost(above(governed.counted.mode));
      if (wouldCost > budget.share() * CALM) {
        governed.calmSince = now;
      }
      double seconds = (now - governed.calmSince) / budget.ticksPerSecond();
      double hold = governed.hold * (stripped ? LEFT_OUT_FACTOR : 1);
      if (seconds <= hold || wouldCost >= room) {
        continue;
      }
      if (stripped) {
        stripping.restore(governed.counted.method);
      } else if (up < UP_AT_ONCE && (!leftOut || !stripping.isBusy())) {
        up++;
        room -= Math.max(wouldCost, budget.share() * NEGLIGIBLE);
        goUp(governed, seconds, wouldCost, now);
      }
    }
  }

  private void goUp(Governed governed, double seconds, double wouldCost, long now) {
    stripping.restore(governed.counted.method);
    String reason =
        governed.counted.mode == MethodMode.LEFT_OUT
            ? String.format(Locale.ROOT, "left out for %.0f s, looked at again", seconds)
            : String.format(
                Locale.ROOT,
                "calm for %.0f s: %.0f calls/s on the busiest thread would cost %.3f %% of its"
                    + " time, budget %.2f %%",
                seconds,
                governed.rate * budget.ticksPerSecond(),
                100 * wouldCost,
                100 * budget.share());
    change(governed, above(governed.counted.mode), now, reason);
  }

  private static int below(int mode) {
    return switch (mode) {
      case MethodMode.EVENTS -> MethodMode.TIMED;
      case MethodMode.TIMED -> MethodMode.SAMPLED;
      default -> MethodMode.LEFT_OUT;
    };
  }

  private static int above(int mode) {
    return switch (mode) {
      case MethodMode.LEFT_OUT -> MethodMode.SAMPLED;
      case MethodMode.SAMPLED -> MethodMode.TIMED;
      default -> MethodMode.EVENTS;
    };
  }
}
