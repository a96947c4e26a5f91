package dev.kymo.analysis.cause;

/**
 * States of one kind that a thread was in during a call.
 *
 * @param method what the state is: its type the kind, its name what was waited for
 * @param other track of who let the thread go on or, of a runnable one, of who had the processor
 *     before; -1 = not known
 * @param object distinguishes objects of one class; 0 = unknown
 * @param count how many
 * @param time nanoseconds within the call
 */
public record CausePart(int method, int other, int object, long count, long time) {}
