package dev.kymo.recorder.messages;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * How many bytes went through an end of a connection, and the data of its events, which are made
 * once. One thread at a time writes, and one reads, so the fields of each direction are plain.
 *
 * <pre>
 *   data   0  u64 stream   number of the bytes in this direction; the other end has the same
 *          8  u64 position of the first byte
 *         16  u32 bytes
 * </pre>
 */
final class Traffic {
  /** Bytes of the data of an event. */
  static final int SIZE = 20;

  /** The fields of these events. */
  static final String FIELDS = "u64 stream; u64 position; u32 bytes;";

  private static final int POSITION = 8;
  private static final int BYTES = 16;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private final HttpNames http = new HttpNames();
  private final Direction written;
  private final Direction read;

  /** Belongs to the written direction. */
  private HttpNames.@Nullable Name toWrite;

  /** The bytes of one direction. */
  private static final class Direction {
    private final byte[] data = new byte[SIZE];
    private long position;

    Direction(long stream) {
      LONG.set(data, 0, stream);
    }

    HttpNames.@Nullable Name name(HttpNames http, byte[] first) {
      return http.name(first, (long) LONG.get(data, 0), position);
    }

    byte[] add(long bytes) {
      LONG.set(data, POSITION, position);
      INT.set(data, BYTES, (int) bytes);
      position += bytes;
      return data;
    }
  }

  /** Nothing went through so far; the numbers are those of the two streams. */
  Traffic(long out, long in) {
    this.written = new Direction(out);
    this.read = new Direction(in);
  }

  /** Bytes are about to be written that may have a name, or null: that have none. */
  void beforeWrite(byte @Nullable [] first) {
    toWrite = first == null ? null : written.name(http, first);
  }

  /** What the bytes are called that were written and are not counted yet; null if nothing. */
  HttpNames.@Nullable Name takeWritten() {
    HttpNames.Name name = toWrite;
    toWrite = null;
    return name;
  }

  /** What bytes are called that were read and are not counted yet; null if nothing. */
  HttpNames.@Nullable Name afterRead(byte[] first) {
    return read.name(http, first);
  }

  /** Counts bytes; returns the data of the event about them, which the next call changes. */
  byte[] wrote(long bytes) {
    return written.add(bytes);
  }

  /** Likewise. */
  byte[] read(long bytes) {
    return read.add(bytes);
  }
}
