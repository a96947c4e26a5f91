package dev.kymo.model.arrows;

/**
 * The range of a user counter on one track, over the whole recording.
 *
 * @param event number of its events in the recording, among those of methods
 * @param count how many values were reported
 * @param min smallest value
 * @param max largest value
 */
public record CounterRange(int track, int event, long count, double min, double max) {}
