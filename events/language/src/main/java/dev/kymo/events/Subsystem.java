package dev.kymo.events;

import java.util.List;

/**
 * A subsystem with its events.
 *
 * @param id 0 to 65535, unique in the file
 * @param category empty if the file has none
 * @param color {@code #rrggbb}, empty if the file has none
 * @param events at least one, in the order of the file
 */
public record Subsystem(
    String name, int id, String category, String color, List<Event> events, Place place) {}
