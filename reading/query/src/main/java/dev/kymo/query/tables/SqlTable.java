package dev.kymo.query.tables;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A table over a recording, whose rows are made when they are asked for. */
public interface SqlTable {
  String name();

  /** What it is a part of, as an event of its subsystem; empty for most tables. */
  default String group() {
    return "";
  }

  List<SqlColumn> columns();

  /** About how many rows it has: of two tables that are joined, the smaller one is kept. */
  long rows();

  /** Begins to read it. */
  Scan scan();

  /** One reading of a table. Safe for use by several threads. */
  interface Scan {
    /** A reading by one thread, whose rows are all in one part. */
    static Scan once(Supplier<Part> all) {
      AtomicBoolean taken = new AtomicBoolean();
      return new Scan() {
        @Override
        public int threads() {
          return 1;
        }

        @Override
        public @Nullable Part next() {
          return taken.getAndSet(true) ? null : all.get();
        }
      };
    }

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
