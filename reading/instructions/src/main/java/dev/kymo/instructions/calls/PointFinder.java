package dev.kymo.instructions.calls;

import dev.kymo.instructions.trace.Blocks;
import dev.kymo.instructions.trace.Functions;
import dev.kymo.instructions.trace.ProcessFacts;
import dev.kymo.instructions.trace.ProcessTrace;
import java.util.Map;
import java.util.Set;

/**
 * Finds the irregular points of a thread, while {@link Nest} finds its calls and says what does not
 * fit. One finder goes through all chunks of its thread.
 */
public final class PointFinder {
  private static final long PAGE_SIZE = 4096;
  private static final long PAGE = -PAGE_SIZE;

  /** Signals that stand for exceptions: SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV. */
  private static final Set<Integer> FAULTS = Set.of(4, 5, 7, 8, 11);

  private static final long EXIT = Functions.SYSTEM_CALL | 60;
  private static final long EXIT_GROUP = Functions.SYSTEM_CALL | 231;

  private final ProcessTrace process;
  private final Blocks blocks;
  private final Pages pages;
  private final Set<Long> critical;
  private final ThreadPoints points = new ThreadPoints();

  /** By block: whether the thread has executed it. */
  private final boolean[] executed;

  /**
   * When code of each page was executed first, by the threads that were looked at so far. The
   * kernel's pages are the same in all processes of a machine.
   *
   * @param own of the process, by page
   * @param kernel of the machine, by page
   */
  public record Pages(Map<Long, Long> own, Map<Long, Long> kernel) {
    Map<Long, Long> with(long address) {
      return address < 0 ? kernel : own;
    }
  }

  /**
   * Begins a thread.
   *
   * @param critical where functions begin in which interrupts are to be reported
   */
  public PointFinder(ProcessTrace process, Pages pages, Set<Long> critical) {
    this.process = process;
    this.blocks = process.blocks();
    this.pages = pages;
    this.critical = critical;
    this.executed = new boolean[blocks.count()];
  }

  public ThreadPoints points() {
    return points;
  }

  /**
   * A block is executed, perhaps for the first time.
   *
   * @param clock when it begins
   */
  void block(int block, long clock) {
    if (executed[block]) {
      return;
    }
    executed[block] = true;
    long address = blocks.address(block);
    long last = Long.MIN_VALUE;
    for (int i = 0; i < blocks.instructions(block); i++) {
      long next = address + blocks.length(block, i);
      for (long page = address & PAGE; page < next; page += PAGE_SIZE) {
        if (page != last) {
          last = page;
          page(page, address, clock + i);
        }
      }
      address = next;
    }
  }

  private void page(long page, long address, long clock) {
    Map<Long, Long> known = pages.with(page);
    Long before = known.get(page);
    if (before == null || clock < before) {
      known.put(page, clock);
      points.add(new FoundPoint(PointKind.FIRST_EXECUTION, clock, address, 0, page, 0));
    }
  }

  /** The last block was not executed from a clock on. */
  void cut(int block, long clock) {
    executed[block] = false;
    while (!points.points().isEmpty()) {
      FoundPoint last = points.points().getLast();
      if (last.kind() != PointKind.FIRST_EXECUTION || last.clock() < clock) {
        return;
      }
      pages.with(last.subject()).remove(last.subject());
      points.removeLast();
    }
  }

  /**
   * The last block returned to where no call is from. In the outermost function of a thread that
   * began in the middle, the call may have been before.
   */
  void unmatched(NestState state, int block) {
    if (state.depth > 0 && state.kinds[state.depth - 1] != NestState.BASE) {
      add(PointKind.UNMATCHED_RETURN, state, blocks.address(block), 0, 0);
    }
  }

  /**
   * Calls end without having returned.
   *
   * @param depth of the outermost of them
   * @param to where the thread goes on
   */
  void left(NestState state, int depth, long to) {
    long subject = subject(state, depth);
    add(PointKind.LEFT_CALL, state, to, subject, state.depth - depth);
  }

  /** The thread is over: if it has ended itself, its calls never return. */
  void ended(NestState state) {
    int top = state.depth - 1;
    long last = top < 0 ? 0 : subject(state, top);
    if (last == EXIT || last == EXIT_GROUP) {
      left(state, 0, 0);
    }
  }

  /**
   * Adds a point at the last instruction. What boots a machine is left out: calls in its code, of
   * 16 and 32 bits, are not known well.
   */
  private void add(PointKind kind, NestState state, long to, long subject, long count) {
    int last = state.last;
    if (process.facts().isKernel() && blocks.address(last) >= 0) {
      return;
    }
    int instructions = blocks.instructions(last);
    long address = instructions == 0 ? 0 : blocks.end(last) - blocks.length(last, instructions - 1);
    points.add(new FoundPoint(kind, Math.max(0, state.clock - 1), address, to, subject, count));
  }

  /**
   * Something comes that the thread did not ask for.
   *
   * @param what it is: {@link Functions#ENTRY} or {@link Functions#SIGNAL} with a number
   * @param address where it came
   */
  void interrupted(NestState state, long what, long address) {
    boolean isSignal = Functions.is(Functions.SIGNAL, what);
    if (isSignal ? FAULTS.contains((int) what) : !isInterrupt(what)) {
      points.add(new FoundPoint(PointKind.FAULT, state.clock, address, 0, what, 0));
      return;
    }
    for (int i = state.depth - 1; i >= 0 && !critical.isEmpty(); i--) {
      long function = subject(state, i);
      if (critical.contains(function)) {
        points.add(new FoundPoint(PointKind.CRITICAL, state.clock, address, function, what, 0));
        return;
      }
    }
  }

  /**
   * Others were executed meanwhile. In an interrupt no thread waits for anything, so it was not the
   * thread that asked for it. In a system call or an exception it may have been.
   */
  void switched(NestState state, long by) {
    for (int i = state.depth - 1; i >= 0 && state.kinds[i] != NestState.SYSTEM_CALL; i--) {
      if (state.kinds[i] == NestState.SIGNAL) {
        long what = subject(state, i);
        if (isInterrupt(what)) {
          points.add(
              new FoundPoint(PointKind.PREEMPTED, state.clock, state.returns[i], 0, what, by));
        }
        return;
      }
    }
  }

  private boolean isInterrupt(long what) {
    ProcessFacts.Entry entry =
        Functions.is(Functions.ENTRY, what) ? process.facts().entries().get((int) what) : null;
    return entry != null && entry.interrupt();
  }

  /** The address that the method of a call stands for; 0 if the process has too many methods. */
  private long subject(NestState state, int depth) {
    return process.methods().address(state.methods[depth]);
  }
}
