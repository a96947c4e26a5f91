package dev.kymo.importers.chrome;

import dev.kymo.format.EventKind;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All kinds of events of a file, in bounded memory. */
final class Kinds {
  /** The field that has everything for which there is no field. */
  static final String MORE = "more";

  private static final int MOST = 50_000;
  private static final int MOST_FIELDS_OF_ALL = 300_000;
  private static final int MOST_FIELDS = 64;

  private final Map<Key, Kind> kinds = new HashMap<>();
  private int fields;

  private record Key(EventKind kind, String category, String name) {}

  /** The kind of an event that has been seen; null if there was no room for it. */
  @Nullable Kind known(EventKind kind, String category, String name) {
    return kinds.get(new Key(kind, category, name));
  }

  void see(EventKind kind, String category, String name, Map<String, Object> given) {
    Key key = new Key(kind, category, name);
    Kind seen = kinds.get(key);
    if (seen == null) {
      if (kinds.size() == MOST) {
        return;
      }
      seen = new Kind(kind, category, name);
      kinds.put(key, seen);
    }
    seen.seen();
    boolean more = false;
    for (Map.Entry<String, Object> field : given.entrySet()) {
      boolean room = seen.size() < MOST_FIELDS && fields < MOST_FIELDS_OF_ALL;
      int before = seen.size();
      more |= !seen.seen(field.getKey(), field.getValue(), room);
      fields += seen.size() - before;
    }
    if (more) {
      seen.seen(MORE, "", true);
    }
  }
}
