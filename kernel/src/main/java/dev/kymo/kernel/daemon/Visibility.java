package dev.kymo.kernel.daemon;

import dev.kymo.format.KernelEventFormat;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Knows at each event whose the threads in it are, for users that may see their own only.
 *
 * <p>A program that runs anew may have other rights than who started it. What {@code /proc} says of
 * it is true for the moment of asking. So events wait in a journal until all up to that moment are
 * there: if the process ran yet another program until then, or its number is another's by now, the
 * answer is about that one. For programs that were over too soon the process connector tells
 * whether they had the rights of who started them; without it nobody sees them.
 *
 * <p>After a loss nothing is certain, and nothing is shown, until {@code /proc} was read again.
 *
 * <p>Used by one thread.
 */
final class Visibility implements AutoCloseable {
  private static final long BETWEEN_SCANS_NANOS = 500_000_000;
  private static final long CLONE_THREAD = 0x10000;
  private static final byte[] NOTHING = {};

  /** Takes events with what is known of them. */
  interface Receiver {
    void event(Owners owners, int cpu, long clock, int event, byte[] bytes, int at, int size);

    /** A user's thread is from now on one that he may not see. */
    void hidden(int cpu, long clock, int tid, long uid);

    void lost(int cpu, long from, long to, long count);
  }

  /** What an event means for whose threads are. */
  private enum Life {
    NONE,
    CREATED,
    EXECUTED,
    FREED
  }

  private record Meaning(Life life, int tid, int other) {
    static Meaning of(KernelEventFormat format) {
      return switch (format.toString()) {
        case "task:task_newtask" -> with(format, Life.CREATED, "clone_flags");
        case "sched:sched_process_exec" -> with(format, Life.EXECUTED, "old_pid");
        case "sched:sched_process_free" -> with(format, Life.FREED, "pid");
        default -> new Meaning(Life.NONE, 0, 0);
      };
    }

    private static Meaning with(KernelEventFormat format, Life life, String other) {
      return new Meaning(life, format.field("pid").offset(), format.field(other).offset());
    }
  }

  /** Something between events. */
  private sealed interface Mark {}

  /** What was found out about a thread by asking for it. */
  private static final class Verdict implements Mark {
    final int cpu;
    final int tid;
    final int before;
    final long asked;
    final long uid;
    final boolean unchanged;

    /** Whether the answer may be about somebody else. */
    boolean doubtful;

    Verdict(int cpu, int tid, int before, long asked, long uid, boolean unchanged) {
      this.cpu = cpu;
      this.tid = tid;
      this.before = before;
      this.asked = asked;
      this.uid = uid;
      this.unchanged = unchanged;
    }
  }

  /** {@code /proc} was read between these clocks. */
  private record Scan(Owners owners, long from, long to) implements Mark {}

  private record Loss(int cpu, long from, long to, long count) implements Mark {}

  private final LongSupplier clock;
  private final Receiver receiver;
  private final ProcessConnector connector = new ProcessConnector();
  private final Journal journal = new Journal();
  private final ArrayDeque<Mark> marks = new ArrayDeque<>();
  private final Map<Integer, Verdict> open = new HashMap<>();
  private final List<Meaning> meanings = new ArrayList<>();
  private long lastScanNanos;
  private long lastScanEnd;
  private boolean scanNeeded;

  // As of the journal's begin.
  private Owners owners = new Owners();
  private long knownFrom;
  private long shownFrom;
  private boolean blind = true;

  /**
   * Reads whose the threads are that there are.
   *
   * @param clock that of the events, which are being recorded already
   */
  Visibility(LongSupplier clock, Receiver receiver) {
    this.clock = clock;
    this.receiver = receiver;
    scan();
  }

  /** Whether short programs can be told from those with other rights. */
  boolean seesShortPrograms() {
    return connector.isThere();
  }

