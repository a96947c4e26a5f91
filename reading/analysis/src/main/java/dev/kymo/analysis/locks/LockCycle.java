package dev.kymo.analysis.locks;

import dev.kymo.model.calls.ThreadCalls;
import java.util.List;

/**
 * A possible deadlock: threads each of which has what the one before it wants.
 *
 * @param steps at least two; what one wants the next one has, and the first one what the last wants
 */
public record LockCycle(List<Step> steps) {
  /**
   * An example of how a thread took one object while it had another one.
   *
   * @param held kind and name, or address
   * @param heldShared whether it had that for reading
   * @param wanted kind and name, or address
   * @param wantedShared whether it wanted that for reading
   * @param heldAt where it got the first one; of Java, where it was when the other thread began to
   *     wait for that
   * @param wantedAt where it began to take the second one
   * @param open whether it waited for that until the end
   */
  public record Step(
      String held,
      boolean heldShared,
      String wanted,
      boolean wantedShared,
      ThreadCalls thread,
      LockPlace heldAt,
      LockPlace wantedAt,
      boolean open) {}

  /** Whether each of the threads waited for the next one until the end. */
  public boolean hasHappened() {
    return steps.stream().allMatch(Step::open);
  }
}
