package dev.kymo.kernel;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The layout of a page of the kernel's ring buffer, as the instance's {@code events/header_page}
 * gives it.
 *
 * <pre>
 *   timestamp  u64  clock that the deltas of the page's first event count from
 *   commit     u64  bits 0..29 bytes of data, 30 a count of lost events follows the data,
 *                   31 events were lost before this page; above: the sign of bit 31
 *   data            events, see {@link PageDecoder}
 * </pre>
 *
 * @param timestamp bytes from the page's begin, like the others
 * @param dataSize maximum size of the data in bytes
 */
public record PageLayout(int timestamp, int commit, int commitSize, int data, int dataSize) {
  private static final int LARGEST = 1 << 24;

  /**
   * Reads the kernel's text.
   *
   * @throws IllegalArgumentException if it is not valid
   */
  public static PageLayout parse(String text) {
    PageLayout layout =
        new PageLayout(
            number(text, "timestamp", "offset"),
            number(text, "commit", "offset"),
            number(text, "commit", "size"),
            number(text, "data", "offset"),
            number(text, "data", "size"));
    if (layout.timestamp != 0
        || layout.commit != Long.BYTES
        || (layout.commitSize != Integer.BYTES && layout.commitSize != Long.BYTES)
        || layout.data != layout.commit + layout.commitSize
        || layout.dataSize <= 0
        || layout.dataSize > LARGEST) {
      throw new IllegalArgumentException("kernel's pages have an unknown layout: " + layout);
    }
    return layout;
  }

  private static int number(String text, String field, String what) {
    Matcher matcher =
        Pattern.compile("\\b" + field + ";[^\\n]*?\\b" + what + ":(\\d{1,9});").matcher(text);
    if (!matcher.find()) {
      throw new IllegalArgumentException(
          "kernel's page header is incomplete: missing=%s %s".formatted(field, what));
    }
    return Integer.parseInt(matcher.group(1));
  }

  /** Bytes of a page. */
  public int pageSize() {
    return data + dataSize;
  }
}
