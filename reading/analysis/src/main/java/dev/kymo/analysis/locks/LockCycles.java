package dev.kymo.analysis.locks;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds the cycles in the order in which objects were taken, that threads can wait in for each
 * other forever.
 */
final class LockCycles {
  private static final int MAX_LENGTH = 8;
  private static final int MAX_CYCLES = 100;
  private static final long MAX_STEPS = 5_000_000;

  /** By the number of what is held, then of what is wanted. */
  private final NavigableMap<Integer, NavigableMap<Integer, List<LockEdge>>> graph =
      new TreeMap<>();

  private final List<List<Choice>> found = new ArrayList<>();
  private final List<Integer> path = new ArrayList<>();
  private final Set<Integer> onPath = new HashSet<>();
  private long steps;

  /** How one step of a cycle is possible. */
  record Choice(LockEdge edge, LockEdge.Situation situation, LockEdge.Example example) {}

  private LockCycles(Collection<LockEdge> edges) {
    edges.stream()
        .sorted(
            Comparator.comparingInt((LockEdge e) -> e.heldShared ? 1 : 0)
                .thenComparingInt(e -> e.wantedShared ? 1 : 0))
        .forEach(edge ->
            graph
                .computeIfAbsent(edge.held.index, held -> new TreeMap<>())
                .computeIfAbsent(edge.wanted.index, wanted -> new ArrayList<>(1))
                .add(edge));
  }

  /** Looks at all edges; the smallest cycles come first. */
  static LockCycles find(Collection<LockEdge> edges) {
    LockCycles cycles = new LockCycles(edges);
    cycles.prune();
    int longest = Math.min(MAX_LENGTH, cycles.graph.size());
    for (int length = 2; length <= longest; length++) {
      for (int start : cycles.graph.keySet()) {
        cycles.walk(start, start, length);
      }
    }
    return cycles;
  }

  List<List<Choice>> all() {
    return found;
  }

  /** Whether not everything was looked at, because it would take too long. */
  boolean isCut() {
    return steps >= MAX_STEPS || found.size() >= MAX_CYCLES;
  }

  /** What nobody waits for, or what leads nowhere, is in no cycle. */
  private void prune() {
    Map<Integer, Set<Integer>> before = new HashMap<>();
    Set<Integer> all = new HashSet<>(graph.keySet());
    graph.forEach((held, next) -> {
      all.addAll(next.keySet());
      next.keySet().forEach(to -> before.computeIfAbsent(to, _ -> new HashSet<>()).add(held));
    });
    Deque<Integer> outside = new ArrayDeque<>();
    for (int each : all) {
      if (!graph.containsKey(each) || !before.containsKey(each)) {
        outside.add(each);
      }
    }
    while (!outside.isEmpty()) {
      int none = outside.remove();
      NavigableMap<Integer, List<LockEdge>> next = graph.remove(none);
      for (int to : next == null ? Set.<Integer>of() : next.keySet()) {
        Set<Integer> from = before.getOrDefault(to, Set.of());
        if (from.remove(none) && from.isEmpty()) {
          outside.add(to);
        }
      }
      Set<Integer> from = before.getOrDefault(none, Set.of());
      for (int held : from) {
        NavigableMap<Integer, List<LockEdge>> of = graph.get(held);
        if (of != null && of.remove(none) != null && of.isEmpty()) {
          outside.add(held);
        }
      }
    }
  }

  /** Each cycle begins with its first object, so it is met once. */
  private void walk(int start, int at, int left) {
    if (isCut()) {
      return;
    }
    steps++;
    path.add(at);
    onPath.add(at);
    NavigableMap<Integer, List<LockEdge>> next = graph.getOrDefault(at, new TreeMap<>());
    if (left == 1) {
      if (next.containsKey(start)) {
        take();
      }
    } else {
      for (int to : next.tailMap(start, false).keySet()) {
        if (!onPath.contains(to)) {
          walk(start, to, left - 1);
        }
      }
    }
    path.removeLast();
    onPath.remove(at);
  }

  private void take() {
    List<Choice> choices = new ArrayList<>();
    if (choose(choices, true) || choose(choices, false)) {
      found.add(choices);
    }
  }

  /**
   * Looks for a way in which threads can be in all steps at the same time.
   *
   * @param apart whether each step must be another thread's; else two threads are enough, since
   *     what one has done others may do as well
   */
  private boolean choose(List<Choice> choices, boolean apart) {
    int step = choices.size();
    if (step == path.size()) {
      return fits(choices.getLast().edge(), choices.getFirst().edge()) && severalThreads(choices);
    }
    List<LockEdge> edges =
        graph
            .getOrDefault(path.get(step), new TreeMap<>())
            .getOrDefault(path.get((step + 1) % path.size()), List.of());
    for (LockEdge edge : edges) {
      if (step > 0 && !fits(choices.get(step - 1).edge(), edge)) {
        continue;
      }
      for (LockEdge.Situation situation : edge.situations()) {
        for (LockEdge.Example example : situation.examples()) {
          Choice choice = new Choice(edge, situation, example);
          if (++steps < MAX_STEPS && isPossible(choices, choice, apart)) {
            choices.add(choice);
            if (choose(choices, apart)) {
              return true;
            }
            choices.removeLast();
          }
        }
      }
    }
    return false;
  }

  /** Who only reads does not wait for one who only reads. */
  private static boolean fits(LockEdge wants, LockEdge has) {
    return !wants.wantedShared || !has.heldShared;
  }

  private static boolean isPossible(List<Choice> choices, Choice next, boolean apart) {
    for (Choice other : choices) {
      if (other.situation.excludes(next.situation)
          || (apart && other.example.thread() == next.example.thread())) {
        return false;
      }
    }
    return true;
  }

  private static boolean severalThreads(List<Choice> choices) {
    return choices.stream().map(choice -> choice.example.thread()).distinct().count() > 1;
  }
}
