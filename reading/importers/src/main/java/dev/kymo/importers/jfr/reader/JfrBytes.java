package dev.kymo.importers.jfr.reader;

import dev.kymo.importers.target.ForeignException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file through a window in memory. Whatever reaches beyond the {@link #limit}, such as the
 * end of an event, is an error with its offset.
 */
final class JfrBytes implements AutoCloseable {
  private static final int WINDOW = 1 << 20;
  private static final int MAX_BYTES = 9;

  private final Path path;
  private final FileChannel file;
  private final long size;
  private final byte[] window = new byte[WINDOW];
  private long windowBegin;
  private int at;
  private int end;
  private long limit;
  private boolean compressed = true;

  JfrBytes(Path path) throws IOException {
    this.path = path;
    this.file = FileChannel.open(path, StandardOpenOption.READ);
    this.size = file.size();
    this.limit = size;
  }

  /** Bytes of the file. */
  long size() {
    return size;
  }

  Path path() {
    return path;
  }

  void compressed(boolean variableLength) {
    compressed = variableLength;
  }

  /** Nothing is read from this offset on. */
  void limit(long offset) {
    limit = Math.min(offset, size);
  }

  /** Offset of the next byte. */
  long position() {
    return windowBegin + at;
  }

  void seek(long offset) {
    if (offset >= windowBegin && offset <= windowBegin + end) {
      at = (int) (offset - windowBegin);
    } else {
      windowBegin = offset;
      at = 0;
      end = 0;
    }
  }

  ForeignException wrong(String problem, String facts) {
    return new ForeignException(problem, path, position(), facts);
  }

  int u8() throws IOException {
    if (at == end) {
      fill();
    }
    if (windowBegin + at >= limit) {
      throw wrong("value reaches beyond what it is in", "end=" + limit);
    }
    return window[at++] & 0xFF;
  }

  private void fill() throws IOException {
    windowBegin += at;
    at = 0;
    end = 0;
    int read = windowBegin < size ? file.read(ByteBuffer.wrap(window), windowBegin) : -1;
    if (read <= 0) {
      throw wrong("file ends within a value", "");
    }
    end = read;
  }

  /** A big-endian number. */
  long fixed(int bytes) throws IOException {
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value = value << 8 | u8();
    }
    return value;
  }

  /** A number of 16, 32 or 64 bits, which has at most nine bytes if lengths are variable. */
  long number(int bits) throws IOException {
    return compressed ? variable() : signed(fixed(bits / 8), bits);
  }

  private static long signed(long value, int bits) {
    return value << (64 - bits) >> (64 - bits);
  }

  long variable() throws IOException {
    long value = 0;
    for (int i = 0; i < MAX_BYTES - 1; i++) {
      int next = u8();
      value |= (long) (next & 0x7F) << (7 * i);
      if (next < 0x80) {
        return value;
      }
    }
    return value | (long) u8() << (7 * (MAX_BYTES - 1));
  }

  int i32() throws IOException {
    return (int) number(32);
  }

  long i64() throws IOException {
    return number(64);
  }

  /** A number of things of which each takes at least a byte. */
  int count() throws IOException {
    int count = i32();
    if (count < 0 || count > limit - position()) {
      throw wrong("impossible number of values", "count=" + count);
    }
    return count;
  }

  /** How a text is stored. */
  static final class Text {
    static final int NULL = 0;
    static final int EMPTY = 1;
    static final int CONSTANT = 2;
    static final int UTF8 = 3;
    static final int CHARACTERS = 4;
    static final int LATIN1 = 5;

    private Text() {}
  }

  /** A text; a {@link Long} if it is a constant's key; null if there is none. */
  @Nullable Object text() throws IOException {
    int encoding = u8();
    return switch (encoding) {
      case Text.NULL -> null;
      case Text.EMPTY -> "";
      case Text.CONSTANT -> i64();
      case Text.UTF8 -> bytes(StandardCharsets.UTF_8);
      case Text.LATIN1 -> bytes(StandardCharsets.ISO_8859_1);
      case Text.CHARACTERS -> {
        char[] text = new char[count()];
        for (int i = 0; i < text.length; i++) {
          text[i] = (char) number(16);
        }
        yield new String(text);
      }
      default -> throw wrong("unknown encoding of a text", "encoding=" + encoding);
    };
  }

  private String bytes(Charset charset) throws IOException {
    int length = count();
    if (end - at >= length) {
      String text = new String(window, at, length, charset);
      at += length;
      return text;
    }
    byte[] text = new byte[length];
    for (int i = 0; i < length; i++) {
      text[i] = (byte) u8();
    }
    return new String(text, charset);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
