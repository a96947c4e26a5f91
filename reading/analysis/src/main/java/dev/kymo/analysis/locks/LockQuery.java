package dev.kymo.analysis.locks;

import dev.kymo.model.calls.ThreadCalls;
import java.util.function.Predicate;

/**
 * What somebody wants to know about locks.
 *
 * @param from nanoseconds since the recording's begin
 * @param to nanoseconds since the recording's begin; what ends between the two counts, as a whole
 * @param threads whose acquisitions, waits and holds count; of deadlocks all are looked at
 * @param objects by kind and name: {@code mutex queue}
 * @param longest how many of the longest waits are reported
 */
public record LockQuery(
    long from, long to, Predicate<ThreadCalls> threads, Predicate<String> objects, int longest) {}
