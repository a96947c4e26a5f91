package dev.kymo.kernel.daemon;

import dev.kymo.format.KernelEventFormat;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Knows at each event who owns the threads in it, for users that may see only their own threads.
 *
 * <p>A new program may have other rights than the program that started it. What {@code /proc} says
 * of it is true for the moment of asking. So events wait in a journal until all events up to that
 * moment are there: if the process has begun yet another program until then, or its number has been
 * reused, the answer is about that program. A program that was over too soon belongs to nobody.
 *
 * <p>The kernel gives a thread the new program's name first, then its memory, and reports the new
 * program last. What lies between already belongs to the new program. So from a thread's own new
 * name on everything waits until it is known whether that was a program's begin: the end of the
 * begin shows that, or an event that only a running program can cause.
 *
 * <p>After a loss nothing is certain, and nothing is shown, until {@code /proc} has been read
 * again.
 *
 * <p>Used by one thread.
 */
final class Visibility implements AutoCloseable {
  private static final long BETWEEN_SCANS_NANOS = 500_000_000;

  /** Longest time that everything waits to learn whether a new name was a program's begin. */
  private static final long MOST_DOUBT_NANOS = 200_000_000;

  private static final byte[] NOTHING = {};

  /** Takes events with what is known of them. */
  interface Receiver {
    void event(Owners owners, int cpu, long clock, int event, byte[] bytes, int at, int size);

    /** From now on an owner may not see this thread. */
    void hidden(int cpu, long clock, int tid, long owner);

    /**
     * A program of an owner's is not shown.
     *
     * @param certain whether it has other rights; otherwise that could not be found out in time
     */
    void withheld(long owner, boolean certain);

    void lost(int cpu, long from, long to, long count);
  }

  /** Something between events. */
  private sealed interface Mark {}

  private static final class Verdict implements Mark {
    final int cpu;
    final int tid;
    final int before;
    final long asked;
    final long owner;

    /** Whether the answer may be about somebody else. */
    boolean doubtful;

    Verdict(int cpu, int tid, int before, long asked, long owner) {
      this.cpu = cpu;
      this.tid = tid;
      this.before = before;
      this.asked = asked;
      this.owner = owner;
    }
  }

  /** A thread has a new name, because it begins another program or for another reason. */
  private static final class Renamed implements Mark {
    final int tid;
    final long seenNanos = System.nanoTime();
    boolean isOnlyName;
    boolean passed;
    @Nullable Verdict program;

    Renamed(int tid) {
      this.tid = tid;
    }
  }

  private record Hardened(int cpu, int tid) implements Mark {}

  /** {@code /proc} was read between these clocks. */
  private record Scan(Owners owners, long from, long to) implements Mark {}

  private record Loss(int cpu, long from, long to, long count) implements Mark {}

  private final LongSupplier clock;
  private final Receiver receiver;
  private final ProgramWatch watch;
  private final Journal journal = new Journal();
  private final ArrayDeque<Mark> marks = new ArrayDeque<>();
  private final Map<Integer, Verdict> open = new HashMap<>();
  private final Map<Integer, Renamed> renamed = new HashMap<>();
  private final List<Meaning> meanings = new ArrayList<>();
  private long lastScanNanos;
  private long lastScanEnd;
  private boolean scanNeeded;

  // As of the journal's begin.
  private Owners owners = new Owners();
  private long knownFrom;
  private long shownFrom;
  private boolean blind = true;

  /** Threads of which nobody knows whether they are about to begin a program. */
  private final Map<Integer, Renamed> unclear = new HashMap<>();

  /** Events that were not shown after a loss, by processor. */
  private final Map<Integer, Long> unseen = new TreeMap<>();

  private long unseenFrom;

  /**
   * Reads the owners of the existing threads.
   *
   * @param clock that of the events, which are already being recorded
   */
  Visibility(LongSupplier clock, Receiver receiver) {
    this.clock = clock;
    this.receiver = receiver;
    this.watch = new ProgramWatch(clock);
    scan();
  }

  /** Whether programs are looked at as soon as they begin. */
  boolean seesShortPrograms() {
    return watch.isThere();
  }

  boolean isOwn(int tid) {
    return watch.isOwn(tid);
  }

