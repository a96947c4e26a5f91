package dev.kymo.analysis.search;

import dev.kymo.analysis.events.NearestEvent;
import dev.kymo.analysis.selection.PlacedCall;

/**
 * A call of a method that was looked for, or an event of the program's own. Times are nanoseconds
 * since the recording's begin.
 *
 * @param depth {@link NearestEvent#DEPTH} of an event
 * @param method number of the method, or of the kind of event
 * @param duration 0 of an event
 */
public record Hit(int track, int depth, int method, long begin, long duration) {
  PlacedCall place() {
    return new PlacedCall(track, depth, begin, duration);
  }
}
