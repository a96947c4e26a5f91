package dev.kymo.analysis.difference;

import dev.kymo.analysis.difference.paths.PathNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A node as the recordings of one side have it. Sums are means over the recordings; nanoseconds.
 */
public final class SideNode {
  private final @Nullable PathNode[] nodes;

  private final List<PathNode> known = new ArrayList<>();
  private double total;

  SideNode(@Nullable PathNode[] nodes) {
    this.nodes = nodes;
    for (PathNode node : nodes) {
      if (node != null) {
        known.add(node);
        total += node.self() + node.foldedTime();
      }
    }
  }

  /** By recording, null where it is not there. */
  @Nullable PathNode[] nodes() {
    return nodes;
  }

  /** Those of the recordings that have it. */
  public List<PathNode> known() {
    return known;
  }

  public int recordings() {
    return nodes.length;
  }

  /** The node of one recording; null = it is not there. */
  public @Nullable PathNode known(int recording) {
    return nodes[recording];
  }

  public boolean isThere() {
    return !known.isEmpty();
  }

  void addTotal(SideNode child) {
    total += child.total;
  }

  double mean(ToDoubleFunction<PathNode> of) {
    double sum = 0;
    for (PathNode node : known) {
      sum += of.applyAsDouble(node);
    }
    return sum / nodes.length;
  }

  /** Of all recordings together. */
  public long callsInAll() {
    long sum = 0;
    for (PathNode node : known) {
      sum += node.calls();
    }
    return sum;
  }

  public double calls() {
    return (double) callsInAll() / nodes.length;
  }

  public double self() {
    return mean(PathNode::self);
  }

  /** With what it called. */
  public double total() {
    return total / nodes.length;
  }

  /** Total time of a call. */
  double totalPerCall() {
    long calls = callsInAll();
    return calls == 0 ? 0 : total / calls;
  }

  /** Whether there may have been more calls below it than are known. */
  boolean isCut() {
    return known.stream().anyMatch(node -> node.lossy() > 0);
  }

  boolean isPartial() {
    return known.stream().anyMatch(PathNode::isPartial);
  }
}