  /** Events with the numbers after the last known one are of these kinds. */
  void formats(List<KernelEventFormat> formats) {
    for (int i = meanings.size(); i < formats.size(); i++) {
      meanings.add(Meaning.of(formats.get(i)));
    }
  }

  private void scan() {
    long from = clock.getAsLong();
    Owners found = Owners.scan();
    lastScanEnd = clock.getAsLong();
    lastScanNanos = System.nanoTime();
    scanNeeded = false;
    mark(from, new Scan(found, from, lastScanEnd));
  }

  private void mark(long when, Mark mark) {
    marks.add(mark);
    journal.add(Journal.MARK, 0, when, NOTHING, 0, 0);
  }

  /** An event that users may see something of; clocks never go back. */
  void event(int cpu, long when, int event, byte[] bytes, int at, int size) {
    Meaning meaning = meanings.get(event);
    int running = Bytes.i32(bytes, at + Rule.TID);
    if (meaning.inProgram() && !renamed.isEmpty()) {
      Renamed name = renamed.remove(running);
      if (name != null) {
        name.isOnlyName = true;
      }
    }
    switch (meaning.life()) {
      case RENAMED -> {
        if (Bytes.i32(bytes, at + meaning.tid()) == running) {
          Renamed name = new Renamed(running);
          Renamed before = renamed.put(running, name);
          if (before != null) { // a program's begin would have ended first
            before.isOnlyName = true;
          }
          mark(when, name);
        }
      }
      case EXECUTED -> {
        int pid = Bytes.i32(bytes, at + meaning.tid());
        executed(cpu, pid, Bytes.i32(bytes, at + meaning.other()), when);
      }
      case HARDENED -> {
        if (meaning.hides(bytes, at)) {
          mark(when, new Hardened(cpu, running));
        }
      }
      case FREED -> {
        int tid = Bytes.i32(bytes, at + meaning.tid());
        renamed.remove(tid); // no further event will tell
      }
      case NONE, CREATED -> {}
    }
    journal.add(event, cpu, when, bytes, at, size);
    if (meaning.life() == Meaning.Life.CREATED) {
      int tid = Bytes.i32(bytes, at + meaning.tid());
      doubt(tid, when);
      if (when < lastScanEnd) { // its maker may have been somebody other than the scan found
        mark(when, ask(cpu, tid, tid));
      }
    }
  }

  private void executed(int cpu, int pid, int before, long when) {
    doubt(pid, when);
    Verdict verdict;
    ProgramWatch.Look look = watch.after(pid, when);
    if (look == null) {
      verdict = ask(cpu, pid, before);
    } else {
      verdict = new Verdict(cpu, pid, before, look.to(), look.owner());
      open.put(pid, verdict);
    }
    Renamed name = renamed.remove(pid);
    if (name != null && !name.passed) {
      name.program = verdict;
    } else {
      mark(when, verdict);
    }
  }

  private void doubt(int tid, long when) {
    Verdict verdict = open.get(tid);
    if (verdict != null && when <= verdict.asked) {
      verdict.doubtful = true;
    }
  }

  private Verdict ask(int cpu, int tid, int before) {
    long owner = Credentials.ofTask(tid);
    Verdict verdict = new Verdict(cpu, tid, before, clock.getAsLong(), owner);
    open.put(tid, verdict);
    return verdict;
  }

  void lost(int cpu, long from, long to, long count) {
    renamed.clear(); // the events that explain these names may be among them
    mark(from, new Loss(cpu, from, to, count));
    scanNeeded = true;
  }

  /**
   * No event below this will come any more.
   *
   * @return the same for what the receiver got
   */
  long upTo(long when) {
    watch.take();
    if (scanNeeded && System.nanoTime() - lastScanNanos > BETWEEN_SCANS_NANOS) {
      scan();
    }
    return release(when);
  }

  /** No event will come any more. */
  void finish() {
    release(Long.MAX_VALUE);
  }

