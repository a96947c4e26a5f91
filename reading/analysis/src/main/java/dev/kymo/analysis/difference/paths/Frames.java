package dev.kymo.analysis.difference.paths;

import dev.kymo.analysis.cause.ProgramWaits;
import dev.kymo.analysis.cause.TimeUse;
import dev.kymo.analysis.cause.TimeUses;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The calls that are running on one thread while its events come; frame 0 is the thread. A call
 * without a node of its own is part of the nearest call around it that has one: its time is that
 * one's, and its calls are made by that one.
 */
final class Frames implements TimeUses.Sums {
  private static final int FIRST = 16;
  private OfThread thread;
  private PathNode[] nodes = new PathNode[FIRST];

  /** By depth: the nearest frame with a node of its own, itself or around. */
  private int[] owner = new int[FIRST];

  private Times[] times = new Times[FIRST];
  private Made[] made = new Made[FIRST];
  private int depth;

  /** Frame whose uses are being added. */
  private int target;

  /** Of the call that ended last: nanoseconds without what it called, and without probes. */
  double self;

  /** What it waited of that. */
  double waited;

  /** What it did not run of that, for whatever reason. */
  double idle;

  /** What probes took of it, which is in none of these. */
  double probes;

  /** Sums over what a call has done itself and, without nodes, what it called. */
  private static final class Times {
    /** Ticks of the calls with nodes that it made. */
    long children;

    /** Nanoseconds that probes took, without its own pair. */
    double probes;

    /** Nanoseconds that counted calls cost in all that it called. */
    double countedBelow;

    long weaving;
    long waiting;
    long idle;

    void clear() {
      children = 0;
      probes = 0;
      countedBelow = 0;
      weaving = 0;
      waiting = 0;
      idle = 0;
    }
  }

  /** What a call has called, by node. */
  private static final class Made {
    @Nullable PathNode last;
    private int[] counts = {};
    private PathNode[] nodes = {};
    private int size;

    void count(PathNode child) {
      if (last != child) {
        child.follows(last);
        last = child;
      }
      if (child.slot >= counts.length) {
        counts = Arrays.copyOf(counts, Math.max(child.slot + 1, counts.length * 2));
      }
      if (counts[child.slot]++ == 0) {
        if (size == nodes.length) {
          nodes = Arrays.copyOf(nodes, Math.max(4, size * 2));
        }
        nodes[size++] = child;
      }
    }

    void end() {
      for (int i = 0; i < size; i++) {
        nodes[i].called(counts[nodes[i].slot]);
        counts[nodes[i].slot] = 0;
      }
      size = 0;
      last = null;
    }
  }

  Frames(OfThread thread) {
    this.thread = thread;
    begin(thread);
  }

  /** Begins with another thread, of which no call is running. */
  void begin(OfThread next) {
    thread = next;
    depth = 0;
    nodes[0] = next.root();
    frame(0);
  }

  /** The thread has ended, or may do anything else next. */
  void end() {
    made[0].end();
  }

  private Times frame(int at) {
    if (at == nodes.length) {
      nodes = Arrays.copyOf(nodes, at * 2);
      owner = Arrays.copyOf(owner, at * 2);
      times = Arrays.copyOf(times, at * 2);
      made = Arrays.copyOf(made, at * 2);
    }
    Times frame = times[at];
    if (frame == null) {
      frame = new Times();
      times[at] = frame;
      made[at] = new Made();
    }
    frame.clear();
    return frame;
  }

  OfThread thread() {
    return thread;
  }

  int depth() {
    return depth;
  }

  /** The node that calls belong to now. */
  PathNode top() {
    return nodes[owner[depth]];
  }

  /** Marks the nodes whose calls are running, or takes the marks away. */
  void mark(boolean running) {
    for (int i = 0; i <= depth; i++) {
      nodes[owner[i]].running = running;
    }
  }

  /**
   * A call has begun.
   *
   * @param node its own; null = it has none
   */
  void enter(@Nullable PathNode node) {
    int around = owner[depth];
    depth++;
    frame(depth);
    if (node == null) {
      owner[depth] = around;
    } else {
      owner[depth] = depth;
      nodes[depth] = node;
      made[around].count(node);
    }
  }

  /** The innermost call has ended; returns its node, null if it has none of its own. */
  @Nullable PathNode leave(long begin, long end, boolean nested) {
    int at = depth;
    Times frame = times[at];
    Times around = times[at - 1];
    target = owner[at];
    TimeUses uses = thread.uses();
    if (uses != null) {
      uses.call(at - 1, begin, end, nested, this);
    }
    double counted = ownCost(frame, around, begin, end);
    depth--;
    if (target != at) {
      around.children += frame.children;
      around.probes += thread.inside() + thread.outside() + frame.probes + counted;
      return null;
    }
    made[at].end();
    double perTick = thread.nanosPerTick();
    probes = thread.inside() + frame.probes + counted;
    double ran = (end - begin - frame.children - frame.weaving) * perTick;
    self = Math.max(0, ran - probes);
    waited = frame.waiting * perTick;
    idle = frame.idle * perTick;
    around.children += end - begin;
    around.probes += thread.outside();
    return nodes[at];
  }

  /** What counted calls cost in the call itself. */
  private double ownCost(Times frame, Times around, long begin, long end) {
    var cost = thread.counted();
    if (cost == null) {
      return 0;
    }
    double all = cost.between(begin, end);
    around.countedBelow += all;
    return all - frame.countedBelow;
  }

  /** Hands out the waits of the call that ended last and has a node. */
  void waits(long begin, long end, ProgramWaits.Visitor visitor) {
    ProgramWaits waits = thread.waits();
    if (waits != null) {
      waits.call(begin, end, visitor);
    }
  }

  @Override
  public void addWeaving(long time) {}

  @Override
  public void addUses(long[] more) {
    Times frame = times[target];
    frame.weaving += more[TimeUse.WEAVING];
    frame.waiting += more[TimeUse.WAITING];
    frame.idle +=
        more[TimeUse.WAITING]
            + more[TimeUse.STOPPED]
            + more[TimeUse.BLOCKED]
            + more[TimeUse.RUNNABLE]
            + more[TimeUse.LOADING];
    nodes[target].addUses(more);
  }
}
