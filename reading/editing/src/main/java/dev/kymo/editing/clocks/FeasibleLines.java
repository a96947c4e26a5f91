package dev.kymo.editing.clocks;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * All straight lines that pass above some points and below others. Each point is a half-plane in
 * which the line's height and slope lie, and all of them together are a convex polygon.
 */
final class FeasibleLines {
  /** A line y = height + slope * x. */
  record Line(double height, double slope) {
    double at(double x) {
      return height + slope * x;
    }
  }

  record Point(double x, double y) {}

  private FeasibleLines() {}

  /**
   * The corners of the polygon; none if there is no such line.
   *
   * @param above points that the line is above or on
   * @param below points that the line is below or on
   * @param steepest slope, in either direction
   */
  static List<Line> of(List<Point> above, List<Point> below, double steepest) {
    double far = 1;
    for (List<Point> points : List.of(above, below)) {
      for (Point point : points) {
        far = Math.max(far, Math.abs(point.y) + steepest * Math.abs(point.x));
      }
    }
    List<Line> corners =
        List.of(
            new Line(-2 * far, -steepest),
            new Line(2 * far, -steepest),
            new Line(2 * far, steepest),
            new Line(-2 * far, steepest));
    for (Point point : outer(above, 1)) {
      corners = cut(corners, point, 1);
    }
    for (Point point : outer(below, -1)) {
      corners = cut(corners, point, -1);
    }
    return corners;
  }

  /**
   * The points that matter: the upper or lower side of the convex hull.
   *
   * @param side 1 = upper, -1 = lower
   */
  private static List<Point> outer(List<Point> points, int side) {
    List<Point> sorted = new ArrayList<>(points);
    sorted.sort(Comparator.comparingDouble(Point::x).thenComparingDouble(Point::y));
    List<Point> hull = new ArrayList<>();
    for (Point point : sorted) {
      while (hull.size() > 1 && !bends(hull.get(hull.size() - 2), hull.getLast(), point, side)) {
        hull.removeLast();
      }
      hull.add(point);
    }
    return hull;
  }

  /** Whether the middle point lies outside the line from the first to the last one. */
  private static boolean bends(Point first, Point middle, Point last, int side) {
    double turn =
        (middle.x - first.x) * (last.y - first.y) - (middle.y - first.y) * (last.x - first.x);
    return turn * side < 0;
  }

  /** The part of a polygon whose lines are on one side of a point. */
  private static List<Line> cut(List<Line> corners, Point point, int side) {
    List<Line> kept = new ArrayList<>();
    for (int i = 0; i < corners.size(); i++) {
      Line one = corners.get(i);
      Line next = corners.get((i + 1) % corners.size());
      double here = (one.at(point.x) - point.y) * side;
      double there = (next.at(point.x) - point.y) * side;
      if (here >= 0) {
        kept.add(one);
      }
      if (here >= 0 != there >= 0) {
        double share = here / (here - there);
        kept.add(
            new Line(
                one.height + share * (next.height - one.height),
                one.slope + share * (next.slope - one.slope)));
      }
    }
    return kept;
  }
}
