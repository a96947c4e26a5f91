package dev.kymo.importers.linux.metadata;

import dev.kymo.importers.target.ForeignException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Numbers and texts of a file, or of a part of it that was compressed; no length is trusted. */
public final class Input {
  private static final int BUFFER = 64 * 1024;

  private final Path path;
  private final @Nullable FileChannel file;
  private final boolean bigEndian;

  /** Where in the file the bytes are, if they are not the file's own. */
  private final long origin;

  private final long size;
  private byte[] bytes;
  private long base;
  private int filled;
  private int at;

  private Input(
      Path path,
      @Nullable FileChannel file,
      boolean bigEndian,
      long origin,
      byte[] bytes,
      long size) {
    this.path = path;
    this.file = file;
    this.bigEndian = bigEndian;
    this.origin = origin;
    this.bytes = bytes;
    this.filled = file == null ? bytes.length : 0;
    this.size = size;
  }

  /**
   * Where bytes are.
   *
   * @param offset of the first one in the file
   */
  public record Place(Path path, long offset) {}

  /** A whole file. */
  public static Input of(Path path, FileChannel file, boolean bigEndian) throws IOException {
    return new Input(path, file, bigEndian, 0, new byte[BUFFER], file.size());
  }

  /** A part of a file that is in memory. */
  public static Input of(byte[] content, Place place, boolean bigEndian) {
    return new Input(place.path, null, bigEndian, place.offset, content, content.length);
  }

  /** Bytes that were compressed at a place of this file. */
  public Input unpacked(byte[] content, long offset) {
    return new Input(path, null, bigEndian, offset, content, content.length);
  }

  public Path path() {
    return path;
  }

  public long size() {
    return size;
  }

  public long position() {
    return base + at;
  }

  public ForeignException wrong(String problem, String facts) {
    return new ForeignException(problem, path, file == null ? origin : position(), facts);
  }

  public void seek(long position) throws IOException {
    if (position < 0 || position > size) {
      throw wrong("offset is not in the file", "to=" + position + " size=" + size);
    }
    if (position >= base && position <= base + filled) {
      at = (int) (position - base);
    } else {
      base = position;
      at = 0;
      filled = 0;
    }
  }

  /** Has as many bytes in the buffer. */
  private void need(int count) throws IOException {
    if (filled - at >= count) {
      return;
    }
    if (file == null || count > size - position()) {
      throw wrong("file ends too early", "wanted=" + count + " size=" + size);
    }
    base += at;
    filled -= at;
    System.arraycopy(bytes, at, bytes, 0, filled);
    at = 0;
    while (filled < count) {
      int read = file.read(ByteBuffer.wrap(bytes, filled, bytes.length - filled), base + filled);
      if (read <= 0) {
        throw wrong("file ends too early", "wanted=" + count + " size=" + size);
      }
      filled += read;
    }
  }

  /** An unsigned number of at most eight bytes. */
  public long number(int count) throws IOException {
    need(count);
    long value = 0;
    for (int i = 0; i < count; i++) {
      long one = bytes[at + i] & 0xFFL;
      value = bigEndian ? value << 8 | one : value | one << (8 * i);
    }
    at += count;
    return value;
  }

  /** Characters up to a zero byte. */
  public String text(int most) throws IOException {
    StringBuilder text = new StringBuilder();
    for (long c = number(1); c != 0; c = number(1)) {
      if (text.length() == most) {
        throw wrong("text has no end", "characters=" + most);
      }
      text.append((char) c);
    }
    return text.toString();
  }

  /** Bytes, as many as a length of the file says. */
  public byte[] bytes(long length, int most) throws IOException {
    if (length < 0 || length > size - position()) {
      throw wrong("length is beyond the file's end", "length=" + length + " size=" + size);
    }
    if (length > most) {
      throw wrong("length is too large", "length=" + length + " max=" + most);
    }
    byte[] content = new byte[(int) length];
    int done = 0;
    while (done < content.length) {
      int part = Math.min(content.length - done, BUFFER);
      need(Math.min(part, bytes.length));
      System.arraycopy(bytes, at, content, done, part);
      at += part;
      done += part;
    }
    return content;
  }

  /** The same as text, up to its first zero byte. */
  public String string(long length, int most) throws IOException {
    byte[] content = bytes(length, most);
    int end = 0;
    while (end < content.length && content[end] != 0) {
      end++;
    }
    return new String(Arrays.copyOf(content, end), StandardCharsets.UTF_8);
  }
}
