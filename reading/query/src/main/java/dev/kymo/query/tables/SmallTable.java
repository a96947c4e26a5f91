package dev.kymo.query.tables;

import java.util.List;
import java.util.function.Consumer;

/**
 * A table of few rows.
 *
 * @param rows about how many
 * @param fill puts all of them
 */
record SmallTable(String name, long rows, List<SqlColumn> columns, Consumer<Rows> fill)
    implements SqlTable {
  @Override
  public Scan scan() {
    return Scan.once(() -> this::read);
  }

  private boolean read(Rows rows) {
    fill.accept(rows);
    return false;
  }
}
