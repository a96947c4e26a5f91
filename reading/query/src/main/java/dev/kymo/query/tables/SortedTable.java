package dev.kymo.query.tables;

import dev.kymo.exporters.table.SortedRows;
import dev.kymo.exporters.table.Texts;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of another table in the order of one of its numbers, and of those that are equal in the
 * order in which they were read. One thread reads them, as often as it likes.
 */
public final class SortedTable implements SqlTable {
  private static final int AT_ONCE = 2048;

  private final SqlTable of;
  private final int by;
  private final Path room;

  /**
   * A sorted table.
   *
   * @param by name of the column
   * @param room directory for what does not fit into memory
   */
  public SortedTable(SqlTable of, String by, Path room) {
    this.of = of;
    this.by = of.columns().stream().map(SqlColumn::name).toList().indexOf(by);
    this.room = room;
  }

  @Override
  public String name() {
    return of.name();
  }

  @Override
  public List<SqlColumn> columns() {
    return of.columns();
  }

  @Override
  public long rows() {
    return of.rows();
  }

  @Override
  public Scan scan() {
    return Scan.once(Sorted::new);
  }

  /**
   * The rows.
   *
   * <pre>
   *   a row while it waits: what it is sorted by · place · the other columns; of a text, where it waits
   * </pre>
   */
  private final class Sorted implements Part, Closeable {

    private final boolean[] isText = new boolean[columns().size()];
    private final SortedRows rows = new SortedRows(1 + isText.length, room, "." + name() + "-");
    private final Texts texts = new Texts(room.resolve("." + name() + ".texts"));
    private SortedRows.@Nullable Cursor cursor;

    Sorted() {
      for (int i = 0; i < isText.length; i++) {
        isText[i] = columns().get(i).type() == SqlType.TEXT;
      }
    }

    @Override
    public boolean read(Rows to) {
      try {
        SortedRows.Cursor from = cursor;
        if (from == null) {
          sort(to);
          from = rows.sorted();
          cursor = from;
        }
        for (int i = 0; i < AT_ONCE; i++) {
          if (!from.next()) {
            close();
            return false;
          }
          put(from.row(), to);
        }
        return true;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private void sort(Rows to) {
      boolean[] needed = new boolean[isText.length];
      for (int i = 0; i < needed.length; i++) {
        needed[i] = i == by || to.wants(i);
      }
      Rows read = new Rows(columns(), needed);
      long[] row = new long[1 + isText.length];
      long place = 0;
      Scan scan = of.scan();
      for (Part part = scan.next(); part != null; part = scan.next()) {
        boolean more = true;
        while (more) {
          more = part.read(read);
          for (int i = read.first(); i < read.first() + read.waiting(); i++) {
            row[1] = place++;
            take(read, i, row);
            rows.add(row);
          }
          read.taken(read.waiting());
        }
      }
    }

    private int at(int column) {
      return column == by ? 0 : column < by ? column + 2 : column + 1;
    }

    private void take(Rows read, int i, long[] row) {
      for (int column = 0; column < isText.length; column++) {
        if (!read.wants(column)) {
          row[at(column)] = Rows.NULL;
        } else if (isText[column]) {
          String text = read.texts(column)[i];
          row[at(column)] = text == null ? Rows.NULL : texts.add(text);
        } else {
          row[at(column)] = read.numbers(column)[i];
        }
      }
    }

    private void put(long[] row, Rows to) {
      for (int column = 0; column < isText.length; column++) {
        long value = row[at(column)];
        if (isText[column]) {
          to.put(value == Rows.NULL ? null : texts.get(value));
        } else {
          to.put(value);
        }
      }
      to.end();
    }

    @Override
    public void close() throws IOException {
      try (SortedRows closed = rows) {
        texts.close();
      }
    }
  }
}
