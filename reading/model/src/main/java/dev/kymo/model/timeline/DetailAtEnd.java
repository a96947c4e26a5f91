package dev.kymo.model.timeline;

import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallPass;

/** Reads the calls around the end of one state to find that state's detail. */
final class DetailAtEnd extends CallsToSlices {
  private final int depth;
  private final long end;
  private int object;
  private int other;

  DetailAtEnd(CallPass pass, int depth, long end) {
    super(pass);
    this.depth = depth;
    this.end = end;
  }

  @Override
  void put(CallCursor call, long begin, long endOfCall) {
    // If several end then, the others took no time and came later.
    if (call.depth() == depth && endOfCall == end && begin < end) {
      object = call.object();
      other = call.other();
    }
  }

  /** Identity of what was waited for; 0 = unknown. */
  int object() {
    return object;
  }

  /** Number of the other thread in its process; 0 = unknown. */
  int other() {
    return other;
  }
}
