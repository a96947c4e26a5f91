package dev.kymo.recorder;

import dev.kymo.format.Definition.MethodMode;

/**
 * What was found out about a method: how it is best recorded.
 *
 * @param mode one of {@link MethodMode}
 * @param rate calls a second on its busiest thread, when that was found out
 */
public record Finding(int mode, long rate) {}
