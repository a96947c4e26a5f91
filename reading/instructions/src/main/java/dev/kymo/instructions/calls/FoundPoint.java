package dev.kymo.instructions.calls;

import dev.kymo.instructions.trace.Functions;

/**
 * An irregular point, as it is found in the blocks of a thread.
 *
 * @param clock number of the instruction
 * @param address of the instruction, or where the thread was interrupted; 0 if it is not known
 * @param to where the thread goes on, 0 if that is not known or nowhere; of a critical function its
 *     begin
 * @param subject the function that was left, or what came: an address as in {@link Functions}; or
 *     the page that is executed
 * @param count of the calls that were left, or of the instructions of others meanwhile
 */
public record FoundPoint(
    PointKind kind, long clock, long address, long to, long subject, long count) {}
