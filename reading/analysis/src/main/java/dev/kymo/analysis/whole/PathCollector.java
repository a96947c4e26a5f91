package dev.kymo.analysis.whole;

import dev.kymo.analysis.selection.CallCollector;
import dev.kymo.analysis.selection.IntStack;
import dev.kymo.analysis.selection.PackedNumbers;
import dev.kymo.analysis.selection.TimelineSelection;
import java.util.Arrays;

/**
 * Builds the tree of who called whom, from calls in the order of their ends: what a call has called
 * waits, by depth, as a list of trees until the call itself comes.
 *
 * <p>Memory is bounded: when there are too many nodes, the smaller half is left out.
 */
public final class PathCollector implements CallCollector<PathCollector> {
  public static final int MAX_NODES = 250_000;

  private final TimelineSelection selection;
  private final int maxNodes;
  private final InsideTimes times = new InsideTimes();
  private final IntStack work = new IntStack();
  private final PathNodes nodes = new PathNodes();

  /** By depth: the list of those whose caller has not come. */
  private int[] pending = new int[16];

  private int depths;
  private long leftOut;

  public PathCollector(TimelineSelection selection, int maxNodes) {
    this.selection = selection;
    this.maxNodes = maxNodes;
  }

  void writeTo(PackedNumbers to) {
    to.put(leftOut).put(nodes.count());
    int[] parents = new int[nodes.end()]; // places in what is written, from 1
    int written = 0;
    work.push(roots());
    while (!work.isEmpty()) {
      for (int node = work.pop(); node != 0; node = nodes.sibling[node]) {
        to.put(nodes.method[node]).put(parents[node]);
        to.put(nodes.calls[node]).put(nodes.total[node]).put(nodes.self[node]);
        written++;
        for (int child = nodes.child[node]; child != 0; child = nodes.sibling[child]) {
          parents[child] = written;
        }
        work.push(nodes.child[node]);
      }
    }
  }

  /**
   * Takes what was written.
   *
   * @param methods all have smaller numbers
   */
  void readFrom(PackedNumbers from, int methods) {
    leftOut = from.next();
    int count = from.below(maxNodes + 1L);
    for (int i = 1; i <= count; i++) {
      int method = from.below(methods);
      int parent = from.below(i);
      int list = parent == 0 ? pending[0] : nodes.child[parent];
      int node = nodes.add(list, method);
      nodes.count(node, from.next(), from.next(), from.next());
      if (parent == 0) {
        pending[0] = node;
      } else {
        nodes.child[parent] = node;
      }
    }
  }

  /** The nodes; {@link #roots()} is where they begin. */
  public PathNodes nodes() {
    return nodes;
  }

  /** The list of outermost calls. */
  public int roots() {
    finishTrack();
    return pending[0];
  }

  /** How many nodes there was no room for. */
  public long leftOut() {
    return leftOut;
  }

  @Override
  public void track(int track) {
    finishTrack();
    times.clear();
  }

  /** Calls whose callers are not known are taken for outermost ones. */
  private void finishTrack() {
    for (int depth = 1; depth < depths; depth++) {
      pending[0] = join(pending[0], pending[depth]);
      pending[depth] = 0;
    }
    depths = Math.min(depths, 1);
  }

  @Override
  public void call(int depth, int method, long begin, long end, int flags) {
    if (depth + 2 > pending.length) {
      pending = Arrays.copyOf(pending, (depth + 2) * 2);
    }
    depths = Math.max(depths, depth + 1);
    long inside = selection.inside(begin, end);
    int node = nodes.find(pending[depth], method);
    boolean isNew = node == 0;
    if (isNew) {
      node = nodes.add(pending[depth], method);
    }
    pending[depth] = node;
    nodes.count(node, 1, inside, times.self(depth, inside));
    int children = pending[depth + 1];
    pending[depth + 1] = 0;
    nodes.child[node] = isNew ? children : join(nodes.child[node], children);
    if (nodes.count() > maxNodes) {
      prune();
    }
  }

  /** Adds the trees of one list to those of another; returns the list they are in. */
  private int join(int into, int from) {
    if (into == 0 || from == 0) {
      return into + from;
    }
    int result = joinOneLevel(into, from);
    while (!work.isEmpty()) {
      int parent = work.pop();
      int children = work.pop();
      nodes.child[parent] = joinOneLevel(nodes.child[parent], children);
    }
    return result;
  }

  private int joinOneLevel(int into, int from) {
    int list = into;
    int next;
    for (int node = from; node != 0; node = next) {
      next = nodes.sibling[node];
      int same = nodes.find(list, nodes.method[node]);
      if (same == 0) {
        nodes.sibling[node] = list;
        list = node;
        continue;
      }
      list = same;
      nodes.count(same, nodes.calls[node], nodes.total[node], nodes.self[node]);
      if (nodes.child[same] == 0) {
        nodes.child[same] = nodes.child[node];
      } else if (nodes.child[node] != 0) {
        work.push(nodes.child[node]);
        work.push(same);
      }
      nodes.free(node);
    }
    return list;
  }

  @Override
  public void merge(PathCollector other) {
    finishTrack();
    PathNodes theirs = other.nodes;
    pending[0] = copyLevel(pending[0], theirs, other.roots());
    while (!work.isEmpty()) {
      int mine = work.pop();
      int list = work.pop();
      int copied = copyLevel(nodes.child[mine], theirs, list);
      nodes.child[mine] = copied; // only now: the columns may have grown
    }
    leftOut += other.leftOut;
  }

  private int copyLevel(int into, PathNodes theirs, int from) {
    int list = into;
    for (int node = from; node != 0; node = theirs.sibling[node]) {
      int mine = nodes.find(list, theirs.method[node]);
      mine = mine != 0 ? mine : nodes.add(list, theirs.method[node]);
      list = mine;
      nodes.count(mine, theirs.calls[node], theirs.total[node], theirs.self[node]);
      if (theirs.child[node] != 0) {
        work.push(theirs.child[node]);
        work.push(mine);
      }
    }
    return list;
  }

  /** Leaves out the half with the smaller times, and whatever hangs on it. */
  private void prune() {
    long[] totals = new long[nodes.count()];
    int count = 0;
    for (int depth = 0; depth < depths; depth++) {
      work.push(pending[depth]);
    }
    while (!work.isEmpty()) {
      for (int node = work.pop(); node != 0; node = nodes.sibling[node]) {
        totals[count++] = nodes.total[node];
        work.push(nodes.child[node]);
      }
    }
    Arrays.sort(totals, 0, count);
    long least = totals[count / 2] + 1;
    for (int depth = 0; depth < depths; depth++) {
      pending[depth] = keep(pending[depth], least);
    }
    while (!work.isEmpty()) {
      int parent = work.pop();
      nodes.child[parent] = keep(nodes.child[parent], least);
    }
  }

  /** What is left of a list; pushes those of its nodes whose children are still to be looked at. */
  private int keep(int list, long least) {
    int kept = 0;
    int next;
    for (int node = list; node != 0; node = next) {
      next = nodes.sibling[node];
      if (nodes.total[node] < least) {
        drop(node);
      } else {
        nodes.sibling[node] = kept;
        kept = node;
        if (nodes.child[node] != 0) {
          work.push(node);
        }
      }
    }
    return kept;
  }

  private void drop(int root) {
    IntStack doomed = new IntStack();
    doomed.push(root);
    while (!doomed.isEmpty()) {
      int node = doomed.pop();
      for (int child = nodes.child[node]; child != 0; child = nodes.sibling[child]) {
        doomed.push(child);
      }
      nodes.free(node);
      leftOut++;
    }
  }
}
