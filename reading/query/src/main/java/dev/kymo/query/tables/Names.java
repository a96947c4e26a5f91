package dev.kymo.query.tables;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Names as tables and columns have them: those in recordings may have anything in them. */
final class Names {
  /** Groups that the engine has itself. */
  private static final Set<String> TAKEN =
      Set.of("main", "memory", "temp", "system", "information_schema", "pg_catalog");

  private Names() {}

  /** The group of a subsystem's events. */
  static String group(String subsystem) {
    String name = plain(subsystem, "events");
    return TAKEN.contains(name.toLowerCase(Locale.ROOT)) ? name + '_' : name;
  }

  /** A name without what cannot be written in SQL. */
  static String plain(String name, String otherwise) {
    return name.isEmpty() ? otherwise : name.replaceAll("\\p{Cntrl}", "?");
  }

  /**
   * Columns whose names differ, also in small letters: what repeats a name gets {@code _} after its
   * own.
   */
  static List<SqlColumn> distinct(List<SqlColumn> columns) {
    Set<String> names = new HashSet<>();
    List<SqlColumn> distinct = new ArrayList<>();
    for (SqlColumn column : columns) {
      String name = plain(column.name(), "unnamed");
      while (!names.add(name.toLowerCase(Locale.ROOT))) {
        name += '_';
      }
      distinct.add(new SqlColumn(name, column.type(), column.meaning()));
    }
    return distinct;
  }
}
