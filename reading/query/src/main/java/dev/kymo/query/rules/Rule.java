package dev.kymo.query.rules;

/**
 * What somebody demands of a recording.
 *
 * @param name as it was named, or else its text
 * @param place where it stands, {@code FILE:LINE:COLUMN}
 */
public record Rule(String name, Condition condition, String place) {}
