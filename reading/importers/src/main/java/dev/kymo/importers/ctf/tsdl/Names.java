package dev.kymo.importers.ctf.tsdl;

import dev.kymo.importers.ctf.type.Type;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Names of types that are known at a place: those of its block and those of the blocks around. */
final class Names {
  private final @Nullable Names outer;
  private final Map<String, Type> types = new HashMap<>();

  Names(@Nullable Names outer) {
    this.outer = outer;
  }

  /**
   * Adds a name.
   *
   * @param name as people write it: {@code unsigned long}, {@code struct packet_context}
   * @return false if the block has it already
   */
  boolean add(String name, Type type) {
    return types.putIfAbsent(name, type) == null;
  }

  /** A type by its name; null if there is none. */
  @Nullable Type find(String name) {
    for (Names at = this; at != null; at = at.outer) {
      Type type = at.types.get(name);
      if (type != null) {
        return type;
      }
    }
    return null;
  }
}
