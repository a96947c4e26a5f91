package dev.kymo.analysis;

import java.util.Arrays;

/** Numbers, the last one first. Trees of calls are too deep for recursion. */
final class IntStack {
  private int[] values = new int[8];
  private int size;

  void push(int value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size * 2);
    }
    values[size++] = value;
  }

  int pop() {
    return values[--size];
  }

  boolean isEmpty() {
    return size == 0;
  }

  int[] toArray() {
    return Arrays.copyOf(values, size);
  }
}
