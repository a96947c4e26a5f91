package dev.kymo.instructions.listing;

import dev.kymo.instructions.calls.PointKind;

/**
 * A line of the list of irregular points.
 *
 * @param clock number of the instruction
 * @param address of the instruction; 0 if it is not known
 * @param module name of the file with it, empty if it is in none
 * @param function with the distance from its begin, {@code main+0x1c}
 * @param text what else is known
 */
public record IrregularPoint(
    long clock,
    int process,
    int thread,
    PointKind kind,
    long address,
    String module,
    String function,
    String text) {}
