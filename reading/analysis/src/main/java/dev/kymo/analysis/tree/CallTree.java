package dev.kymo.analysis.tree;

import dev.kymo.analysis.selection.CallWalk;
import dev.kymo.analysis.selection.IntStack;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.whole.PathCollector;
import dev.kymo.analysis.whole.PathNodes;
import dev.kymo.analysis.whole.WholeTotals;
import dev.kymo.model.timeline.Timeline;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Tree of the calls in a selection, in preorder, the costliest children first. It holds the
 * costliest nodes there is room for: each is taken after its parent and before all that cost less.
 */
public final class CallTree {
  public static final int MAX_NODES = 20_000;

  private final List<Row> rows = new ArrayList<>();
  private long cut;
  private long counted;

  /**
   * A node.
   *
   * @param parent index of its parent, -1 = none
   * @param calls of the method by this path
   * @param total nanoseconds inside the selection
   * @param self those without what it called
   */
  public record Row(int parent, int method, long calls, long total, long self) {}

  /** A node whose children are asked for when it is taken. */
  interface Node {
    int method();

    long calls();

    long total();

    long self();

    /** In any order. */
    List<? extends Node> children();
  }

  private record Taken(Node node, int parent) {}

  private CallTree() {}

  /**
   * Builds the tree. Tracks that show no calls count only if there are no others.
   *
   * @param up the roots are the methods with their self time, which their callers below share out
   */
  public static CallTree of(
      Timeline timeline, TimelineSelection all, boolean up, Progress progress) {
    TimelineSelection selection = all.ofCalls(timeline);
    WholeTotals known = WholeTotals.of(timeline);
    PathCollector paths =
        known != null && known.coversCalls(timeline, selection)
            ? known.paths()
            : CallWalk.run(
                timeline,
                selection,
                progress,
                () -> new PathCollector(selection, PathCollector.MAX_NODES));
    List<? extends Node> roots = up ? CallerNode.roots(paths) : CalleeNode.roots(paths);
    CallTree tree = of(roots, paths.leftOut(), MAX_NODES);
    tree.counted = selection.facts(timeline).counted();
    return tree;
  }

  /**
   * The tree of what was summed up by stack.
   *
   * @param list of the outermost nodes
   * @param up the roots are the methods with what they have themselves
   */
  public static CallTree of(PathNodes nodes, int list, long leftOut, boolean up) {
    List<? extends Node> roots =
        up
            ? CallerNode.roots(nodes, list, node -> nodes.self[node] > 0)
            : CalleeNode.list(nodes, list);
    return of(roots, leftOut, MAX_NODES);
  }

  public static CallTree of(List<? extends Node> roots, long leftOut, int maxNodes) {
    CallTree tree = new CallTree();
    tree.cut = leftOut;
    tree.take(roots, maxNodes);
    return tree;
  }

  private void take(List<? extends Node> roots, int maxNodes) {
    PriorityQueue<Taken> next =
        new PriorityQueue<>(
            Comparator.comparingLong((Taken t) -> -t.node.total())
                .thenComparingLong(t -> -t.node.calls())
                .thenComparingInt(t -> t.node.method()));
    roots.forEach(root -> next.add(new Taken(root, -1)));
    List<Taken> taken = new ArrayList<>();
    while (!next.isEmpty() && taken.size() < maxNodes) {
      Taken best = next.remove();
      int index = taken.size();
      taken.add(best);
      best.node.children().forEach(child -> next.add(new Taken(child, index)));
    }
    cut += next.size();
    inPreorder(taken);
  }

  /** Of the same parent the costliest was taken first, so it is to come first. */
  private void inPreorder(List<Taken> taken) {
    int[] child = new int[taken.size() + 1];
    int[] sibling = new int[taken.size() + 1];
    for (int i = taken.size(); i > 0; i--) {
      int parent = taken.get(i - 1).parent + 1;
      sibling[i] = child[parent];
      child[parent] = i;
    }
    int[] places = new int[taken.size() + 1];
    places[0] = -1;
    IntStack work = new IntStack();
    work.push(child[0]);
    while (!work.isEmpty()) {
      int i = work.pop();
      if (i != 0) {
        Taken t = taken.get(i - 1);
        places[i] = rows.size();
        Node n = t.node;
        rows.add(new Row(places[t.parent + 1], n.method(), n.calls(), n.total(), n.self()));
        work.push(sibling[i]);
        work.push(child[i]);
      }
    }
  }

  /** The nodes, parents before their children. */
  public List<Row> rows() {
    return rows;
  }

  /** How many were left out, not counting what hangs below them and was never looked at. */
  public long cut() {
    return cut;
  }

  /**
   * Calls of the selection that were only counted: nobody knows who made them, so they are not in
   * the tree.
   */
  public long counted() {
    return counted;
  }
}
