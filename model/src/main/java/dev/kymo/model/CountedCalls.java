package dev.kymo.model;

import dev.kymo.format.Definition;

/**
 * Calls of one method on one track that were counted in one mode.
 *
 * @param method number in the recording
 * @param mode {@link Definition.MethodMode#TIMED} or {@link Definition.MethodMode#SAMPLED}
 * @param calls begun
 * @param timed calls that were timed, when they ended: all that ended, or in mode SAMPLED some
 * @param total nanoseconds of the timed calls that lay in no other timed one of the method
 * @param durations nanoseconds of all timed calls
 * @param max nanoseconds of the longest timed call until the range's end, if any falls into it
 * @param histogram timed calls by duration: {@link Counts#bucketBegin}
 */
@SuppressWarnings({"ArrayRecordComponent", "checkstyle:ParameterNumber"}) // columns, never a key
public record CountedCalls(
    int method,
    int mode,
    long calls,
    long timed,
    long total,
    long durations,
    long max,
    long[] histogram) {}
