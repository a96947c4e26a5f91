package dev.kymo.importers.perf.records;

import dev.kymo.importers.linux.metadata.Input;
import dev.kymo.importers.target.ForeignException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** Reads a file from begin to end, and pieces of it anywhere. */
final class PerfInput {
  /** The largest record fits. */
  private static final int WINDOW = 1 << 20;

  private static final int LARGEST_PIECE = 64 << 20;

  private final Path path;
  private final FileChannel file;
  private final long size;
  private final ByteBuffer window = ByteBuffer.allocate(WINDOW);
  private ByteOrder order = ByteOrder.LITTLE_ENDIAN;
  private long windowAt;

  PerfInput(Path path, FileChannel file) throws IOException {
    this.path = path;
    this.file = file;
    this.size = file.size();
    window.limit(0);
  }

  ByteOrder order() {
    return order;
  }

  /** The file has the other byte order. */
  void swap() {
    order = ByteOrder.BIG_ENDIAN;
  }

  Input.Place place(long offset) {
    return new Input.Place(path, offset);
  }

  long size() {
    return size;
  }

  long position() {
    return windowAt + window.position();
  }

  void position(long at) {
    windowAt = at;
    window.position(0).limit(0);
  }

  /** The next bytes, until the one after them is read. */
  ByteBuffer next(int length) throws IOException {
    if (window.remaining() < length) {
      windowAt += window.position();
      window.compact();
      while (window.position() < length) {
        if (file.read(window, windowAt + window.position()) < 0) {
          throw new ForeignException("file ends too early", path, windowAt, "bytes=" + length);
        }
      }
      window.flip();
    }
    ByteBuffer bytes = window.slice(window.position(), length).order(order);
    window.position(window.position() + length);
    return bytes;
  }

  ByteBuffer read(long at, int length) throws IOException {
    if (at < 0 || length < 0 || length > LARGEST_PIECE || at > size - length) {
      throw new ForeignException("bytes are not in the file", path, at, "bytes=" + length);
    }
    ByteBuffer bytes = ByteBuffer.allocate(length).order(order);
    while (bytes.hasRemaining()) {
      if (file.read(bytes, at + bytes.position()) < 0) {
        throw new ForeignException("file ends too early", path, at, "bytes=" + length);
      }
    }
    return bytes.flip();
  }
}
