package dev.kymo.analysis.events;

import java.util.List;

/**
 * Events of a program's own that are drawn as one.
 *
 * @param begin time of the first
 * @param end time of the last
 * @param count how many
 * @param different of how many kinds
 * @param most the most frequent kinds, at most three
 */
public record Mark(long begin, long end, long count, int different, List<Kind> most) {
  /** So many events of a kind. */
  public record Kind(int event, long count) {}
}
