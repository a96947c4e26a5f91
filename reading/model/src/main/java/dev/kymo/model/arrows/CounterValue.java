package dev.kymo.model;

/**
 * A value that a counter had.
 *
 * @param time when it was told
 * @param last whether no other one was told before the time that was asked about; otherwise some
 *     may have been
 */
public record CounterValue(long time, double value, boolean last) {}
