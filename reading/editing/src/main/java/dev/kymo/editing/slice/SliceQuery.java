package dev.kymo.editing.slice;

import dev.kymo.model.calls.ThreadCalls;
import java.util.function.Predicate;

/**
 * The part of a recording that is wanted; ends included.
 *
 * @param from nanoseconds since the recording's begin
 * @param to nanoseconds since the recording's begin
 */
public record SliceQuery(long from, long to, Predicate<ThreadCalls> threads) {}
