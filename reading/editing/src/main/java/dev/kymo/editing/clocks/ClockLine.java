package dev.kymo.editing.clocks;

/**
 * Relation of one clock to another, and how well it is known.
 *
 * @param drift of the clock
 * @param error nanoseconds by which its times may be wrong after that
 * @param readings that say so
 * @param slack nanoseconds by which the readings contradict each other, part of the error; above 0
 *     if a clock does not go evenly
 */
public record ClockLine(ClockDrift drift, long error, int readings, long slack) {}