  private long release(long when) {
    while (!journal.isEmpty()) {
      int event = journal.event();
      if (event == Journal.MARK) {
        if (mustWait(marks.getFirst(), when)) {
          return Math.min(when, journal.clock());
        }
        pass(marks.removeFirst());
      } else if (!blind && journal.clock() >= knownFrom) {
        pass(meanings.get(event), event);
      } else {
        unseen.merge(journal.cpu(), 1L, Long::sum);
      }
      journal.next();
    }
    return when;
  }

  private boolean mustWait(Mark mark, long when) {
    return switch (mark) {
      case Verdict verdict -> verdict.asked >= when;
      case Renamed name when name.program != null -> name.program.asked >= when;
      case Renamed name ->
          when != Long.MAX_VALUE
              && !name.isOnlyName
              && owners.of(name.tid) != Credentials.NOBODY
              && System.nanoTime() - name.seenNanos < MOST_DOUBT_NANOS;
      default -> false;
    };
  }

  private void pass(Mark mark) {
    switch (mark) {
      case Scan scan -> {
        owners = scan.owners;
        knownFrom = scan.from;
        shownFrom = scan.to;
        blind = false;
        unclear.clear();
      }
      case Loss loss -> {
        unseenFrom = blind ? unseenFrom : journal.clock();
        blind = true;
        receiver.lost(loss.cpu, loss.from, loss.to, loss.count);
      }
      case Verdict verdict -> apply(verdict);
      case Renamed name -> pass(name);
      case Hardened(int cpu, int tid) -> {
        long old = owners.of(tid);
        owners.hide(tid);
        hidden(cpu, tid, old);
      }
    }
  }

  private void pass(Renamed name) {
    name.passed = true;
    if (name.program != null) {
      apply(name.program);
    } else if (!name.isOnlyName) {
      unclear.put(name.tid, name);
    }
  }

  private void apply(Verdict verdict) {
    open.remove(verdict.tid, verdict);
    unclear.remove(verdict.tid);
    long old = owners.of(verdict.before);
    boolean certain = !verdict.doubtful && verdict.owner != Credentials.GONE;
    owners.alone(verdict.tid, certain ? verdict.owner : Credentials.NOBODY);
    if (old != owners.of(verdict.tid)) {
      hidden(verdict.cpu, verdict.tid, old);
      if (isShown(old)) {
        receiver.withheld(old, certain);
      }
    }
  }

  private boolean isShown(long owner) {
    return owner != Credentials.NOBODY && !blind && journal.clock() >= shownFrom;
  }

  private void hidden(int cpu, int tid, long old) {
    if (isShown(old)) {
      receiver.hidden(cpu, journal.clock(), tid, old);
    }
  }

  private void pass(Meaning meaning, int event) {
    byte[] bytes = journal.bytes();
    int at = journal.at();
    if (meaning.life() == Meaning.Life.CREATED) {
      int maker = Bytes.i32(bytes, at + Rule.TID);
      int tid = Bytes.i32(bytes, at + meaning.tid());
      owners.created(maker, tid, meaning.sharesMemory(bytes, at));
    }
    if (journal.clock() < shownFrom) {
      unseen.merge(journal.cpu(), 1L, Long::sum);
    } else {
      tellUnseen();
      if (!meaning.tellsOfMemory() || isClear(Bytes.i32(bytes, at + Rule.TID), meaning)) {
        receiver.event(owners, journal.cpu(), journal.clock(), event, bytes, at, journal.size());
      }
    }
    if (meaning.life() == Meaning.Life.FREED) {
      int tid = Bytes.i32(bytes, at + meaning.tid());
      owners.freed(tid);
      unclear.remove(tid);
    }
  }

  /** Whether a thread is not about to begin a program, perhaps with another owner. */
  private boolean isClear(int tid, Meaning meaning) {
    Renamed name = unclear.isEmpty() ? null : unclear.get(tid);
    if (name == null) {
      return true;
    }
    if (meaning.inProgram() && name.isOnlyName) {
      unclear.remove(tid);
      return true;
    }
    return name.isOnlyName;
  }

  /** What was not shown after a loss is missing, too. */
  private void tellUnseen() {
    if (!unseen.isEmpty()) {
      unseen.forEach((cpu, count) -> receiver.lost(cpu, unseenFrom, shownFrom, count));
      unseen.clear();
    }
  }

  @Override
  public void close() {
    watch.close();
  }
}
