package dev.kymo.importers.tracedat.file;

import dev.kymo.importers.linux.metadata.Input;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** The pages of one processor, one after the other, as they are or unpacked. */
final class Pages {
  /** Bytes that are read at once. */
  private static final int PART = 128 * 1024;

  /** trace-cmd packs ten pages together. */
  private static final int MOST_UNPACKED = 48;

  private final FileChannel file;
  private final Input in;
  private final Unpacker unpacker;
  private final TraceMetadata.CpuPlace place;
  private final boolean packed;
  private final int pageSize;
  private byte[] part = {};
  private int filled;
  private int at;
  private int length;

  /** Where the next bytes are in the file. */
  private long next;

  private long chunks = -1;
  private long partAt;

  Pages(
      FileChannel file,
      Input in,
      Unpacker unpacker,
      TraceMetadata.Buffer buffer,
      TraceMetadata.CpuPlace place) {
    this.file = file;
    this.in = in;
    this.unpacker = unpacker;
    this.place = place;
    this.packed = buffer.packed();
    this.pageSize = buffer.pageSize();
    this.next = place.offset();
  }

  /** Goes to the next page; false at the end. */
  boolean next() throws IOException {
    at += length;
    if (at >= filled && !fill()) {
      length = 0;
      return false;
    }
    length = Math.min(pageSize, filled - at);
    return true;
  }

  private boolean fill() throws IOException {
    at = 0;
    filled = 0;
    partAt = next;
    return packed ? unpack() : read();
  }

  private boolean read() throws IOException {
    long left = place.offset() + place.size() - next;
    if (left <= 0) {
      return false;
    }
    int wanted = (int) Math.min(left, Math.max(1, PART / pageSize) * (long) pageSize);
    if (part.length < wanted) {
      part = new byte[wanted];
    }
    while (filled < wanted) {
      int read = file.read(ByteBuffer.wrap(part, filled, wanted - filled), next + filled);
      if (read <= 0) {
        throw in.wrong("file ends too early", "cpu=" + place.cpu());
      }
      filled += read;
    }
    next += filled;
    return true;
  }

  private boolean unpack() throws IOException {
    if (place.size() == 0) {
      return false;
    }
    in.seek(next);
    if (chunks < 0) {
      chunks = in.number(4);
    }
    while (filled == 0) {
      if (chunks-- <= 0) {
        return false;
      }
      part = unpacker.unpack(in, Math.max(PART, MOST_UNPACKED * pageSize));
      filled = part.length;
      next = in.position();
    }
    return true;
  }

  byte[] bytes() {
    return part;
  }

  /** Where the page begins among the bytes. */
  int at() {
    return at;
  }

  /** Bytes of the page. */
  int length() {
    return length;
  }

  /** Bytes of the file that were read. */
  long done() {
    return next - place.offset();
  }

  /** Where the page is in the file; where it is packed, the bytes that it is packed in. */
  long position() {
    return packed ? partAt : partAt + at;
  }
}
