package dev.kymo.analysis.difference;

import dev.kymo.analysis.difference.paths.PathNode;
import dev.kymo.analysis.difference.paths.PathPlace;
import dev.kymo.model.calls.ThreadCalls;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The longest call of a path on one side.
 *
 * @param recording which of the side's recordings has it; 0 = the first
 */
public record LongestCall(int recording, ThreadCalls thread, PathPlace at) {
  /** Of a path; empty if no recording of the side has a call of it. */
  public static Optional<LongestCall> of(Difference difference, AlignedNode node, Side side) {
    Optional<LongestCall> longest = Optional.empty();
    long most = -1;
    for (int i = 0; i < difference.recordings(side).size(); i++) {
      @Nullable PathNode known = node.side(side).known(i);
      // What stands for the threads is no call.
      if (node.parent() != null && known != null && known.calls() > 0) {
        PathPlace place = known.longest();
        if (place.duration() > most) {
          most = place.duration();
          ThreadCalls thread = difference.recordings(side).get(i).thread(place);
          longest = Optional.of(new LongestCall(i, thread, place));
        }
      }
    }
    return longest;
  }
}
