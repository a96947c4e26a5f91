package dev.kymo.model.levels;

import dev.kymo.model.index.ByteCursor;
import dev.kymo.model.index.ByteWriter;

/**
 * A chunk of slices of one row as bytes: a slice takes about twelve instead of forty.
 *
 * <pre>
 *   count, then for each slice: begin - end of the one before (signed) · duration · method
 *                               flags · children or calls · their time
 * </pre>
 */
final class SliceCodec {
  private SliceCodec() {}

  /** Appends the first slices of a row. */
  static void write(SliceRow row, int count, ByteWriter to) {
    to.number(count);
    long last = 0;
    for (int i = 0; i < count; i++) {
      int at = i * SliceRow.SLICE;
      long begin = row.data[at];
      long end = row.data[at + SliceRow.END];
      long word = row.data[at + SliceRow.METHOD];
      to.signed(begin - last).number(end - begin).number(word >>> 32).number(word & 0xFFFFFFFFL);
      to.number(row.data[at + SliceRow.COUNT]).number(row.data[at + SliceRow.TIME]);
      last = end;
    }
  }

  static SliceRow read(ByteCursor from) {
    int count = from.count();
    SliceRow row = new SliceRow();
    row.data = new long[Math.max(1, count) * SliceRow.SLICE];
    row.size = count;
    long last = 0;
    for (int i = 0; i < count; i++) {
      int at = i * SliceRow.SLICE;
      long begin = last + from.signed();
      last = begin + from.number();
      row.data[at] = begin;
      row.data[at + SliceRow.END] = last;
      row.data[at + SliceRow.METHOD] = from.number() << 32 | from.number();
      row.data[at + SliceRow.COUNT] = from.number();
      row.data[at + SliceRow.TIME] = from.number();
    }
    return row;
  }
}
