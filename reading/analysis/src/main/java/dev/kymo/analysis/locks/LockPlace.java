package dev.kymo.analysis.locks;

import dev.kymo.model.definitions.TracedMethod;
import java.util.List;
import java.util.Optional;

/**
 * Where a thread was.
 *
 * @param time nanoseconds since the recording's begin
 * @param calls that were running then, the outermost first; nothing if none were recorded
 * @param caller address of the code that called the thread library; 0 = unknown
 * @param code the function there, its line that of the call; empty = unknown
 */
public record LockPlace(
    long time, List<TracedMethod> calls, long caller, Optional<TracedMethod> code) {}
