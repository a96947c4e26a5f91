package dev.kymo.analysis.difference;

import dev.kymo.analysis.cause.TimeUse;
import dev.kymo.analysis.difference.paths.PathNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The nodes of one method on threads of one role that are there on both sides. A change of a method
 * shows wherever it is called: seen together it is told once, and with more certainty.
 */
final class MethodGroup {
  private final AlignedRole role;
  private final int key;
  private final List<AlignedNode> nodes = new ArrayList<>();

  MethodGroup(AlignedRole role, int key) {
    this.role = role;
    this.key = key;
  }

  /** The methods of a role; what the threads call outermost is that of key -1. */
  static List<MethodGroup> of(AlignedRole role) {
    Map<Integer, MethodGroup> groups = new LinkedHashMap<>();
    List<AlignedNode> work = new ArrayList<>(List.of(role.tree()));
    for (int i = 0; i < work.size(); i++) {
      AlignedNode node = work.get(i);
      if (node.isOnBothSides()) {
        groups.computeIfAbsent(node.key(), k -> new MethodGroup(role, k)).nodes.add(node);
        work.addAll(node.children());
      }
    }
    return List.copyOf(groups.values());
  }

  AlignedRole role() {
    return role;
  }

  int key() {
    return key;
  }

  List<AlignedNode> nodes() {
    return nodes;
  }

  /** Time of a node in which its calls ran themselves, as far as is known. */
  static double busy(PathNode node) {
    double other =
        node.use(TimeUse.WAITING)
            + node.use(TimeUse.STOPPED)
            + node.use(TimeUse.BLOCKED)
            + node.use(TimeUse.RUNNABLE)
            + node.use(TimeUse.LOADING);
    return Math.max(0, node.self() - other);
  }

  /** How much longer a recording of the new side takes in a node because its calls do. */
  static double weight(AlignedNode node, ToDoubleFunction<PathNode> time, double factor) {
    double base = node.base().calls();
    double fresh = node.fresh().calls();
    return base == 0 ? 0 : node.fresh().mean(time) - fresh * factor * node.base().mean(time) / base;
  }

  static AlignedNode heaviest(List<AlignedNode> nodes, ToDoubleFunction<AlignedNode> difference) {
    AlignedNode heaviest = nodes.getFirst();
    double most = -1;
    for (AlignedNode node : nodes) {
      double size = Math.abs(difference.applyAsDouble(node));
      if (size > most) {
        most = size;
        heaviest = node;
      }
    }
    return heaviest;
  }
}
