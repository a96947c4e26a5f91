package dev.kymo.analysis.selection;

import java.util.Arrays;

/** Numbers, the last one first. Trees of calls are too deep for recursion. */
public final class IntStack {
  private int[] values = new int[8];
  private int size;

  public IntStack() {}

  public void push(int value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size * 2);
    }
    values[size++] = value;
  }

  public int pop() {
    return values[--size];
  }

  public boolean isEmpty() {
    return size == 0;
  }

  public int[] toArray() {
    return Arrays.copyOf(values, size);
  }
}
