package dev.kymo.query.tables;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Names of columns: SQL does not tell capital letters from others. */
final class Names {
  private Names() {}

  /** Columns whose names differ: what repeats a name gets {@code _} after its own. */
  static List<Column> distinct(List<Column> columns) {
    Set<String> names = new HashSet<>();
    List<Column> distinct = new ArrayList<>();
    for (Column column : columns) {
      String name = column.name();
      while (!names.add(name.toLowerCase(Locale.ROOT))) {
        name += '_';
      }
      distinct.add(new Column(name, column.type(), column.meaning()));
    }
    return distinct;
  }
}
