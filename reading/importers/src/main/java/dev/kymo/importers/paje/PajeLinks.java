package dev.kymo.importers.paje;

import java.util.HashMap;
import java.util.Map;

/** Links of which one end has been seen. */
final class PajeLinks {
  private static final int MOST = 2_000_000;
  private static final long BASIS = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  private final Map<Long, Integer> open = new HashMap<>();

  /** The key of a link's messages: the FNV-1a hash of what makes it one of its own. */
  static long key(String... texts) {
    long key = BASIS;
    for (String text : texts) {
      for (int i = 0; i < text.length(); i++) {
        key = (key ^ text.charAt(i)) * PRIME;
      }
      key = (key ^ 0x1FFFF) * PRIME;
    }
    return key;
  }

  /**
   * An end of a link has been seen.
   *
   * @param step 1 = its start, -1 = its end
   * @return whether the link is complete now
   */
  boolean see(long key, int step) {
    int before = open.getOrDefault(key, 0);
    int after = before + step;
    if (after == 0) {
      open.remove(key);
    } else if (before != 0 || open.size() < MOST) {
      open.put(key, after);
    }
    return before * step < 0;
  }

  /** How many links have only one end. */
  long incomplete() {
    return open.values().stream().mapToLong(Math::abs).sum();
  }
}