  /** Events with the numbers from the last known one on are of these kinds. */
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
    if (meaning.life == Life.EXECUTED) {
      int pid = Bytes.i32(bytes, at + meaning.tid);
      ask(cpu, pid, Bytes.i32(bytes, at + meaning.other), when, true);
    }
    journal.add(event, cpu, when, bytes, at, size);
    if (meaning.life == Life.CREATED) {
      int tid = Bytes.i32(bytes, at + meaning.tid);
      doubt(tid);
      if (when < lastScanEnd) { // who made it may have been somebody else than the scan found
        ask(cpu, tid, tid, when, false);
      }
    }
  }

  private void doubt(int tid) {
    Verdict verdict = open.get(tid);
    if (verdict != null) {
      verdict.doubtful = true;
    }
  }

  private void ask(int cpu, int tid, int before, long when, boolean mayBeAsBefore) {
    doubt(tid);
    connector.drain();
    long uid = Credentials.ofTask(tid);
    connector.drain();
    boolean unchanged = mayBeAsBefore && connector.unchanged(tid);
    Verdict verdict = new Verdict(cpu, tid, before, clock.getAsLong(), uid, unchanged);
    open.put(tid, verdict);
    mark(when, verdict);
  }

  /** Events are missing. */
  void lost(int cpu, long from, long to, long count) {
    mark(from, new Loss(cpu, from, to, count));
    scanNeeded = true;
  }

  /**
   * No event below this comes any more.
   *
   * @return the same of what the receiver got
   */
  long upTo(long when) {
    connector.drain();
    if (scanNeeded && System.nanoTime() - lastScanNanos > BETWEEN_SCANS_NANOS) {
      scan();
    }
    return release(when);
  }

  /** No event comes any more at all. */
  void finish() {
    release(Long.MAX_VALUE);
  }

  private long release(long when) {
    while (!journal.isEmpty()) {
      int event = journal.event();
      if (event == Journal.MARK) {
        if (marks.getFirst() instanceof Verdict verdict && verdict.asked >= when) {
          return Math.min(when, journal.clock());
        }
        pass(marks.removeFirst());
      } else if (!blind && journal.clock() >= knownFrom) {
        pass(meanings.get(event), event);
      }
      journal.next();
    }
    return when;
  }

  private void pass(Mark mark) {
    switch (mark) {
      case Scan scan -> {
        owners = scan.owners;
        knownFrom = scan.from;
        shownFrom = scan.to;
        blind = false;
      }
      case Loss loss -> {
        blind = true;
        receiver.lost(loss.cpu, loss.from, loss.to, loss.count);
      }
      case Verdict verdict -> apply(verdict);
    }
  }

  private void apply(Verdict verdict) {
    open.remove(verdict.tid, verdict);
    long old = owners.uid(verdict.before);
    owners.executed(verdict.tid, verdict.before);
    boolean certain = !verdict.doubtful && verdict.uid != Credentials.GONE;
    if (certain || !verdict.unchanged) {
      owners.alone(verdict.tid, certain ? verdict.uid : Credentials.NOBODY);
    }
    long when = journal.clock();
    if (old != Credentials.NOBODY
        && old != owners.uid(verdict.tid)
        && !blind
        && when >= shownFrom) {
      receiver.hidden(verdict.cpu, when, verdict.tid, old);
    }
  }

  private void pass(Meaning meaning, int event) {
    byte[] bytes = journal.bytes();
    int at = journal.at();
    if (meaning.life == Life.CREATED) {
      boolean same = (Bytes.i64(bytes, at + meaning.other) & CLONE_THREAD) != 0;
      owners.created(Bytes.i32(bytes, at + Rule.TID), Bytes.i32(bytes, at + meaning.tid), same);
    }
    if (journal.clock() >= shownFrom) {
      receiver.event(owners, journal.cpu(), journal.clock(), event, bytes, at, journal.size());
    }
    if (meaning.life == Life.FREED) {
      owners.freed(Bytes.i32(bytes, at + meaning.tid));
    }
  }

  @Override
  public void close() {
    connector.close();
  }
}
