package dev.kymo.importers.jfr.reader;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The constants of a chunk, by type and key; a text for each text, else the fields of a struct. */
public final class Constants {
  private static final long NOTHING = -1;

  private final Map<Long, Map<Long, Object>> pools = new HashMap<>();
  private long texts = NOTHING;

  Constants() {}

  /** Reads an event with constants; the bytes stand after its type. */
  void read(JfrBytes bytes, Values values, Map<Long, JfrType> types) throws IOException {
    bytes.i64(); // time
    bytes.i64(); // duration
    bytes.i64(); // distance to the one before
    bytes.u8(); // kind
    int count = bytes.count();
    for (int i = 0; i < count; i++) {
      long id = bytes.i64();
      JfrType type = types.get(id);
      if (type == null) {
        throw bytes.wrong("constants of a type that is not described", "type=" + id);
      }
      if (type.isText()) {
        texts = id;
      }
      Map<Long, Object> pool = pools.computeIfAbsent(id, none -> new HashMap<>());
      int constants = bytes.count();
      for (int k = 0; k < constants; k++) {
        long key = bytes.i64();
        Object value = values.value(type);
        if (value != null) {
          pool.put(key, JfrStack.TYPE.equals(type.shortName()) ? JfrStack.of(type, value) : value);
        }
      }
    }
  }

  /** A constant; null if there is none. */
  public @Nullable Object get(JfrType type, long key) {
    Map<Long, Object> pool = pools.get(type.id());
    return pool == null ? null : pool.get(key);
  }

  /** A text as a value has it: itself, or that of a constant; empty if there is none. */
  public String text(@Nullable Object value) {
    if (value instanceof Long key) {
      Map<Long, Object> pool = pools.get(texts);
      return pool != null && pool.get(key) instanceof String text ? text : "";
    }
    return value instanceof String text ? text : "";
  }
}
