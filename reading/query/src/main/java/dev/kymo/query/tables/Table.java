package dev.kymo.query.tables;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A table over a recording, whose rows are made when they are asked for. */
public interface Table {
  String name();

  List<Column> columns();

  /**
   * Begins to read it.
   *
   * @param wanted by column; what is not wanted need not be filled in
   */
  Scan scan(boolean[] wanted);

  /** One reading of a table. Safe for use by several threads. */
  interface Scan {
    /** How many threads can read at once. */
    int threads();

    /** A part that nobody has taken; null = there is none. */
    @Nullable Part next();
  }

  /** Some rows of a table, for one thread. */
  interface Part {
    /** Appends some rows, a few thousand at most; returns whether there may be more. */
    boolean read(Rows rows);
  }
}
