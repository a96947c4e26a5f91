package dev.kymo.query.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.duckdb.DuckDBWritableVector;
import org.jspecify.annotations.Nullable;

/**
 * Fills vectors of numbers by whole blocks.
 *
 * <p>The methods of a vector take a lock for each value, which is most of what a scan then costs,
 * so its memory is written directly where it can be found; in other versions of DuckDB the methods
 * are taken.
 */
final class VectorMemory {
  private static final @Nullable VarHandle DATA = field("data");

  /** A bit for each row: 1 = it has a value. All are 0 at first. */
  private static final @Nullable VarHandle VALID = field("validity");

  private VectorMemory() {}

  private static @Nullable VarHandle field(String name) {
    try {
      return MethodHandles.privateLookupIn(DuckDBWritableVector.class, MethodHandles.lookup())
          .findVarHandle(DuckDBWritableVector.class, name, ByteBuffer.class);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  /**
   * The memory of a vector, whose first rows have values from now on; null = it is not found.
   *
   * @param bytes of each row
   */
  private static @Nullable ByteBuffer of(DuckDBWritableVector vector, int count, int bytes) {
    if (DATA == null
        || VALID == null
        || !(DATA.get(vector) instanceof ByteBuffer data)
        || !(VALID.get(vector) instanceof ByteBuffer valid)) {
      return null;
    }
    int words = (count + Long.SIZE - 1) / Long.SIZE;
    if (data.capacity() < count * bytes || valid.capacity() < words * Long.BYTES) {
      return null;
    }
    for (int i = 0; i < words; i++) {
      valid.putLong(i * Long.BYTES, -1);
    }
    return data.duplicate().order(ByteOrder.nativeOrder()).clear();
  }

  /** Puts numbers of 64 bits, none of which is missing. */
  static void longs(DuckDBWritableVector to, long[] from, int first, int count) {
    ByteBuffer data = of(to, count, Long.BYTES);
    if (data != null) {
      data.asLongBuffer().put(0, from, first, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      to.setLong(i, from[first + i]);
    }
  }

  /** Puts numbers of 32 bits, none of which is missing. */
  static void ints(DuckDBWritableVector to, long[] from, int first, int count) {
    ByteBuffer data = of(to, count, Integer.BYTES);
    if (data == null) {
      for (int i = 0; i < count; i++) {
        to.setInt(i, (int) from[first + i]);
      }
      return;
    }
    for (int i = 0; i < count; i++) {
      data.putInt(i * Integer.BYTES, (int) from[first + i]);
    }
  }
}
