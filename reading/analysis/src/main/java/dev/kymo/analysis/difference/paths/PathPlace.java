package dev.kymo.analysis.difference.paths;

/**
 * Place of a call in a recording.
 *
 * @param thread index of its thread
 * @param begin nanoseconds since the recording's begin
 */
public record PathPlace(int thread, int depth, long begin, long duration) {}
