package dev.kymo.recorder.messages;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The number of bytes that went through an end of a connection, and the data of its events, which
 * are made once. One thread at a time writes, and one reads, so the fields of each direction are
 * plain.
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

  // Of the written direction.

  private HttpNames.@Nullable Name toWrite;
  private @Nullable Content content;

  private volatile boolean isHttp2;

  private static final class Direction {
    private final byte[] data = new byte[SIZE];
    private long position;

    /** If it is HTTP/2. */
    private @Nullable Http2Frames frames;

    /** The request of HTTP/1 after which it became HTTP/2. */
    private long firstRequest;

    Direction(long stream) {
      LONG.set(data, 0, stream);
    }

    /** The number of these bytes. */
    long stream() {
      return (long) LONG.get(data, 0);
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

  /**
   * Bytes are about to be written.
   *
   * @param first a copy of the first ones if they may have a name
   */
  void beforeWrite(byte @Nullable [] first) {
    toWrite = first == null ? null : name(written, first);
    content = null;
  }

  /** Whether {@link #namesOfWritten} looks at all the bytes. */
  boolean looksAtWritten() {
    return written.frames != null;
  }

  /** The same bytes. */
  void beforeWrite(Content all) {
    content = all;
  }

  /** What the bytes are called that were written and are not counted yet; null if nothing. */
  HttpNames.@Nullable Name takeWritten() {
    HttpNames.Name name = toWrite;
    toWrite = null;
    return name;
  }

  /** What bytes are called that were read and are not counted yet; null if nothing. */
  HttpNames.@Nullable Name afterRead(byte[] first) {
    return name(read, first);
  }

  private HttpNames.@Nullable Name name(Direction direction, byte[] first) {
    if (direction.frames != null) {
      return null;
    }
    Http2Frames frames = Http2Frames.of(first, direction.position == 0);
    if (frames != null) {
      direction.frames = frames;
      isHttp2 |= frames.isClient();
      return null;
    }
    HttpLine line = HttpLine.of(first);
    if (line == null) {
      return null;
    }
    int length = line.lengthBeforeHttp2();
    if (length > 0) {
      direction.firstRequest = http.pending();
      direction.frames = Http2Frames.after(length);
    }
    return http.name(line, direction.stream(), direction.position);
  }

  /** What is in bytes of HTTP/2 that were written and are not counted yet. */
  List<HttpNames.Name> namesOfWritten(long bytes) {
    return written.frames == null ? List.of() : names(written, read, content, bytes);
  }

  /** Whether {@link #namesOfRead} looks at the bytes. */
  boolean looksAtRead() {
    return read.frames != null;
  }

  /**
   * What is in bytes of HTTP/2 that were read and are not counted yet.
   *
   * @param content null if nobody can see them
   */
  List<HttpNames.Name> namesOfRead(@Nullable Content content, long bytes) {
    return names(read, written, content, bytes);
  }

  private List<HttpNames.Name> names(
      Direction direction, Direction back, @Nullable Content seen, long bytes) {
    Http2Frames frames = direction.frames;
    if (frames == null) {
      return List.of();
    }
    if (seen == null || !HttpNames.areOn()) {
      frames.unseen(seen == null ? bytes : Long.MAX_VALUE);
      return List.of();
    }
    List<HttpNames.Name> names = new ArrayList<>(1);
    long client = frames.isClient() ? direction.stream() : back.stream();
    for (Http2Frames.Found found : frames.next(seen, (int) bytes)) {
      boolean isFirst = found.id == 1 && direction.firstRequest != 0;
      long request = isFirst ? direction.firstRequest : HttpNames.number(client, found.id);
      if (isHttp2 || isFirst) {
        names.add(HttpNames.name(found.line, request, direction.stream(), direction.position));
      }
    }
    return names;
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
