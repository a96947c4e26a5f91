package dev.kymo.model;

import java.util.List;

/**
 * Arrows from the thread that let another one go on to that one.
 *
 * @param arrows in the order of their times
 * @param longestOnly whether there are more, of shorter waits than any of these
 */
public record Arrows(List<Arrow> arrows, boolean longestOnly) {
  /**
   * A state that ended.
   *
   * @param time when it ended
   * @param waited nanoseconds that the state took
   * @param fromTrack track of states of the thread that let it go on; if that one never waited, its
   *     track of calls
   * @param toTrack track of the state
   * @param method what was waited for
   */
  public record Arrow(long time, long waited, int fromTrack, int toTrack, int method) {}
}
