package dev.kymo.model.arrows;

/**
 * A value that a counter had.
 *
 * @param time when it was reported
 * @param last whether no later one was reported before the time in question; otherwise some may
 *     have been
 */
public record CounterValue(long time, double value, boolean last) {}
