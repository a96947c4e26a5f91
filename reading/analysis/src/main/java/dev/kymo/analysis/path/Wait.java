package dev.kymo.analysis.path;

/**
 * A time in which a thread did not go on by itself.
 *
 * @param state what it waited for
 * @param object distinguishes objects of one class; 0 = unknown
 * @param other track of who let it go on; -1 = not known
 */
record Wait(long begin, long end, int state, int object, int other) {}
