package dev.kymo.model.arrows;

import java.util.List;

/**
 * Arrows from the thread that let another one continue, or sent it a message, to that other thread.
 *
 * @param arrows in the order of their times
 * @param longestOnly whether there are more, all of shorter waits
 */
public record Arrows(List<Arrow> arrows, boolean longestOnly) {
  /**
   * A state that ended, or a message.
   *
   * @param time when it ended, or the message was received
   * @param waited nanoseconds that the state took, or the message; negative if it was received
   *     before it was sent, as clocks of different machines have it
   * @param fromTrack track of states of the thread that let it continue; if that thread never
   *     waited, its track of calls
   * @param toTrack track of the state
   * @param method what was waited for, or the event that sent the message
   */
  public record Arrow(long time, long waited, int fromTrack, int toTrack, int method) {}
}
