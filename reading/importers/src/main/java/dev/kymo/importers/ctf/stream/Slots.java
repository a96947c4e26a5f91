package dev.kymo.importers.ctf.stream;

import dev.kymo.importers.ctf.type.CtfField;
import dev.kymo.importers.ctf.type.CtfScope;
import dev.kymo.importers.ctf.type.FieldRef;
import dev.kymo.importers.ctf.type.Role;
import dev.kymo.importers.ctf.type.Type;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Places where values of fields are kept, and the fields that references mean. */
final class Slots {
  /** Fields of a structure that have a slot or fields of their own. */
  static final class Frame {
    private final @Nullable Frame outer;
    private final List<Entry> entries = new ArrayList<>();

    Frame(@Nullable Frame outer) {
      this.outer = outer;
    }

    void add(Entry entry) {
      entries.add(entry);
    }

    @Nullable Entry find(String name) {
      for (int i = entries.size() - 1; i >= 0; i--) {
        if (entries.get(i).field.name().equals(name)) {
          return entries.get(i);
        }
      }
      return null;
    }
  }

  record Entry(CtfField field, int slot, @Nullable Frame inner) {
    Type type() {
      return field.type();
    }
  }

  private final Map<CtfScope, Frame> roots = new EnumMap<>(CtfScope.class);
  private final IdentityHashMap<CtfField, Entry> bound = new IdentityHashMap<>();
  private int next;

  Slots() {
    this.next = Role.values().length;
  }

  /** What was read before stays, and goes on differently. */
  Slots(Slots before) {
    roots.putAll(before.roots);
    bound.putAll(before.bound);
    this.next = before.next;
  }

  int take() {
    return next++;
  }

  int count() {
    return next;
  }

  Frame root(CtfScope scope) {
    Frame frame = new Frame(null);
    roots.put(scope, frame);
    return frame;
  }

  void bind(Frame frame, Entry entry) {
    frame.add(entry);
    bound.put(entry.field, entry);
  }

  /** The field that a reference means; null if there is none before it. */
  @Nullable Entry find(FieldRef reference, Frame from) {
    if (reference.target() != null) {
      Entry known = bound.get(reference.target());
      if (known != null) {
        return known;
      }
    }
    List<String> path = reference.path();
    if (reference.scope() != null) {
      Frame root = roots.get(reference.scope());
      return root == null ? null : walk(root, path);
    }
    Entry own = reference.own() ? walk(from, path) : null;
    if (own != null) {
      return own;
    }
    for (Frame frame = from; frame != null; frame = frame.outer) {
      if (frame.find(path.get(0)) != null) {
        return walk(frame, path);
      }
    }
    CtfScope[] scopes = CtfScope.values();
    for (int i = scopes.length - 1; i >= 0; i--) {
      Frame root = roots.get(scopes[i]);
      if (root != null && root.find(path.get(0)) != null) {
        return walk(root, path);
      }
    }
    return null;
  }

  private static @Nullable Entry walk(Frame root, List<String> path) {
    Frame frame = root;
    Entry entry = null;
    for (String name : path) {
      if (frame == null) {
        return null;
      }
      if (name.equals(FieldRef.UP)) {
        frame = frame.outer;
        entry = null;
      } else {
        entry = frame.find(name);
        frame = entry == null ? null : entry.inner;
        if (entry == null) {
          return null;
        }
      }
    }
    return entry;
  }
}
