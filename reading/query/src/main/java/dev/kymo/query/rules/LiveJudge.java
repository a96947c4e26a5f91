package dev.kymo.query.rules;

import dev.kymo.format.Clock;
import dev.kymo.format.Definition;
import dev.kymo.format.RecordCursor;
import dev.kymo.format.ThreadRecord;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Judges rules while records come. It keeps open calls only of methods that rules are about, and
 * does not judge what it has not seen begin. Used by one thread.
 */
public final class LiveJudge {
  /** Each rule has a bit. */
  private static final int MOST_RULES = Long.SIZE;

  /** Violations kept of one look; more are counted by nobody. */
  private static final int MOST_FOUND = 1000;

  /** With more threads, those without open calls are forgotten. */
  private static final int MANY_THREADS = 10_000;

  private final List<LiveRule> rules;
  private final long[] limits;
  private final Consumer<String> told;
  private final Map<Integer, LiveProcess> processes = new HashMap<>();
  private final Map<Long, Place> rings = new HashMap<>();
  private final Map<Long, LiveThread> threads = new HashMap<>();
  private List<LiveViolation> found = new ArrayList<>();
  private long missed;

  /** Where the records of a ring go on. */
  private static final class Place {
    long clock;
    @Nullable LiveThread thread;
  }

  /**
   * A judge that has seen nothing yet.
   *
   * @param told takes a sentence about what cannot be judged any more
   * @throws RuleException if some rules cannot be judged in this way
   */
  public LiveJudge(List<Rule> all, Consumer<String> told) throws RuleException {
    List<LiveRule> live = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (Rule rule : all) {
      try {
        live.add(LiveRule.of(rule));
      } catch (RuleText.Mistake e) {
        problems.add("%s: %s: %s".formatted(rule.place(), rule.name(), e.getMessage()));
      }
    }
    if (all.size() > MOST_RULES) {
      problems.add("too many rules: rules=%d most=%d".formatted(all.size(), MOST_RULES));
    }
    if (!problems.isEmpty()) {
      throw new RuleException(problems);
    }
    this.told = told;
    this.rules = List.copyOf(live);
    this.limits = new long[live.size()];
  }

  /** How long a second is, as far as it is known. */
  public void clock(Clock clock) {
    for (int i = 0; i < limits.length; i++) {
      long over = rules.get(i).over();
      limits[i] = over < 0 ? -1 : clock.ticks(Math.min(over, Long.MAX_VALUE / 8));
    }
  }

  /**
   * Takes a definition; before the records that use it.
   *
   * @param process in whose stream it stands, 0 for the recorder's
   */
  public void define(int process, Definition definition) {
    switch (definition) {
      case Definition.ProcessEnd end -> forget(end.process(), thread -> true);
      case Definition.MethodMode mode -> counted(process(process), mode);
      default -> process(process).take(definition);
    }
  }

  /** Calls that are counted have no records. */
  private void counted(LiveProcess names, Definition.MethodMode mode) {
    if (mode.mode() == Definition.MethodMode.EVENTS) {
      return;
    }
    for (long rest = names.ofCall(mode.method()); rest != 0; rest &= rest - 1) {
      Rule rule = rules.get(Long.numberOfTrailingZeros(rest)).rule();
      told.accept(
          "calls are counted from now on and not seen by a rule: method=%s rule=\"%s\"; --budget"
                  .formatted(names.name(mode.method()), rule.name())
              + " none records each call");
    }
  }

  /**
   * Records of this ring are missing before those that come next: in between, its thread and all
   * virtual threads may have ended calls.
   */
  public void missed(int process, int ring) {
    missed++;
    LiveThread own = place(process, ring).thread;
    LiveProcess names = process(process);
    forget(
        process,
        thread ->
            thread == own || names.thread(thread.thread).kind() == Definition.TracedThread.VIRTUAL);
  }

  private void forget(int process, Predicate<LiveThread> these) {
    for (LiveThread thread : threads.values()) {
      if (thread.process == process && these.test(thread)) {
        thread.forget();
      }
    }
  }

  /** How often records were missed. */
  public long missed() {
    return missed;
  }

  /** A packet begins in a ring: its first thread, and the clock before its first record. */
  public void packet(int process, int ring, int thread, long clock) {
    Place place = place(process, ring);
    LiveThread before = place.thread;
    place.clock = clock;
    place.thread = thread(process, thread);
    if (before != null
        && before != place.thread
        && process(process).thread(before.thread).kind() == Definition.TracedThread.PLATFORM) {
      before.forget(); // it has ended: another has its ring
    }
  }

