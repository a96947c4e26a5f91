package dev.kymo.model.timeline;

/**
 * An interval in which events of a track were lost.
 *
 * @param lost how many
 */
public record Gap(long from, long to, long lost) {}
