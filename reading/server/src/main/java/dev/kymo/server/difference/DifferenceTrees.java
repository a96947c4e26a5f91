package dev.kymo.server.difference;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.difference.AlignedNode;
import dev.kymo.analysis.difference.AlignedRole;
import dev.kymo.analysis.difference.Difference;
import dev.kymo.analysis.difference.SideNode;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What flame graphs of differences are drawn from. */
final class DifferenceTrees {
  /** Calls that take a smaller share of their threads' time are too thin to see. */
  private static final double THINNEST = 0.0005;

  private static final int NODES = 20_000;

  private final JsonGenerator json;
  private final Difference difference;
  private final Map<Integer, Integer> names = new HashMap<>();
  private final List<String> texts = new ArrayList<>();
  private int left = NODES;

  private record Placed(AlignedNode node, int depth) {}

  private DifferenceTrees(JsonGenerator json, Difference difference) {
    this.json = json;
    this.difference = difference;
  }

  /** Writes the fields {@code trees} and {@code names}. */
  static void write(JsonGenerator json, Difference difference) throws IOException {
    new DifferenceTrees(json, difference).trees();
  }

  private void trees() throws IOException {
    json.writeArrayFieldStart("trees");
    for (AlignedRole role : difference.roles()) {
      tree(role);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("names");
    for (String text : texts) {
      json.writeString(text);
    }
    json.writeEndArray();
  }

  /**
   * Nodes in preorder, each as an array: depth, name, calls, total and self time of the base side,
   * and of the new side.
   */
  private void tree(AlignedRole role) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", role.name());
    json.writeArrayFieldStart("nodes");
    double least = THINNEST * most(role.tree());
    Deque<Placed> work = new ArrayDeque<>();
    push(work, role.tree(), 0);
    while (!work.isEmpty() && left > 0) {
      Placed next = work.pop();
      if (most(next.node) >= least) {
        left--;
        json.writeStartArray();
        json.writeNumber(next.depth);
        json.writeNumber(name(next.node.key()));
        side(next.node.base());
        side(next.node.fresh());
        json.writeEndArray();
        push(work, next.node, next.depth + 1);
      }
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void push(Deque<Placed> work, AlignedNode node, int depth) {
    node.children().reversed().forEach(child -> work.push(new Placed(child, depth)));
  }

  private static double most(AlignedNode node) {
    return Math.max(node.base().total(), node.fresh().total());
  }

  private void side(SideNode side) throws IOException {
    json.writeNumber(Math.round(side.calls() * 100) / 100.0);
    json.writeNumber(Math.round(side.total()));
    json.writeNumber(Math.round(side.self()));
  }

  private int name(int key) {
    return names.computeIfAbsent(
        key,
        k -> {
          texts.add(difference.name(k));
          return texts.size() - 1;
        });
  }
}
