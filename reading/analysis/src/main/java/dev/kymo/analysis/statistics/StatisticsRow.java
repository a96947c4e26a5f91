package dev.kymo.analysis.statistics;

import dev.kymo.analysis.selection.PlacedCall;
import org.jspecify.annotations.Nullable;

/**
 * How often something happened, and how long it took; nanoseconds. Percentiles are within 1.6 %, of
 * counted calls within 25 %; durations below 0 count as 0 in them.
 *
 * @param number of the method, state or event
 * @param group number of the process, of the track of the thread, or of the processor (-1 = not
 *     known), as the {@link Grouping} says
 * @param name of the method, state or event
 * @param count all of them
 * @param counted of these, calls that were counted and not recorded one by one
 * @param begun how many began in each column of time; without those counted
 * @param timed whether it is known how long any of them took
 * @param total of all, of recursive calls only the outermost
 * @param least the shortest of those recorded
 * @param longest where the longest is, and how long it took as a whole; null = none is recorded
 * @param estimated whether counted calls were timed by sample
 * @param atLeast whether events were lost, or the method was left out, so that there may be more
 */
@SuppressWarnings({"ArrayRecordComponent", "checkstyle:ParameterNumber"}) // one component a fact
public record StatisticsRow(
    int number,
    int group,
    String name,
    long count,
    long counted,
    long[] begun,
    boolean timed,
    long total,
    long least,
    long p50,
    long p90,
    long p99,
    long max,
    @Nullable PlacedCall longest,
    boolean estimated,
    boolean atLeast) {}
