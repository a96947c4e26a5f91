package dev.kymo.analysis.locks;

import dev.kymo.model.calls.ThreadCalls;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** That threads which had one object took another one: how they had it, and wanted the other. */
final class LockEdge {
  /** The other locks held at that time rarely differ this much. */
  private static final int MAX_SITUATIONS = 16;

  final LockObject held;
  final boolean heldShared;
  final LockObject wanted;
  final boolean wantedShared;
  private final List<Situation> situations = new ArrayList<>(1);

  LockEdge(LockObject held, boolean heldShared, LockObject wanted, boolean wantedShared) {
    this.held = held;
    this.heldShared = heldShared;
    this.wanted = wanted;
    this.wantedShared = wantedShared;
  }

  /**
   * An example: a thread took both; clocks, and addresses of code.
   *
   * @param open whether it waited for the second one until the end
   */
  record Example(
      ThreadCalls thread,
      long heldAt,
      long heldCaller,
      long wantedAt,
      long wantedCaller,
      boolean open) {}

  /** All that a thread had, with an example or two of different threads. */
  static final class Situation {
    private int[] held;
    final Example first;
    @Nullable Example second;

    Situation(int[] held, Example first) {
      this.held = held;
      this.first = first;
    }

    List<Example> examples() {
      Example other = second;
      return other == null ? List.of(first) : List.of(first, other);
    }

    /** Whether no two threads can be in these at the same time: something is held by both. */
    boolean excludes(Situation other) {
      int i = 0;
      int j = 0;
      while (i < held.length && j < other.held.length) {
        int one = held[i];
        int two = other.held[j];
        if (one >> 1 == two >> 1 && (one & two & 1) == 0) {
          return true;
        }
        i += one <= two ? 1 : 0;
        j += two <= one ? 1 : 0;
      }
      return false;
    }
  }

  /** Takes one more example. */
  void add(int[] signature, Example example) {
    for (Situation known : situations) {
      if (Arrays.equals(known.held, signature)) {
        if (known.second == null && known.first.thread != example.thread) {
          known.second = example;
        }
        return;
      }
    }
    if (situations.size() < MAX_SITUATIONS) {
      situations.add(new Situation(signature, example));
    } else {
      // What was not held every time excludes nobody.
      Situation last = situations.getLast();
      last.held =
          IntStream.of(last.held).filter(one -> Arrays.binarySearch(signature, one) >= 0).toArray();
    }
  }

  List<Situation> situations() {
    return situations;
  }
}
