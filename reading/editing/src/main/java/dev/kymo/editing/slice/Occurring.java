package dev.kymo.editing.slice;

import dev.kymo.model.definitions.SampledStacks;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Numbers of threads and methods that occur in a slice, by process. */
final class Occurring {
  private final Map<Integer, BitSet> methods = new HashMap<>();
  private final Map<Integer, Set<Integer>> stacks = new HashMap<>();
  private final Map<Integer, Set<Integer>> threads = new HashMap<>();
  private final Map<Integer, Set<Integer>> named = new HashMap<>();

  void thread(int process, int thread) {
    threads.computeIfAbsent(process, p -> new HashSet<>()).add(thread);
  }

  /** Another thread has let one of this slice go on. */
  void named(int process, int thread) {
    named.computeIfAbsent(process, p -> new HashSet<>()).add(thread);
  }

  /** Whether a thread has events or is named by one. */
  boolean hasThread(int process, int thread) {
    return threads.getOrDefault(process, Set.of()).contains(thread)
        || named.getOrDefault(process, Set.of()).contains(thread);
  }

  int threads() {
    return threads.values().stream().mapToInt(Set::size).sum();
  }

  /** Methods of one process, to be added to while its events are copied. */
  BitSet methods(int process) {
    return methods.computeIfAbsent(process, p -> new BitSet());
  }

  /** An event has a stack; it and those that it was called from occur, with their methods. */
  void stack(int process, int stack, SampledStacks all) {
    Set<Integer> known = stacks.computeIfAbsent(process, p -> new HashSet<>());
    for (int frame = stack;
        all.payload(process, frame) >= 0 && known.add(frame);
        frame = all.caller(process, frame)) {
      methods(process).set(all.payload(process, frame));
    }
  }

  boolean hasStack(int process, int stack) {
    return stacks.getOrDefault(process, Set.of()).contains(stack);
  }

  boolean hasMethod(int process, int method) {
    return method >= 0 && methods(process).get(method);
  }
}
