package dev.kymo.recorder.budget;

import dev.kymo.format.Definition;
import dev.kymo.format.Definition.MethodMode;
import dev.kymo.recorder.ring.Budget;
import dev.kymo.recorder.ring.CallStack;
import dev.kymo.recorder.ring.Counter;
import dev.kymo.recorder.ring.Counters;
import dev.kymo.recorder.ring.DefinitionStream;
import dev.kymo.recorder.ring.DrainerWatch;
import dev.kymo.recorder.ring.MethodCounters;
import dev.kymo.recorder.ring.Ring;
import dev.kymo.recorder.ring.RingRegistry;
import dev.kymo.recorder.ring.SampleTimer;
import dev.kymo.recorder.ring.ThreadCounters;
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
 * changes their modes, down when a thread's probes cost too much, up again when they would fit. It
 * runs only in the housekeeper's thread, never in the program's threads.
 *
 * <p>It does not oscillate: a method keeps its mode for a time, which doubles each time the method
 * has to go down again, and only a few methods go up at once.
 */
public final class Governor {
  /** Share of the budget that is used after methods have gone down. */
  private static final double TARGET = 0.3;

  /** Share of the budget that a method may cost in the next higher mode to be allowed up. */
  private static final double CALM = 0.1;

  /** Share of the budget that a method which goes up is assumed to cost at least. */
  private static final double NEGLIGIBLE = 0.01;

  /** Share of the budget below which the probes' cost must be for any method to go up. */
  private static final double ROOM = 0.3;

  /** The recent cost of probes counts for some seconds, because phases come back. */
  private static final double FORGETTING = 0.98;

  private static final double LONGEST_HOLD_SECONDS = 600;

  /**
   * Looking at a method that is left out requires weaving its class again: this is done less often.
   */
  private static final double LEFT_OUT_FACTOR = 150;

  private static final int UP_AT_ONCE = 8;

  private static final @Nullable Counter[] NO_COUNTERS = {};

  private static final double LOOK_SECONDS = 0.1;

  /** A thread that has not reached a probe for this long is assumed to wait. */
  private static final double PATIENCE_SECONDS = 0.05;

  private final DefinitionStream definitions;
  private final DrainerWatch clock;
  private final Budget budget;
  private final RingRegistry rings;
  private final Counters counters;
  private final ProbeRemoval probeRemoval;
  private final SampleTimer sampleTimer;
  private final LongCalls longCalls = new LongCalls();
  private final Map<Integer, GovernedMethod> methods = new ConcurrentHashMap<>();

  /** Methods that begin with the mode of an earlier run, until the housekeeper takes them over. */
  private final Map<Integer, BudgetFinding> remembered = new ConcurrentHashMap<>();

  private long lookedAt;

  /** The recent cost of probes on the thread that they cost most; share of its time. */
  private double recentShare;

  private double busiestShare;

  public Governor(
      DefinitionStream definitions,
      DrainerWatch clock,
      Budget budget,
      RingRegistry rings,
      Counters counters,
      ProbeRemoval probeRemoval,
      SampleTimer sampleTimer) {
    this.probeRemoval = probeRemoval;
    this.definitions = definitions;
    this.clock = clock;
    this.sampleTimer = sampleTimer;
    this.budget = budget;
    this.rings = rings;
    this.counters = counters;
    this.lookedAt = clock.now();
  }

  /** Runs one round; called often. */
  public void round() {
    takeRemembered();
    for (Ring ring : rings.overBudget()) {
      relieve(ring);
    }
    long now = clock.now();
    if (now - lookedAt > LOOK_SECONDS * budget.ticksPerSecond()) {
      look(now, now - lookedAt);
      lookedAt = now;
    }
  }

  /** Sets the mode that a method had in an earlier run; called when its class is woven. */
  public void remember(int method, BudgetFinding finding) {
    if (method >= MethodCounters.GOVERNED) {
      return;
    }
    MethodCounters.mode(method, finding.mode());
    definitions.put(
        new Definition.MethodMode(
            method, finding.mode(), MethodMode.EVENTS, MethodMode.asBefore(finding.rate())));
    remembered.put(method, finding);
    if (!sampleTimer.hasBegun()) {
      budget.wakeGovernor();
    }
  }

