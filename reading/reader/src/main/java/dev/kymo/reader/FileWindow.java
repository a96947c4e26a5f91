package dev.kymo.reader;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.IntSupplier;

/**
 * A piece of a file in memory, which moves along as the file is read. All bytes of a recording come
 * in here: whoever asks for bytes says how many, and gets them or false.
 */
final class FileWindow {
  private final StreamSource file;
  private final Diagnostics diagnostics;
  private final IntSupplier size;
  private ByteBuffer buffer = ByteBuffer.allocate(0);
  private long begin;
  private int length;

  /**
   * An empty window.
   *
   * @param size bytes that it may have at most
   */
  FileWindow(StreamSource file, Diagnostics diagnostics, IntSupplier size) {
    this.file = file;
    this.diagnostics = diagnostics;
    this.size = size;
  }

  StreamSource file() {
    return file;
  }

  /** The bytes; little-endian. Index 0 is at {@link #begin()}. */
  ByteBuffer buffer() {
    return buffer;
  }

  long begin() {
    return begin;
  }

  /** Bytes in the window. */
  int length() {
    return length;
  }

  boolean holds(long position, int bytes) {
    return position >= begin && position + bytes <= begin + length;
  }

  /**
   * Moves the window so that it begins at a position, unless it has the bytes already.
   *
   * @param bytes that must be there; more than the usual size makes it larger
   * @return false if the file ends before them or cannot be read
   */
  boolean require(long position, int bytes) {
    return holds(position, bytes) || load(position, bytes) >= bytes;
  }

  /** Index in the buffer of a position in the window. */
  int index(long position) {
    return (int) (position - begin);
  }

  /** Moves the window to a position and returns how many bytes are there. */
  private int load(long position, int bytes) {
    int usual = (int) Math.min(size.getAsInt(), Math.max(file.size(), 64));
    int wanted = Math.max(bytes, usual);
    if (buffer.capacity() < wanted) {
      buffer = ByteBuffer.allocate(wanted).order(ByteOrder.LITTLE_ENDIAN);
    }
    begin = position;
    length = read(buffer, position);
    return length;
  }

  /** Reads elsewhere without moving the window. */
  int read(ByteBuffer to, long position) {
    try {
      int got = file.read(to.clear(), position);
      to.clear();
      return got;
    } catch (IOException e) {
      diagnostics.add(
          Oddity.UNREADABLE_FILE,
          file.name(),
          position,
          () -> "error=\"%s\"".formatted(e.getMessage()));
      return 0;
    }
  }

  /** Forgets the window's bytes, because the file may have changed. */
  void discard() {
    length = 0;
  }

  void release() {
    buffer = ByteBuffer.allocate(0);
    length = 0;
  }
}
