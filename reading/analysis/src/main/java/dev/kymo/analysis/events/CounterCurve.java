package dev.kymo.analysis.events;

import java.util.ArrayList;
import java.util.List;

/**
 * A counter's values as a curve of steps: of values too close to be told apart, the smallest, the
 * largest and the last are kept, so that no peak is lost.
 */
public final class CounterCurve {
  private final int event;
  private final long cell;
  private final List<Point> points = new ArrayList<>();
  private double before = Double.NaN;

  /**
   * A point of the curve; its last value holds until the next one.
   *
   * @param time of its first value
   */
  public record Point(long time, double min, double max, double last) {}

  CounterCurve(int event, long resolution) {
    this.event = event;
    this.cell = Math.max(1, resolution);
  }

  /** The counter's number. */
  public int event() {
    return event;
  }

  /** The value before the first point; not a number if there is none. */
  public double before() {
    return before;
  }

  /** The points in the order of time. */
  public List<Point> points() {
    return points;
  }

  void before(double value) {
    before = value;
  }

  /** A value, not earlier than the one before. */
  void add(long time, double value) {
    Point last = points.isEmpty() ? null : points.getLast();
    if (last != null && last.time() / cell == time / cell) {
      double min = Math.min(last.min(), value);
      double max = Math.max(last.max(), value);
      points.set(points.size() - 1, new Point(last.time(), min, max, value));
    } else {
      points.add(new Point(time, value, value, value));
    }
  }
}
