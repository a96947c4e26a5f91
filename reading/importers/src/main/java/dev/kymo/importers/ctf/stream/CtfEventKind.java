package dev.kymo.importers.ctf.stream;

import dev.kymo.importers.ctf.type.EventClass;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A kind of event, with all that is needed to read one. */
public final class CtfEventKind {
  private final int number;
  private final EventClass event;
  private final List<Leaf> contexts;
  private final List<Leaf> fields;
  final Node[] nodes;

  CtfEventKind(
      int number, EventClass event, List<Leaf> contexts, List<Leaf> fields, List<Node> nodes) {
    this.number = number;
    this.event = event;
    this.contexts = List.copyOf(contexts);
    this.fields = List.copyOf(fields);
    this.nodes = nodes.toArray(Node[]::new);
  }

  /** Number among the kinds of all traces. */
  public int number() {
    return number;
  }

  public String name() {
    return event.name();
  }

  /** Values of the stream's and the event's contexts. */
  public List<Leaf> contexts() {
    return contexts;
  }

  /** Values of its own. */
  public List<Leaf> fields() {
    return fields;
  }

  /** A value by its name, the event's own first; null if there is none. */
  public @Nullable Leaf find(String name) {
    for (Leaf leaf : fields) {
      if (leaf.name().equals(name)) {
        return leaf;
      }
    }
    return context(name);
  }

  /** A value of the contexts by its name; null if there is none. */
  public @Nullable Leaf context(String name) {
    for (Leaf leaf : contexts) {
      if (leaf.name().equals(name)) {
        return leaf;
      }
    }
    return null;
  }
}
