package dev.kymo.recorder.messages;

import java.io.FileDescriptor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * How many bytes went through an end of a connection, and the data of its events, which are made
 * once. The JDK reads from a socket under one lock and writes under another, so the fields of each
 * direction are plain.
 *
 * <pre>
 *   data   0  u64 stream   number of the bytes in this direction; the other end has the same
 *          8  u64 position of the first byte
 *         16  u32 bytes
 * </pre>
 */
final class Connection extends WeakReference<FileDescriptor> {
  /** Bytes of the data of an event. */
  static final int SIZE = 20;

  private static final int POSITION = 8;
  private static final int BYTES = 16;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /** Whether its bytes were counted from the first on. */
  final boolean isKnown;

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

  private Connection(FileDescriptor descriptor, boolean isKnown, long out, long in) {
    super(descriptor);
    this.isKnown = isKnown;
    this.written = new Direction(out);
    this.read = new Direction(in);
  }

  /** Something whose bytes are not counted: a file, or a connection that was there before. */
  static Connection unknown(FileDescriptor descriptor) {
    return new Connection(descriptor, false, 0, 0);
  }

  /** A connection through which nothing went so far. */
  static Connection known(FileDescriptor descriptor, long out, long in) {
    return new Connection(descriptor, true, out, in);
  }

  /** Bytes are about to be written that may have a name. */
  void beforeWrite(byte[] first) {
    toWrite = written.name(http, first);
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