  private void takeRemembered() {
    long now = clock.now();
    for (Map.Entry<Integer, BudgetFinding> entry : Map.copyOf(remembered).entrySet()) {
      int method = entry.getKey();
      int mode = entry.getValue().mode();
      GovernedMethod governed = new GovernedMethod(method, mode);
      governed.since = now;
      governed.calmSince = now;
      governed.found = entry.getValue().rate();
      methods.put(method, governed);
      remembered.remove(method);
      if (mode == MethodMode.LEFT_OUT) {
        probeRemoval.isWithout(method);
      } else {
        beginLooks();
      }
    }
  }

  /** The findings so far, by method. */
  public Map<Integer, BudgetFinding> findings() {
    Map<Integer, BudgetFinding> findings = new HashMap<>(remembered);
    for (GovernedMethod governed : methods.values()) {
      int method = governed.counted.method;
      boolean toLose = probeRemoval.isToLose(method);
      int mode = toLose ? MethodMode.LEFT_OUT : governed.counted.mode;
      findings.put(method, new BudgetFinding(mode, governed.found));
    }
    return findings;
  }

  /** Records all methods as events again. */
  public void release() {
    for (GovernedMethod governed : methods.values()) {
      governed.counted.forget();
    }
    methods.clear();
  }

  private void relieve(Ring ring) {
    long[] records = ring.lastPacket();
    long now = clock.now();
    if (records != null) {
      PacketLoad packet = PacketLoad.of(records);
      List<MethodLoad> loads = new ArrayList<>();
      for (int i = 0; i < packet.methods(); i++) {
        int method = packet.method(i);
        if (MethodCounters.mode(method) == MethodMode.EVENTS && method < MethodCounters.GOVERNED) {
          double rate = (double) packet.calls(i) / Math.max(1, packet.ticks());
          loads.add(new MethodLoad(method, MethodMode.EVENTS, rate, packet.average(i)));
        }
      }
      stepDown(loads, room(ring.credit().countedShare()), ring.owner().getName(), now);
    }
    ring.credit().relieve(now);
  }

  /**
   * The allowed cost of events beside the cost of counting, and vice versa; share of a thread's
   * time.
   */
  private double room(double taken) {
    double all = budget.share() * TARGET;
    return Math.max(all / 2, all - taken);
  }

