package dev.kymo.editing.slice;

import dev.kymo.model.calls.ThreadCalls;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Range of the events that go into a slice: clocks from and to, both included, and threads. */
final class SliceRange {
  private final long from;
  private final long to;
  private final boolean all;
  private final Map<Integer, Set<Integer>> threads = new HashMap<>();

  private SliceRange() {
    this.from = 0;
    this.to = Long.MAX_VALUE;
    this.all = true;
  }

  static SliceRange everything() {
    return new SliceRange();
  }

  SliceRange(long from, long to, List<ThreadCalls> all, Predicate<ThreadCalls> wanted) {
    this.from = from;
    this.to = to;
    this.all = false;
    for (ThreadCalls thread : all) {
      if (wanted.test(thread)) {
        threads.computeIfAbsent(thread.process(), p -> new HashSet<>()).add(thread.thread());
      }
    }
  }

  long from() {
    return from;
  }

  long to() {
    return to;
  }

  boolean has(int process, int thread) {
    return all || threads.getOrDefault(process, Set.of()).contains(thread);
  }

  /** Whether no thread is wanted. */
  boolean isEmpty() {
    return !all && threads.isEmpty();
  }
}
