package dev.kymo.analysis.cause;

import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.TracedMethod;

/**
 * A state of the scheduler that took long.
 *
 * @param thread of the kernel whose state it is
 * @param name of the thread, as the program calls it if that is known
 * @param begin nanoseconds since the recording's begin, or that of the part asked for
 * @param time nanoseconds, of the part asked for
 * @param other who woke it or, of a runnable one, who had the processor before; empty = not known
 * @param open whether it had not ended at the end of the recording
 */
public record LongState(
    ThreadCalls thread,
    String name,
    TracedMethod state,
    long begin,
    long time,
    String other,
    boolean open) {}
