package dev.kymo.model.definitions;

import dev.kymo.format.Definition;

/**
 * From here on, a method is recorded in another way.
 *
 * @param time nanoseconds since the recording's begin; from {@link RecordedDefinitions} it is clock
 *     ticks
 * @param method number in the recording
 * @param mode one of {@link Definition.MethodMode}
 * @param before the mode until now
 * @param reason one sentence with its numbers
 */
public record ModeStep(long time, int process, int method, int mode, int before, String reason) {}
