package dev.kymo.analysis.difference.paths;

import dev.kymo.analysis.cause.TimeUse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A method called by a path of callers, on the threads of one role in one recording, with sums over
 * those calls. Times are nanoseconds without what probes took, as far as that is known.
 */
public final class PathNode {
  private static final PathNode[] NONE = {};

  /** Kinds of waits that are told apart; the rest is one. */
  private static final int MOST_WAITS = 16;

  /** Key of the waits that are not told apart. */
  public static final int OTHER_WAITS = -1;

  final @Nullable PathNode parent;
  private final int key;

  /** Place among the children of its parent, in the order of their first calls. */
  final int slot;

  final int depth;

  /** By hash of the key, with holes. */
  private @Nullable PathNode[] table = NONE;

  private int children;
  private int slots;
  private PathNode last;

  long calls;

  /** Calls during which events were lost. */
  long lossy;

  double self;
  double waited;
  double probes;
  long @Nullable [] uses;
  final PathSamples samples = new PathSamples();

  /** Calls of the parent that made any of this. */
  long instances;

  /** Sum of the squares of the calls in a call of the parent. */
  double squares;

  /**
   * Key of what was called before it in the same call of the parent, most of the time; -1 =
   * nothing.
   */
  private int before = -1;

  /** How much more often that than anything else. */
  long votes;

  /** How often it was called after something else, or first. */
  long runs;

  /** Times of waits by key. */
  private int[] waitKeys = {};

  private double[] waitTimes = {};
  private long[] waitCounts = {};

  long firstBegin = Long.MAX_VALUE;
  long lastEnd;
  long longest = -1;
  long longestBegin;
  int longestThread;
  int longestDepth;

  /** Whether some of what it called was left out because there were too many paths. */
  boolean folded;

  /** Whether calls of it may have been left out for that reason. */
  boolean partial;

  long foldedCalls;
  double foldedTime;

  /** Of use while nodes are left out: a call of it is running. */
  boolean running;

  boolean left;

  /** Of use while nodes are left out: time of it and of all that it called. */
  double below;

  PathNode(@Nullable PathNode parent, int key, int slot) {
    this.parent = parent;
    this.key = key;
    this.slot = slot;
    this.depth = parent == null ? 0 : parent.depth + 1;
    this.last = this;
  }

  /** The child with a key; null if there is none. */
  public @Nullable PathNode child(int wanted) {
    PathNode known = last;
    if (known.key == wanted && known != this) {
      return known;
    }
    if (table.length == 0) {
      return null;
    }
    int mask = table.length - 1;
    for (int i = place(wanted) & mask; ; i = (i + 1) & mask) {
      PathNode at = table[i];
      if (at == null) {
        return null;
      }
      if (at.key == wanted) {
        last = at;
        return at;
      }
    }
  }

  private static int place(int key) {
    int mixed = key * 0x9E3779B9;
    return mixed ^ (mixed >>> 15);
  }

  /** Adds a child that is not there. */
  PathNode add(int newKey) {
    PathNode node = new PathNode(this, newKey, slots++);
    node.partial = folded;
    if (2 * (children + 1) > table.length) {
      rebuild(Math.max(2, table.length * 2), children());
    }
    put(node);
    children++;
    last = node;
    return node;
  }

  private void rebuild(int size, List<PathNode> nodes) {
    table = new PathNode[size];
    nodes.forEach(this::put);
  }

  private void put(PathNode node) {
    int mask = table.length - 1;
    int i = place(node.key) & mask;
    while (table[i] != null) {
      i = (i + 1) & mask;
    }
    table[i] = node;
  }

  /** Leaves children out; what they and all below had goes into the sums of what was left out. */
  void fold(List<PathNode> doomed) {
    for (PathNode child : doomed) {
      foldedCalls += child.calls;
      foldedTime += child.below;
    }
    List<PathNode> kept = children();
    kept.removeIf(child -> child.left);
    children = kept.size();
    rebuild(table.length, kept);
    last = this;
    folded = true;
  }

  /** It is left out: whoever still knows it does not keep all that it called. */
  void leave() {
    left = true;
    table = NONE;
    last = this;
  }

