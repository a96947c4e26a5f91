package dev.kymo.editing.clocks;

import dev.kymo.editing.clocks.FeasibleLines.Line;
import dev.kymo.editing.clocks.FeasibleLines.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * Bounds of the difference of two clocks: at some moments how large it is at least, at others how
 * large it is at most. The truth is a straight line between, if both clocks go evenly. All times
 * are nanoseconds.
 */
final class ClockBounds {
  /** No clock goes this wrong, nanoseconds a second. */
  private static final double STEEPEST = 1_000_000;

  private static final double SECOND = 1e9;

  private final long origin;
  private final List<Point> above = new ArrayList<>();
  private final List<Point> below = new ArrayList<>();

  /** Near all differences: what is left is small enough to be exact. */
  private long near;

  /** All lines that nothing contradicts, once somebody has asked. */
  private List<Line> lines = List.of();

  private double slack;

  /**
   * Nothing is known.
   *
   * @param origin a time near all others, by the clock that is to be moved
   */
  ClockBounds(long origin) {
    this.origin = origin;
  }

  /** What is to be added to a time of the clock is not less than this. */
  void atLeast(long time, long difference) {
    above.add(point(time, difference));
  }

  /** What is to be added to a time of the clock is not more than this. */
  void atMost(long time, long difference) {
    below.add(point(time, difference));
  }

  private Point point(long time, long difference) {
    if (above.isEmpty() && below.isEmpty()) {
      near = difference;
    }
    return new Point((time - origin) / SECOND, difference - near);
  }

  /**
   * The line in the middle of all those that nothing contradicts. Its error is how far the furthest
   * of them is away, anywhere in a range of time. Empty if there are bounds to one side only.
   */
  Optional<ClockLine> solve(long from, long to) {
    if (above.isEmpty() || below.isEmpty()) {
      return Optional.empty();
    }
    findLines();
    double first = (from - origin) / SECOND;
    double last = Math.max((to - origin) / SECOND, first + 1e-3);
    Middle atBegin = Middle.of(lines, line -> line.at(first));
    Middle atEnd = Middle.of(lines, line -> line.at(last));
    double rate = (atEnd.middle - atBegin.middle) / (last - first) / SECOND;
    double error = Math.max(atBegin.half, atEnd.half) + slack;
    return Optional.of(
        new ClockLine(
            new ClockDrift(near + Math.round(atBegin.middle - slack / 2), from, rate),
            (long) Math.ceil(error) + 1,
            above.size() + below.size(),
            Math.round(slack)));
  }

  /** If bounds contradict each other, by as little slack as makes room for a line. */
  private void findLines() {
    if (lines.isEmpty()) {
      lines = FeasibleLines.of(above, below, STEEPEST);
    }
    while (lines.isEmpty()) {
      slack = slack == 0 ? 100 : 2 * slack;
      List<Point> higher = below.stream().map(p -> new Point(p.x(), p.y() + slack)).toList();
      lines = FeasibleLines.of(above, higher, STEEPEST);
    }
  }

  /** The middle of the least and the most that lines say somewhere, and half of what is between. */
  private record Middle(double middle, double half) {
    static Middle of(List<Line> lines, ToDoubleFunction<Line> what) {
      double least = lines.stream().mapToDouble(what).min().orElseThrow();
      double most = lines.stream().mapToDouble(what).max().orElseThrow();
      return new Middle((least + most) / 2, (most - least) / 2);
    }
  }
}
