package dev.kymo.exporters.stacks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** Numbers of frames by method: methods of the same value are one frame. */
final class Frames<T> {
  private final IntFunction<T> values;
  private final Map<T, Integer> numbers = new HashMap<>();
  private final List<T> inOrder = new ArrayList<>();
  private int[] byMethod = {};

  /** None yet; {@code values} says what a method is as a frame. */
  Frames(IntFunction<T> values) {
    this.values = values;
  }

  /** The number of a method's frame, from 0, in the order in which frames are met. */
  int of(int method) {
    if (method >= byMethod.length) {
      byMethod = Arrays.copyOf(byMethod, Math.max(method + 1, 2 * byMethod.length));
    }
    if (byMethod[method] == 0) {
      byMethod[method] =
          1
              + numbers.computeIfAbsent(
                  values.apply(method),
                  value -> {
                    inOrder.add(value);
                    return inOrder.size() - 1;
                  });
    }
    return byMethod[method] - 1;
  }

  /** All frames by number. */
  List<T> all() {
    return inOrder;
  }
}
