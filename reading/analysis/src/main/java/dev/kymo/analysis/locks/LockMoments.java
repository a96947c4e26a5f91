package dev.kymo.analysis.locks;

import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.reader.EventBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A second reading of a recording, which finds out where threads were, and who had what, at some
 * moments that the first one has picked: each of them is in the past when it turns out to matter.
 */
final class LockMoments implements CallSink, LockListener {
  private final LockTracker tracker;
  private final List<Moment> moments;
  private final List<Moment> withoutHolder = new ArrayList<>();
  private int[][] stacks = {};
  private int[] depths = {};
  private int next;

  /** Ends the reading: everything is found out. */
  private static final class EnoughException extends RuntimeException {
    private static final long serialVersionUID = 1;

    EnoughException() {
      super("enough", null, false, false);
    }
  }

  /**
   * What is to be found out. Threads go by their indexes, which are the same each time; one of
   * which only states are known is nowhere.
   */
  static final class Moment {
    private final long clock;
    private final int thread;
    private final @Nullable LongWait wait;

    /** Methods of the calls that were running, the outermost first. */
    List<Integer> calls = List.of();

    @Nullable Holder holder;

    Moment(long clock, ThreadCalls thread, @Nullable LongWait wait) {
      this.clock = clock;
      boolean states = TrackKind.of(thread.definition()) == TrackKind.STATES;
      this.thread = states ? -1 : thread.index();
      this.wait = wait;
    }
  }

  /**
   * Who has what another one waits for.
   *
   * @param at clock of the moment its calls are of
   * @param since clock at which it got it
   * @param caller address of the code that got it
   */
  record Holder(ThreadCalls thread, long at, long since, long caller, List<Integer> calls) {}

  private LockMoments(RecordedDefinitions definitions, List<Moment> wanted) {
    this.tracker = new LockTracker(definitions, this);
    this.moments = new ArrayList<>(wanted);
    moments.sort(Comparator.comparingLong(moment -> moment.clock));
  }

  /** Reads a recording until all is found out. */
  static void find(CallPass pass, List<Moment> wanted, ProgressListener progress) {
    LockMoments reading = new LockMoments(pass.definitions(), wanted);
    try {
      pass.runMerged(reading, thread -> true, progress);
      reading.reach(Long.MAX_VALUE);
    } catch (EnoughException e) {
      // as wanted
    }
  }

  @Override
  public void enter(ThreadCalls thread, int depth, int method, long clock) {
    reach(clock);
    room(thread.index(), depth);
    stacks[thread.index()][depth] = method;
    depths[thread.index()] = depth + 1;
  }

  private void room(int thread, int depth) {
    if (thread >= stacks.length) {
      int size = Math.max(thread + 1, stacks.length * 2);
      int before = stacks.length;
      stacks = Arrays.copyOf(stacks, size);
      depths = Arrays.copyOf(depths, size);
      Arrays.fill(stacks, before, size, new int[0]);
    }
    if (depth >= stacks[thread].length) {
      stacks[thread] = Arrays.copyOf(stacks[thread], Math.max(8, depth * 2));
    }
  }

  @Override
  public void call(CallCursor call) {
    reach(call.end());
    int thread = call.thread().index();
    if (thread < depths.length) {
      depths[thread] = Math.min(call.depth(), depths[thread]);
    }
  }

  @Override
  public void event(ThreadCalls thread, int number, long clock, EventBatch batch, int word) {
    reach(clock);
    tracker.event(thread, number, clock, batch, word);
  }

  @Override
  public void gap(ThreadCalls thread, long from, long to, long lost) {
    tracker.gap(thread, from, to, lost);
  }

  /** Events have come to a clock: looks at what was before. */
  private void reach(long clock) {
    while (next < moments.size() && moments.get(next).clock < clock) {
      look(moments.get(next++));
    }
    if (next == moments.size() && withoutHolder.isEmpty()) {
      throw new EnoughException();
    }
  }

  private void look(Moment moment) {
    moment.calls = calls(moment.thread);
    LongWait wait = moment.wait;
    if (wait == null || !wait.object().kind.isOwned() || !wait.object().kind.isWhole()) {
      return;
    }
    LockObject object =
        tracker.object(wait.object().process, wait.object().kind, wait.object().address);
    HeldLocks holder = tracker.holder(object);
    HeldLocks.Hold hold = holder == null ? null : holder.find(object);
    if (holder != null && hold != null && holder.thread.index() != moment.thread) {
      moment.holder =
          new Holder(
              holder.thread, moment.clock, hold.since, hold.caller, calls(holder.thread.index()));
    } else {
      withoutHolder.add(moment);
    }
  }

  private List<Integer> calls(int thread) {
    return thread >= 0 && thread < depths.length
        ? IntStream.of(stacks[thread]).limit(depths[thread]).boxed().toList()
        : List.of();
  }

  /** A thread that gets it after the other one began to wait was a little faster. */
  @Override
  public void taken(
      HeldLocks thread, LockObject object, LockCall call, boolean acquired, long waited) {
    if (withoutHolder.isEmpty() || !acquired) {
      return;
    }
    for (Iterator<Moment> all = withoutHolder.iterator(); all.hasNext(); ) {
      Moment moment = all.next();
      LongWait wait = moment.wait;
      if (wait != null && isSame(wait.object(), object)) {
        all.remove();
        int index = thread.thread.index();
        if (index != moment.thread && call.clock <= wait.begin() + wait.time()) {
          moment.holder =
              new Holder(thread.thread, call.clock, call.clock, call.caller, calls(index));
        }
      }
    }
  }

  private static boolean isSame(LockObject one, LockObject other) {
    return one.process == other.process && one.kind == other.kind && one.address == other.address;
  }
}
