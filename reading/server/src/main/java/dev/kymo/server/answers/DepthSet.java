package dev.kymo.server.answers;

import dev.kymo.server.http.Query;
import java.util.BitSet;

/**
 * The nesting depths a picture has rows for, such as {@code 0-7,12,40}: a thread of 5000 nested
 * calls is never drawn as a whole.
 */
final class DepthSet {
  private static final int MAX = 1 << 20;

  private final BitSet depths = new BitSet();
  private final boolean all;

  private DepthSet(boolean all) {
    this.all = all;
  }

  static DepthSet all() {
    return new DepthSet(true);
  }

  static DepthSet parse(String text) {
    DepthSet set = new DepthSet(false);
    for (String part : text.split(",", -1)) {
      int dash = part.indexOf('-');
      long first = Query.number("depth", dash < 0 ? part : part.substring(0, dash), 0, MAX);
      long last = dash < 0 ? first : Query.number("depth", part.substring(dash + 1), first, MAX);
      set.depths.set((int) first, (int) last + 1);
    }
    return set;
  }

  boolean contains(int depth) {
    return all || depths.get(depth);
  }
}