  /** What it called, in the order in which that was called first. */
  public List<PathNode> children() {
    List<PathNode> all = new ArrayList<>(children);
    addChildrenTo(all);
    all.sort((one, other) -> Integer.compare(one.slot, other.slot));
    return all;
  }

  /** Adds what it called to a list, in any order. */
  void addChildrenTo(List<PathNode> all) {
    for (PathNode node : table) {
      if (node != null) {
        all.add(node);
      }
    }
  }

  void addUses(long[] more) {
    long[] sums = uses;
    if (sums == null) {
      sums = new long[TimeUse.COUNT];
      uses = sums;
    }
    for (int kind = 0; kind < sums.length; kind++) {
      sums[kind] += more[kind];
    }
  }

  /** Adds a wait of a call itself. */
  void addWait(int state, double time) {
    int i = 0;
    while (i < waitKeys.length && waitKeys[i] != state) {
      i++;
    }
    if (i == waitKeys.length) {
      if (i >= MOST_WAITS && state != OTHER_WAITS) {
        addWait(OTHER_WAITS, time);
        return;
      }
      waitKeys = Arrays.copyOf(waitKeys, i + 1);
      waitTimes = Arrays.copyOf(waitTimes, i + 1);
      waitCounts = Arrays.copyOf(waitCounts, i + 1);
      waitKeys[i] = state;
    }
    waitTimes[i] += time;
    waitCounts[i]++;
  }

  /** A call of the parent has ended that made some of these. */
  void called(int times) {
    instances++;
    squares += (double) times * times;
  }

  /** It is called after another one, by the same call. */
  void follows(@Nullable PathNode other) {
    runs++;
    int one = other == null ? -1 : other.key;
    if (one == before) {
      votes++;
    } else if (votes == 0) {
      before = one;
      votes = 1;
    } else {
      votes--;
    }
  }

  public int key() {
    return key;
  }

  public long calls() {
    return calls;
  }

  /** Calls during which events were lost: they may have called more than is known. */
  public long lossy() {
    return lossy;
  }

  /** Without what it called, what was waited for included. */
  public double self() {
    return self;
  }

  /** What probes took of the self time, which is no part of it. */
  public double probes() {
    return probes;
  }

  /** How long its calls waited themselves, by the program's own report. */
  public double waited() {
    return waited;
  }

  /** Takes a kind of waits. */
  public interface WaitVisitor {
    /** Key of the state, or {@link #OTHER_WAITS}. */
    void wait(int state, long count, double time);
  }

  public void forEachWait(WaitVisitor visitor) {
    for (int i = 0; i < waitKeys.length; i++) {
      visitor.wait(waitKeys[i], waitCounts[i], waitTimes[i]);
    }
  }

  /** A use of its self time; 0 if unknown. */
  public long use(int kind) {
    long[] known = uses;
    return known == null ? 0 : known[kind];
  }

  public PathSamples samples() {
    return samples;
  }

  /** Variance of how many calls of it a call of its parent makes; 0 if that has made only one. */
  public double variance() {
    PathNode caller = parent;
    double of = caller == null ? 0 : caller.calls;
    double mean = of == 0 ? 0 : calls / of;
    return of < 2 ? 0 : Math.max(0, squares / of - mean * mean);
  }

  /** Key of what is nearly always called before it by the same call; -1 = nothing is. */
  public int before() {
    return before;
  }

  /** Whether {@link #before} is so for at least nine of ten of its calls. */
  public boolean isOrdered() {
    return votes > 0 && votes >= 0.8 * runs;
  }

  /** From the begin of its first call to the end of its last one, nanoseconds. */
  public long span() {
    return Math.max(0, lastEnd - firstBegin);
  }

  /** Its longest call; nanoseconds since the recording's begin. */
  public PathPlace longest() {
    return new PathPlace(longestThread, longestDepth, longestBegin, Math.max(0, longest));
  }

  public boolean isFolded() {
    return folded;
  }

  public boolean isPartial() {
    return partial;
  }

  public long foldedCalls() {
    return foldedCalls;
  }

  /** Time of what it called and what was left out. */
  public double foldedTime() {
    return foldedTime;
  }
}
