package dev.kymo.kernel;

/**
 * The work of a capture so far.
 *
 * @param events delivered
 * @param lost events reported as missing
 * @param late events whose clock was raised, because they came after later events of other
 *     processors
 * @param unknown events that no format describes, left out
 * @param malformed pages that ended with bytes that are not an event
 * @param pages read
 * @param rounds of reading
 * @param cpuNanos processor time of the rounds, including that of the sink
 */
public record KernelStatistics(
    long events,
    long lost,
    long late,
    long unknown,
    long malformed,
    long pages,
    long rounds,
    long cpuNanos) {}
