package dev.kymo.recorder.budget;

import dev.kymo.format.Definition.MethodMode;

/**
 * A finding about a method: the best way to record it.
 *
 * @param mode one of {@link MethodMode}
 * @param rate calls per second on its busiest thread at that time
 */
public record BudgetFinding(int mode, long rate) {}
