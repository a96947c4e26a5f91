package dev.kymo.analysis.events;

import java.util.Arrays;

/**
 * The calls of one track that are known to be running, by their methods' numbers. What does not fit
 * changes as little as possible: a leave ends the calls inside its own, and does nothing if its
 * call is not running.
 */
final class OpenCalls {
  /** Nothing is known to be running. */
  static final int NONE = -1;

  private int[] calls = new int[8];

  /** By depth: where a thread in that call is, see {@link #place}. */
  private int[] places = new int[8];

  /** By depth: whether the place is a method, not a user event. */
  private boolean[] inMethod = new boolean[8];

  private int depth;

  /**
   * A call begins.
   *
   * @param span whether it is what lies between two user events
   */
  void enter(int call, boolean span) {
    if (depth == calls.length) {
      calls = Arrays.copyOf(calls, depth * 2);
      places = Arrays.copyOf(places, depth * 2);
      inMethod = Arrays.copyOf(inMethod, depth * 2);
    }
    boolean outside = span && depth > 0 && inMethod[depth - 1];
    calls[depth] = call;
    places[depth] = outside ? places[depth - 1] : call;
    inMethod[depth] = outside || !span;
    depth++;
  }

  /** A call ends. */
  void leave(int call) {
    int at = depth - 1;
    while (at >= 0 && calls[at] != call) {
      at--;
    }
    depth = at >= 0 ? at : depth;
  }

  boolean isEmpty() {
    return depth == 0;
  }

  /** The innermost call. */
  int innermost() {
    return depth == 0 ? NONE : calls[depth - 1];
  }

  /** The innermost method; without one, the innermost user event. */
  int place() {
    return depth == 0 ? NONE : places[depth - 1];
  }
}
