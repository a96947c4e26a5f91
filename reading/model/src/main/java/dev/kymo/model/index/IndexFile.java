package dev.kymo.model.index;

import dev.kymo.reader.SafeDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Blocks of bytes, one after the other: in a file, or in memory if no file is wanted. A block once
 * written is never changed, and checked when it is read. Safe for use by several threads.
 *
 * <pre>
 *   block:   0  bytes
 *            n  u32 CRC-32C of them
 * </pre>
 */
public final class IndexFile implements AutoCloseable {
  private static final int BUFFER = 256 << 10;
  private static final int CHECK = 4;

  private final @Nullable SafeDirectory directory;
  private final String name;
  private @Nullable FileChannel channel;

  /** What is not yet in the file. */
  private byte[] buffer = new byte[1024];

  private int buffered;
  private long written;

  private IndexFile(@Nullable SafeDirectory directory, String name) {
    this.directory = directory;
    this.name = name;
  }

  public static IndexFile inMemory() {
    return new IndexFile(null, "memory");
  }

  /** A new file, in place of what has that name. */
  static IndexFile create(SafeDirectory directory, String name) throws IOException {
    IndexFile file = new IndexFile(directory, name);
    file.channel = directory.create(name);
    return file;
  }

  static IndexFile open(SafeDirectory directory, String name) throws IOException {
    IndexFile file = new IndexFile(directory, name);
    file.channel = directory.read(name);
    file.written = file.channel.size();
    return file;
  }

  public synchronized long size() {
    return written + buffered;
  }

  /** Checks that the file is all there. */
  public void expect(long size) {
    if (size != size()) {
      throw new DamagedIndexException("file=%s size=%d".formatted(name, size()));
    }
  }

  /** Appends a block; returns where it is. */
  public synchronized long append(ByteWriter bytes) {
    CRC32C check = new CRC32C();
    check.update(bytes.data, 0, bytes.size);
    bytes.fixed((int) check.getValue());
    long at = size();
    if (buffered + bytes.size > BUFFER && directory != null) {
      flush();
    }
    if (buffered + bytes.size > buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.max(buffered + bytes.size, buffer.length * 2));
    }
    System.arraycopy(bytes.data, 0, buffer, buffered, bytes.size);
    buffered += bytes.size;
    return at;
  }

  /**
   * Reads a block.
   *
   * @param size bytes without the check
   */
  public ByteCursor read(long at, int size) {
    if (at < 0 || size < 0 || size > size() - CHECK - at) {
      throw new DamagedIndexException("cut off: file=%s offset=%d".formatted(name, at));
    }
    byte[] block = new byte[size + CHECK];
    copy(at, block);
    CRC32C check = new CRC32C();
    check.update(block, 0, size);
    ByteCursor cursor = new ByteCursor(block, size);
    int expected =
        ByteBuffer.wrap(block, size, CHECK).order(java.nio.ByteOrder.LITTLE_ENDIAN).getInt();
    if ((int) check.getValue() != expected) {
      throw new DamagedIndexException("checksum: file=%s offset=%d".formatted(name, at));
    }
    return cursor;
  }

  private synchronized void copy(long at, byte[] block) {
    if (directory != null && at + block.length > written) {
      flush();
    }
    if (at >= written) {
      System.arraycopy(buffer, (int) (at - written), block, 0, block.length);
      return;
    }
    try {
      ByteBuffer to = ByteBuffer.wrap(block);
      FileChannel from = channel();
      while (to.hasRemaining() && from.read(to, at + to.position()) > 0) {
        // until all is there
      }
      if (to.hasRemaining()) {
        throw new DamagedIndexException("cut off: file=%s offset=%d".formatted(name, at));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An interrupt of a reading thread closes a channel for all. */
  private FileChannel channel() throws IOException {
    FileChannel open = channel;
    if (open == null || !open.isOpen()) {
      open = java.util.Objects.requireNonNull(directory).read(name);
      channel = open;
    }
    return open;
  }

  public synchronized void flush() {
    if (directory == null || channel == null || buffered == 0) {
      return;
    }
    try {
      ByteBuffer from = ByteBuffer.wrap(buffer, 0, buffered);
      while (from.hasRemaining()) {
        channel.write(from, written + from.position());
      }
      written += buffered;
      buffered = 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Closes and deletes the file. */
  public void delete() throws IOException {
    close();
    if (directory != null) {
      directory.delete(name);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    FileChannel open = channel;
    if (open != null) {
      open.close();
    }
  }
}