  /** Takes the next records of a ring. */
  public void records(int process, int ring, ByteBuffer records) {
    Place place = place(process, ring);
    LiveThread thread = place.thread;
    if (thread == null) {
      return; // a packet comes first
    }
    LiveProcess names = process(process);
    RecordCursor cursor = new RecordCursor(records, 0, place.clock);
    while (cursor.next()) {
      int what = cursor.payload();
      switch (cursor.id()) {
        case ThreadRecord.ENTER -> {
          long mask = names.ofCall(what);
          if (mask != 0) {
            enter(names, mask, thread, what, cursor.clock());
          }
        }
        case ThreadRecord.LEAVE, ThreadRecord.UNWIND -> {
          if (names.ofCall(what) != 0) {
            leave(names, thread, what, cursor.clock());
          }
        }
        case ThreadRecord.SWITCH -> thread = thread(process, what);
        case ThreadRecord.EVENT, ThreadRecord.EVENT_DATA -> {
          long clock = cursor.clock();
          find(names, names.ofEvent(what), thread, what, clock, clock, false);
        }
        default -> {} // concerns no rule
      }
    }
    place.clock = cursor.clock();
    place.thread = thread;
  }

  /** A virtual thread that comes from another ring may come in the wrong order: then forget it. */
  private static boolean isLate(LiveThread thread, long clock) {
    boolean late = clock < thread.last;
    if (late) {
      thread.forget();
    }
    thread.last = Math.max(thread.last, clock);
    return late;
  }

  private void enter(LiveProcess names, long mask, LiveThread thread, int method, long clock) {
    if (isLate(thread, clock)) {
      return;
    }
    thread.enter(method, clock);
    long any = 0;
    for (long rest = mask; rest != 0; rest &= rest - 1) {
      int rule = Long.numberOfTrailingZeros(rest);
      any |= limits[rule] < 0 ? 1L << rule : 0;
    }
    find(names, any, thread, method, clock, clock, true);
    thread.told[thread.depth - 1] = any;
  }

  private void leave(LiveProcess names, LiveThread thread, int method, long clock) {
    int at = isLate(thread, clock) ? -1 : thread.find(method);
    if (at < 0) {
      return;
    }
    findLong(names, thread, at, clock, false);
    thread.depth = at;
  }

  private void findLong(LiveProcess names, LiveThread thread, int at, long clock, boolean open) {
    int method = thread.methods[at];
    long begin = thread.begins[at];
    long over = 0;
    for (long rest = names.ofCall(method) & ~thread.told[at]; rest != 0; rest &= rest - 1) {
      int rule = Long.numberOfTrailingZeros(rest);
      over |= limits[rule] >= 0 && clock - begin > limits[rule] ? 1L << rule : 0;
    }
    if (over != 0) {
      thread.told[at] |= over;
      find(names, over, thread, method, begin, clock, open);
    }
  }

  private void find(
      LiveProcess names,
      long violated,
      LiveThread thread,
      int number,
      long begin,
      long end,
      boolean open) {
    for (long rest = violated; rest != 0 && found.size() < MOST_FOUND; rest &= rest - 1) {
      LiveRule rule = rules.get(Long.numberOfTrailingZeros(rest));
      Definition.TracedThread traced = names.thread(thread.thread);
      if (rule.concerns(traced)) {
        found.add(
            new LiveViolation(
                rule.rule(),
                thread.process,
                thread.thread,
                traced.name(),
                begin,
                end,
                open,
                names.name(number)));
      }
    }
  }

  /**
   * Returns what was found since the last look, and what is open for too long now.
   *
   * @param now clock up to which all records have come
   */
  public List<LiveViolation> look(long now) {
    for (LiveThread thread : threads.values()) {
      for (int at = 0; at < thread.depth; at++) {
        findLong(process(thread.process), thread, at, now, true);
      }
    }
    if (threads.size() > MANY_THREADS) {
      Set<LiveThread> needed = new HashSet<>();
      rings.values().forEach(ring -> needed.add(ring.thread));
      threads.values().removeIf(thread -> thread.depth == 0 && !needed.contains(thread));
    }
    List<LiveViolation> all = found;
    found = new ArrayList<>();
    return all;
  }

  private LiveProcess process(int process) {
    return processes.computeIfAbsent(process, number -> new LiveProcess(rules));
  }

  private Place place(int process, int ring) {
    return rings.computeIfAbsent(key(process, ring), key -> new Place());
  }

  private LiveThread thread(int process, int thread) {
    return threads.computeIfAbsent(key(process, thread), key -> new LiveThread(process, thread));
  }

  private static long key(int process, int number) {
    return ((long) process << 32) | (number & 0xFFFFFFFFL);
  }
}
