package dev.kymo.importers.barrelfish;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads lines of any bytes: each byte is a character, and no line takes more than its bound. */
final class LineReader {
  /** Longer lines do not belong to a log; their rest is left out. */
  static final int MAX_LINE = 1024;

  private final InputStream in;
  private final byte[] line = new byte[MAX_LINE];
  private long most;
  private long bytes;
  private long number;
  private boolean whole;

  LineReader(InputStream in) {
    this(in, Long.MAX_VALUE);
  }

  /**
   * Reads the lines in the first bytes.
   *
   * @param most bytes that are read, unless {@link #readAll} is called
   */
  LineReader(InputStream in, long most) {
    this.in = new BufferedInputStream(in, 1 << 16);
    this.most = most;
  }

  /** From now on there is no bound. */
  void readAll() {
    most = Long.MAX_VALUE;
  }

  /** The next byte; -1 at the end, or at the bound. */
  private int read() throws IOException {
    if (bytes == most) {
      return -1;
    }
    bytes++;
    return in.read();
  }

  /** The next line without its line feed; null at the end. */
  @Nullable String next() throws IOException {
    int length = 0;
    int read = read();
    if (read < 0) {
      return null;
    }
    while (read >= 0 && read != '\n') {
      if (length < MAX_LINE) {
        line[length++] = (byte) read;
      }
      read = read();
    }
    if (bytes == most && read < 0) {
      return null; // a part of a line says nothing
    }
    number++;
    whole = read == '\n';
    return new String(line, 0, length, StandardCharsets.ISO_8859_1);
  }

  /** Number of the line, from 1. */
  long number() {
    return number;
  }

  /** Whether the line had a line feed. */
  boolean isWhole() {
    return whole;
  }
}
