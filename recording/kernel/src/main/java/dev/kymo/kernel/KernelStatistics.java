package dev.kymo.kernel;

/**
 * What a capture did so far.
 *
 * @param events delivered
 * @param lost events told to be missing
 * @param late events whose clock was raised, since they came after later ones of other processors
 * @param unknown events that no format describes, left out
 * @param malformed pages that ended with something that is no event
 * @param pages read
 * @param rounds of reading
 * @param cpuNanos processor time of the rounds, what the sink did included
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
