package dev.kymo.analysis.difference.paths;

import dev.kymo.analysis.cause.ProgramWaits;
import dev.kymo.analysis.cause.TimeUses;
import dev.kymo.analysis.costs.CountedCost;
import org.jspecify.annotations.Nullable;

/**
 * Facts of a thread that are known before its events come.
 *
 * @param inside nanoseconds of a recorded call's probes that fall into its own time; 0 if unknown
 * @param outside those that fall into its caller's
 */
record OfThread(
    RolePaths role,
    double nanosPerTick,
    double inside,
    double outside,
    @Nullable ProgramWaits waits,
    @Nullable TimeUses uses,
    @Nullable CountedCost counted) {
  PathNode root() {
    return role.root();
  }
}