  /**
   * Moves methods down until their total cost fits: in a flat profile these are thousands of
   * methods, none of which costs much.
   */
  private void stepDown(List<MethodLoad> loads, double room, String thread, long now) {
    PriorityQueue<MethodLoad> hottest =
        new PriorityQueue<>((a, b) -> Double.compare(b.weight(), a.weight()));
    double sum = 0;
    for (MethodLoad load : loads) {
      load.cost = load.rate * budget.cost(load.mode);
      sum += load.cost;
      hottest.add(load);
    }
    Map<MethodLoad, Integer> before = new HashMap<>();
    while (sum > room && !hottest.isEmpty()) {
      MethodLoad load = hottest.remove();
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

  private void stepDown(MethodLoad load, int before, String thread, long now) {
    GovernedMethod governed = methods.computeIfAbsent(load.method, GovernedMethod::new);
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
    governed.reason = reason; // counted until its probes are removed
    governed.calmSince = now;
    probeRemoval.strip(load.method, load.rate * budget.cost(MethodMode.SAMPLED));
  }

  private void change(GovernedMethod governed, int mode, long now, String reason) {
    beginLooks();
    int before = governed.counted.mode;
    governed.since = now;
    governed.calmSince = now;
    MethodCounters.mode(governed.counted.method, mode);
    definitions.put(new Definition.MethodMode(governed.counted.method, mode, before, reason));
  }

  /**
   * Looks at all counters: finds methods that cost too much although they are only counted, and
   * methods that have calmed down.
   */
  private synchronized void look(long now, long elapsed) {
    methods.values().forEach(GovernedMethod::forget);
    busiestShare = 0;
    rings.forEach(ring -> {
      List<MethodLoad> loads = new ArrayList<>();
      catchUp(ring);
      for (Counter counter : countersOf(ring)) {
        if (counter != null && counter.calls() != counter.callsBefore) {
          look(counter, elapsed, loads);
        } else if (counter != null && counter.total != counter.publishedTime) {
          counters.publish(counter);
        }
      }
      double events = ring.credit().spentSince() / elapsed;
      check(ring, loads, events, now);
      busiestShare = Math.max(busiestShare, events + ring.credit().countedShare());
    });
    for (GovernedMethod governed : methods.values()) {
      if (governed.busiest != null) {
        governed.counted.busiest(governed.busiest);
      }
      if (probeRemoval.isToLose(governed.counted.method)) {
        probeRemoval.strip(
            governed.counted.method, governed.rate * budget.cost(MethodMode.SAMPLED));
      }
    }
    calm(now);
    findLongCalls();
    for (int method : probeRemoval.round(now, budget.ticksPerSecond(), longCalls)) {
      GovernedMethod governed = methods.get(method);
      if (governed != null) {
        change(governed, MethodMode.LEFT_OUT, now, governed.reason);
      }
    }
  }

  private void findLongCalls() {
    if (!SampleTimer.findsLongCalls()) {
      return;
    }
    longCalls.begin();
    rings.forEach(ring -> {
      CallStack stack = ring.stackAcquire();
      if (stack != null && stack.longCalls(frame -> addLongCall(stack.counters(), frame))) {
        longCalls.ran();
      }
    });
    longCalls.end();
  }

  private void addLongCall(ThreadCounters ofThread, int frame) {
    int number = CallStack.number(frame);
    if (!CallStack.isCounted(frame)) {
      longCalls.add(number);
      return;
    }
    Counter counter = ofThread.get(number);
    if (counter != null) {
      longCalls.add(counters.method(counter.block));
    }
  }

  /** Methods whose classes must not be woven again now. */
  public Set<Integer> running() {
    return longCalls.methods();
  }

  /** Makes the program's threads add up times as soon as the first method is counted. */
  private void beginLooks() {
    sampleTimer.begin();
  }

  private void look(Counter counter, long elapsed, List<MethodLoad> loads) {
    counters.publish(counter);
    double rate = (double) (counter.published - counter.callsBefore) / elapsed;
    counter.callsBefore = counter.published;
    GovernedMethod governed = methods.get(counters.method(counter.block));
    if (governed != null && governed.counted.mode == counters.mode(counter.block)) {
      if (rate > governed.rate) {
        governed.rate = rate;
        governed.busiest = counter;
      }
      if (!probeRemoval.isToLose(governed.counted.method)) {
        double average =
            counter.timed == 0 ? Double.NaN : (double) counter.durations / counter.timed;
        loads.add(new MethodLoad(governed.counted.method, governed.counted.mode, rate, average));
      }
    }
  }

  private static @Nullable Counter[] countersOf(Ring ring) {
    CallStack stack = ring.stackAcquire();
    return stack == null ? NO_COUNTERS : stack.counters().all();
  }

  /** Copies all counters into shared memory; any thread may call this. */
  public synchronized void publish() {
    rings.forEach(ring -> {
      catchUp(ring);
      for (Counter counter : countersOf(ring)) {
        if (counter != null) {
          counters.publish(counter);
        }
      }
    });
  }

  /** Adds the time of threads that wait for long, because they do not reach a probe. */
  private void catchUp(Ring ring) {
    CallStack stack = ring.stackAcquire();
    if (stack != null) {
      stack.catchUp(SampleTimer.latest(), (long) (PATIENCE_SECONDS * budget.ticksPerSecond()));
    }
  }

  private void check(Ring ring, List<MethodLoad> loads, double events, long now) {
    double share = 0;
    for (MethodLoad load : loads) {
      share += load.rate * budget.cost(load.mode);
    }
    ring.credit().countedShare(share);
    if (share > 0 && share + events > budget.share()) {
      stepDown(loads, room(events), ring.owner().getName(), now);
    }
  }

  private void calm(long now) {
    recentShare = Math.max(busiestShare, recentShare * FORGETTING);
    double room = budget.share() * ROOM - recentShare;
    int up = 0;
    for (GovernedMethod governed : methods.values()) {
      if (governed.counted.mode == MethodMode.EVENTS) {
        continue;
      }
      boolean leftOut = governed.counted.mode == MethodMode.LEFT_OUT;
      boolean stripped = probeRemoval.isStripped(governed.counted.method);
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
        probeRemoval.restore(governed.counted.method);
      } else if (up < UP_AT_ONCE && (!leftOut || !probeRemoval.isBusy())) {
        up++;
        room -= Math.max(wouldCost, budget.share() * NEGLIGIBLE);
        goUp(governed, seconds, wouldCost, now);
      }
    }
  }

  private void goUp(GovernedMethod governed, double seconds, double wouldCost, long now) {
    probeRemoval.restore(governed.counted.method);
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
