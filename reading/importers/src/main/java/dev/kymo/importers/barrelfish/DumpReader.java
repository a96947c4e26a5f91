package dev.kymo.importers.barrelfish;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Parses the dumps that a bfscope sends one after the other.
 *
 * <pre>
 *   protocol 2, each by itself: 8 bytes, digits of the length, a NUL, whatever was in memory; text
 *   protocol 1, when asked for: 6 digits, zeroes or spaces around them, or 8 digits with zeroes; text
 * </pre>
 */
final class DumpReader {
  /** More than any bfscope has room for: a sender of more is not a bfscope. */
  private static final int MAX_SIZE = 16 << 20;

  private static final int HEADER = 8;
  private static final int SHORT_HEADER = 6;

  /** Maximum time between the parts of a header. */
  private static final int HEADER_MILLIS = 500;

  private final PushbackInputStream in;
  private final int protocol;
  private @Nullable String cut;

  DumpReader(InputStream in, int protocol) {
    this.in = new PushbackInputStream(in, HEADER);
    this.protocol = protocol;
  }

  /**
   * Waits for the next dump; null if there are no more. A dump that is cut off ends with its last
   * whole line.
   */
  byte @Nullable [] next() throws IOException {
    byte[] header = in.readNBytes(protocol == 1 ? SHORT_HEADER : HEADER);
    if (header.length == 0) {
      return null;
    }
    try {
      int size = protocol == 1 ? askedSize(header) : size(header);
      return text(size);
    } catch (EOFException e) {
      cut = "header=" + printable(header);
      return null;
    }
  }

  /** What is missing of the last dump; null if nothing is missing. */
  @Nullable String cut() {
    return cut;
  }

  private byte[] text(int size) throws IOException {
    byte[] text = in.readNBytes(size);
    if (text.length == size) {
      return text;
    }
    cut = "size=%d received=%d".formatted(size, text.length);
    int end = text.length;
    while (end > 0 && text[end - 1] != '\n') {
      end--;
    }
    return Arrays.copyOf(text, end);
  }

  private static int size(byte[] header) throws IOException {
    String text = new String(header, StandardCharsets.ISO_8859_1);
    int end = text.indexOf(0);
    String digits = end < 0 ? text : text.substring(0, end);
    if (header.length == HEADER || end > 0) {
      return number(digits, header);
    }
    throw new EOFException();
  }

  /** If the header is long, its first six digits are here; a text begins with something else. */
  private int askedSize(byte[] header) throws IOException {
    if (header.length < SHORT_HEADER) {
      throw new EOFException();
    }
    String digits = new String(header, StandardCharsets.ISO_8859_1).strip();
    int size = number(digits, header);
    if (size == 0 && !isMoreThere()) {
      return 0;
    }
    int seventh = in.read();
    int eighth = isDigit(seventh) ? in.read() : -1;
    if (isDigit(eighth)) {
      return number(digits + (char) seventh + (char) eighth, header);
    }
    unread(eighth);
    unread(seventh);
    return size;
  }

  private void unread(int read) throws IOException {
    if (read >= 0) {
      in.unread(read);
    }
  }

  /** Nothing follows the six zeroes of an empty dump: nothing else was asked for. */
  private boolean isMoreThere() throws IOException {
    try {
      for (int waited = 0; waited < HEADER_MILLIS && in.available() == 0; waited++) {
        Thread.sleep(1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return in.available() > 0;
  }

  private static boolean isDigit(int read) {
    return read >= '0' && read <= '9';
  }

  private static int number(String digits, byte[] header) throws IOException {
    boolean is = digits.matches("[0-9]{1,8}");
    int size = is ? Integer.parseInt(digits) : 0;
    if (!is || size > MAX_SIZE) {
      throw new IOException(
          "the other end is not a bfscope, or speaks another protocol: header=%s"
              .formatted(printable(header)));
    }
    return size;
  }

  private static String printable(byte[] bytes) {
    return '"' + new String(bytes, StandardCharsets.ISO_8859_1).replaceAll("[^ -~]", "?") + '"';
  }
}
