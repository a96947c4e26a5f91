package dev.kymo.query.tables;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A table of few rows.
 *
 * @param rows about how many
 * @param fill puts all of them
 */
record SmallTable(String name, long rows, List<Column> columns, Consumer<Rows> fill)
    implements Table {
  @Override
  public Scan scan(boolean[] wanted) {
    AtomicBoolean taken = new AtomicBoolean();
    return new Scan() {
      @Override
      public int threads() {
        return 1;
      }

      @Override
      public @Nullable Part next() {
        return taken.getAndSet(true) ? null : SmallTable.this::read;
      }
    };
  }

  private boolean read(Rows rows) {
    fill.accept(rows);
    return false;
  }
}
