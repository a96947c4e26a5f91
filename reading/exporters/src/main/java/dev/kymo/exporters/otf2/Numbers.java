package dev.kymo.exporters.otf2;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Definitions of one kind have the numbers 0, 1, 2 and so on: those of keys as they are met. */
final class Numbers {
  private final List<Integer> keys = new ArrayList<>();
  private int[] numbers = {};

  int of(int key) {
    if (key >= numbers.length) {
      numbers = Arrays.copyOf(numbers, Math.max(key + 1, 2 * numbers.length));
    }
    if (numbers[key] == 0) {
      keys.add(key);
      numbers[key] = keys.size();
    }
    return numbers[key] - 1;
  }

  /** All keys by number. */
  List<Integer> keys() {
    return keys;
  }
}
