package dev.kymo.analysis.tree;

import dev.kymo.analysis.selection.IntStack;
import dev.kymo.analysis.whole.PathCollector;
import dev.kymo.analysis.whole.PathNodes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * Calls and self time of one method, as far as they were spent below the same callers; its children
 * are the callers of those.
 */
final class CallerNode implements CallTree.Node {
  private final PathNodes nodes;

  /** By path node: its caller; 0 = none. */
  private final int[] parents;

  private final int method;

  /** Path nodes of the root method, each followed by the caller of it that this node is. */
  private IntStack members = new IntStack();

  private long calls;
  private long self;

  private CallerNode(PathNodes nodes, int[] parents, int method) {
    this.nodes = nodes;
    this.parents = parents;
    this.method = method;
  }

  static List<CallerNode> roots(PathCollector paths) {
    return roots(paths.nodes(), paths.roots(), node -> true);
  }

  /**
   * The methods of all nodes of trees.
   *
   * @param list of the trees' roots
   * @param counts says of a node whether its own figures count
   */
  static List<CallerNode> roots(PathNodes nodes, int list, IntPredicate counts) {
    int[] parents = new int[nodes.end()];
    Map<Integer, CallerNode> roots = new HashMap<>();
    IntStack work = new IntStack();
    work.push(list);
    while (!work.isEmpty()) {
      for (int node = work.pop(); node != 0; node = nodes.sibling[node]) {
        if (counts.test(node)) {
          add(roots, nodes, parents, node, node);
        }
        for (int child = nodes.child[node]; child != 0; child = nodes.sibling[child]) {
          parents[child] = node;
        }
        work.push(nodes.child[node]);
      }
    }
    return List.copyOf(roots.values());
  }

  private static void add(
      Map<Integer, CallerNode> groups, PathNodes nodes, int[] parents, int member, int place) {
    CallerNode group =
        groups.computeIfAbsent(nodes.method[place], m -> new CallerNode(nodes, parents, m));
    group.members.push(member);
    group.members.push(place);
    group.calls += nodes.calls[member];
    group.self += nodes.self[member];
  }

  @Override
  public int method() {
    return method;
  }

  @Override
  public long calls() {
    return calls;
  }

  @Override
  public long total() {
    return self;
  }

  @Override
  public long self() {
    return self;
  }

  @Override
  public List<CallerNode> children() {
    Map<Integer, CallerNode> groups = new HashMap<>();
    int[] all = members.toArray();
    members = new IntStack(); // asked for once: those of the children take their place
    for (int i = 0; i < all.length; i += 2) {
      int caller = parents[all[i + 1]];
      if (caller != 0) {
        add(groups, nodes, parents, all[i], caller);
      }
    }
    return new ArrayList<>(groups.values());
  }
}
