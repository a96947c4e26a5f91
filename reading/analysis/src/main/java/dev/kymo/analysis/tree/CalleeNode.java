package dev.kymo.analysis.tree;

import dev.kymo.analysis.whole.PathCollector;
import dev.kymo.analysis.whole.PathNodes;
import java.util.ArrayList;
import java.util.List;

/** A method called by a path of callers; its children are what it called. */
public record CalleeNode(PathNodes nodes, int node) implements CallTree.Node {
  public static List<CalleeNode> roots(PathCollector paths) {
    return list(paths.nodes(), paths.roots());
  }

  public static List<CalleeNode> list(PathNodes nodes, int list) {
    List<CalleeNode> all = new ArrayList<>();
    for (int node = list; node != 0; node = nodes.sibling[node]) {
      all.add(new CalleeNode(nodes, node));
    }
    return all;
  }

  @Override
  public int method() {
    return nodes.method[node];
  }

  @Override
  public long calls() {
    return nodes.calls[node];
  }

  @Override
  public long total() {
    return nodes.total[node];
  }

  @Override
  public long self() {
    return nodes.self[node];
  }

  @Override
  public List<CalleeNode> children() {
    return list(nodes, nodes.child[node]);
  }
}
