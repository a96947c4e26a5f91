package dev.kymo.analysis.locks;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** In which order objects were taken: what threads had when they took another one. */
final class LockOrder {
  private static final int MAX_EDGES = 1 << 18;

  private final Map<Long, LockEdge> edges = new HashMap<>();
  private final int most;
  private boolean full;

  LockOrder() {
    this(MAX_EDGES);
  }

  /** Pairs of objects that are known, at most. */
  LockOrder(int most) {
    this.most = most;
  }

  /**
   * A thread takes something and may wait for it.
   *
   * @param at clock at which it begins to
   * @param open whether it waits until the end
   */
  void add(
      HeldLocks thread, LockObject wanted, boolean shared, long at, long caller, boolean open) {
    int[] signature = thread.signature();
    for (HeldLocks.Hold hold : thread.all()) {
      LockObject held = hold.object();
      if (held.kind.isOwned() && held != wanted) {
        LockEdge edge = edge(held, hold.shared, wanted, shared);
        if (edge != null) {
          edge.add(
              signature,
              new LockEdge.Example(thread.thread, hold.since, hold.caller, at, caller, open));
        }
      }
    }
  }

  private @Nullable LockEdge edge(
      LockObject held, boolean heldShared, LockObject wanted, boolean wantedShared) {
    long from = (long) held.index << 1 | (heldShared ? 1 : 0);
    long to = (long) wanted.index << 1 | (wantedShared ? 1 : 0);
    long key = from << 32 | to;
    LockEdge known = edges.get(key);
    if (known == null && edges.size() < most) {
      known = new LockEdge(held, heldShared, wanted, wantedShared);
      edges.put(key, known);
    }
    full |= known == null;
    return known;
  }

  Collection<LockEdge> edges() {
    return edges.values();
  }

  /** Whether there were more pairs of objects than are known. */
  boolean isFull() {
    return full;
  }
}
