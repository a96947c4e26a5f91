package dev.kymo.query.tables;

/**
 * A column of a table.
 *
 * @param meaning one line, with the unit if it has one
 */
public record Column(String name, ColumnType type, String meaning) {}
