package dev.kymo.model;

/**
 * A counter of a program's own on one track, over the whole recording.
 *
 * @param event number of its events, as in {@link Timeline#events()}
 * @param count how often its value was told
 * @param min smallest value
 * @param max largest value
 */
public record Counter(int track, int event, long count, double min, double max) {}
