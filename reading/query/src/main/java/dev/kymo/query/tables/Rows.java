package dev.kymo.query.tables;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows that wait to be taken, column by column.
 *
 * <p>The values of a row are put from left to right, or are set; {@link #end} goes to the next row.
 */
public final class Rows {
  /** A number that is not known. */
  public static final long NULL = Long.MIN_VALUE;

  private static final int FIRST = 4096;

  private final boolean[] wanted;

  /** By column; empty for those of text, and for those that nobody wants. */
  private final long[][] numbers;

  /** By column; empty for those of numbers, and for those that nobody wants. */
  private final @Nullable String[][] texts;

  private int size;
  private int taken;
  private int column;

  /**
   * Room for the rows of a table.
   *
   * @param wanted by column; values of others may be put, and are dropped
   */
  public Rows(List<SqlColumn> columns, boolean[] wanted) {
    this.wanted = wanted.clone();
    numbers = new long[columns.size()][];
    texts = new String[columns.size()][];
    for (int i = 0; i < columns.size(); i++) {
      boolean text = columns.get(i).type() == SqlType.TEXT;
      texts[i] = new String[text && wanted[i] ? FIRST : 0];
      numbers[i] = new long[text || !wanted[i] ? 0 : FIRST];
    }
  }

  /** Whether the values of a column are wanted. */
  boolean wants(int of) {
    return wanted[of];
  }

  /** Puts a number, or {@link #NULL}, into a column that is wanted, wherever that is. */
  void set(int of, long value) {
    long[] numbersOf = numbers[of];
    if (size == numbersOf.length) {
      numbersOf = Arrays.copyOf(numbersOf, 2 * size);
      numbers[of] = numbersOf;
    }
    numbersOf[size] = value;
  }

  /** Puts a number, or {@link #NULL}. */
  Rows put(long value) {
    if (wanted[column]) {
      set(column, value);
    }
    column++;
    return this;
  }

  /** Puts a number of a column of doubles. */
  Rows put(double value) {
    return put(Double.doubleToRawLongBits(value));
  }

  Rows put(boolean value) {
    return put(value ? 1L : 0L);
  }

  /** Puts a text; null = not known. */
  Rows put(@Nullable String value) {
    if (wanted[column]) {
      if (size == texts[column].length) {
        texts[column] = Arrays.copyOf(texts[column], 2 * size);
      }
      texts[column][size] = value;
    }
    column++;
    return this;
  }

  /** The row is complete. */
  void end() {
    size++;
    column = 0;
  }

  /** How many rows wait. */
  public int waiting() {
    return size - taken;
  }

  /** Where the first waiting row is in the columns. */
  public int first() {
    return taken;
  }

  /** The values of a column of numbers; doubles as their bits. */
  public long[] numbers(int of) {
    return numbers[of];
  }

  /** The values of a column of text. */
  public @Nullable String[] texts(int of) {
    return texts[of];
  }

  /** Some rows were taken. */
  public void taken(int count) {
    taken += count;
    if (taken == size) {
      taken = 0;
      size = 0;
    }
  }
}
