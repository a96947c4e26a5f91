package dev.kymo.importers.paje;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Types of a file with their values; each is found by its alias or by its name. */
final class PajeTypes {
  private final Map<String, PajeType> types = new HashMap<>();

  /** A type of containers, states, events, variables or links. */
  static final class PajeType {
    private final String name;
    private final Map<String, String> values = new HashMap<>();

    PajeType(String name) {
      this.name = name;
    }

    String name() {
      return name;
    }

    /** The name of a value; the text itself if it has not been defined. */
    String value(String text) {
      return values.getOrDefault(text, text);
    }

    void define(String alias, String name) {
      values.put(alias.isEmpty() ? name : alias, name);
    }
  }

  int size() {
    return types.size();
  }

  void define(String alias, String name) {
    PajeType type = new PajeType(name);
    if (!alias.isEmpty()) {
      types.put(alias, type);
    }
    types.putIfAbsent(name, type);
  }

  /** The type with an alias or a name; null if there is none. */
  @Nullable PajeType get(String text) {
    return types.get(text);
  }
}
