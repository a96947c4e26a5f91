package dev.kymo.exporters.picture;

import dev.kymo.model.timeline.Track;
import java.util.List;

/**
 * A thread in a picture.
 *
 * @param track its calls, or else its states
 * @param states tracks of what it waited for and what the kernel did with it: a strip each
 * @param depth how many nested calls are shown
 */
record Row(Track track, List<Track> states, int depth) {
  static final int CALL = 15;
  static final int STRIP = 13;
  private static final int GAP = 8;
  private static final int LEAST = 18;

  /** Pixels. */
  int height() {
    return Math.max(LEAST, states.size() * STRIP + depth * CALL) + GAP;
  }
}
