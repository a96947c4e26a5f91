package dev.kymo.analysis.samples;

import java.util.Arrays;

/** How many samples each stack of a process has, and what they weigh, by the stack's number. */
final class SampleCounts {
  private int[] stacks = new int[64];
  private long[] counts = new long[64];

  /** Empty as long as no sample has a weight. */
  private long[] weights = {};

  private int used;
  private long all;
  private long unknown;

  /** Adds a sample of which nothing else is needed. */
  void add() {
    all++;
  }

  /** Adds a sample; 0 = its stack is not known. */
  void add(int stack, long weight) {
    all++;
    if (stack <= 0) {
      unknown++;
      return;
    }
    if (2 * used >= stacks.length) {
      grow();
    }
    int place = place(stack);
    if (stacks[place] == 0) {
      stacks[place] = stack;
      used++;
    }
    counts[place]++;
    if (weight > 0 || weights.length > 0) {
      weights = weights.length == 0 ? new long[counts.length] : weights;
      weights[place] = sum(weights[place], weight);
    }
  }

  /** The sum of two numbers that are not negative, or the largest number. */
  static long sum(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  private int place(int stack) {
    int mask = stacks.length - 1;
    int place = ((stack * 0x9E3779B9) >>> 8) & mask;
    while (stacks[place] != 0 && stacks[place] != stack) {
      place = (place + 1) & mask;
    }
    return place;
  }

  private void grow() {
    int[] oldStacks = stacks;
    long[] oldCounts = counts;
    long[] oldWeights = weights;
    stacks = new int[2 * oldStacks.length];
    counts = new long[stacks.length];
    weights = new long[oldWeights.length == 0 ? 0 : stacks.length];
    for (int i = 0; i < oldStacks.length; i++) {
      if (oldStacks[i] != 0) {
        int place = place(oldStacks[i]);
        stacks[place] = oldStacks[i];
        counts[place] = oldCounts[i];
        if (weights.length > 0) {
          weights[place] = oldWeights[i];
        }
      }
    }
  }

  /** Takes stacks with their samples. */
  @FunctionalInterface
  interface Sink {
    void stack(int stack, long samples, long weight);
  }

  /** Hands out all stacks, in ascending order. */
  void forEach(Sink sink) {
    int[] sorted = Arrays.stream(stacks).filter(stack -> stack != 0).sorted().toArray();
    for (int stack : sorted) {
      int place = place(stack);
      sink.stack(stack, counts[place], weights.length == 0 ? 0 : weights[place]);
    }
  }

  /** All samples. */
  long all() {
    return all;
  }

  /** Samples whose stack is not known. */
  long unknown() {
    return unknown;
  }
}
