package dev.kymo.importers.uftrace.data;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file's bytes in their order, with the place where the reader is. */
final class Input implements AutoCloseable {
  private static final int BUFFER = 64 * 1024;

  private final InputStream in;
  private final ByteOrder order;
  private long offset;

  Input(Path file, ByteOrder order) throws IOException {
    this.in = new BufferedInputStream(Files.newInputStream(file), BUFFER);
    this.order = order;
  }

  /** Offset of what is read next. */
  long offset() {
    return offset;
  }

  /** The next bytes; fewer if the file ends. */
  ByteBuffer read(int size) throws IOException {
    byte[] bytes = in.readNBytes(size);
    offset += bytes.length;
    return ByteBuffer.wrap(bytes).order(order);
  }

  /** The next bytes, which are read again then. */
  ByteBuffer peek(int size) throws IOException {
    in.mark(size);
    byte[] bytes = in.readNBytes(size);
    in.reset();
    return ByteBuffer.wrap(bytes).order(order);
  }

  void skip(int size) throws IOException {
    offset += in.readNBytes(size).length;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
