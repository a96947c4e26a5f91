package dev.kymo.cli.terminal;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes lines that begin with a number and have the same parts again and again: each part is made
 * fit for the terminal once, and output goes out in large pieces.
 */
public final class NumberedLines {
  private static final int PIECE = 64 << 10;
  private static final int RADIX = 10;

  private final OutputWriter out;
  private final byte[] piece = new byte[PIECE];
  private int used;

  /** The last number, at the end of blanks; and where its digits begin. */
  private final byte[] digits = new byte[20];

  private final int width;
  private long last = -1;
  private int begin;

  /** A part of a line. */
  public static final class Part {
    private final byte[] bytes;

    /** Takes text that stays on its line, whatever is in it. */
    public Part(String text) {
      bytes = Printable.of(text).getBytes(StandardCharsets.UTF_8);
    }
  }

  NumberedLines(OutputWriter out, int width) {
    this.out = out;
    this.width = width;
  }

  /**
   * Writes a line.
   *
   * @param number at its begin, at the right of its column, at least 0
   */
  public void line(long number, Part first, Part rest) {
    if (last >= 0 && number == last + 1) {
      increment();
    } else {
      digits(number);
    }
    last = number;
    int from = Math.min(begin, digits.length - width);
    add(digits, from, digits.length - from);
    add(first.bytes, 0, first.bytes.length);
    line(rest);
  }

  /** Writes the rest of a line, or a whole one. */
  public void line(Part rest) {
    add(rest.bytes, 0, rest.bytes.length);
    if (used == PIECE) {
      flush();
    }
    piece[used++] = '\n';
  }

  private void digits(long number) {
    Arrays.fill(digits, (byte) ' ');
    begin = digits.length;
    long left = number;
    do {
      digits[--begin] = (byte) ('0' + left % RADIX);
      left /= RADIX;
    } while (left > 0);
  }

  private void increment() {
    int at = digits.length - 1;
    while (at >= begin && digits[at] == '9') {
      digits[at--] = '0';
    }
    if (at < begin) {
      begin = at;
      digits[at] = '0';
    }
    digits[at]++;
  }

  private void add(byte[] bytes, int from, int length) {
    if (length > PIECE - used) {
      flush();
    }
    if (length > PIECE) {
      out.write(Arrays.copyOfRange(bytes, from, from + length), length);
      return;
    }
    System.arraycopy(bytes, from, piece, used, length);
    used += length;
  }

  /** Hands over what was written so far. */
  public void flush() {
    int length = used;
    used = 0;
    out.write(piece, length);
  }
}
