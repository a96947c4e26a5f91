package dev.kymo.server;

import dev.kymo.model.Timeline;
import dev.kymo.model.Track;
import dev.kymo.viewer.ViewerFiles;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.GZIPOutputStream;

/**
 * One HTML file with a recording and the viewer in it, to be opened from disk. What comes from the
 * recording is packed, or text without markup.
 */
public final class StandalonePage {
  /** More calls than this are too much for a page that has all of them in memory. */
  public static final long MAX_CALLS = 2_000_000;

  /** Beyond this a page's numbers, which are nanoseconds, are not exact: 104 days. */
  public static final long MAX_DURATION = 1L << 53;

  /** What the viewer's build leaves for us to fill. */
  private static final String TITLE = "<title>Kymo</title>";

  private static final String DATA = "<!--recording-->";

  private StandalonePage() {}

  /**
   * Writes the page.
   *
   * @throws IOException if it cannot be written, this build of Kymo has no viewer, or the program
   *     has too many events of its own
   */
  public static void write(Timeline timeline, OutputStream to) throws IOException {
    long own = timeline.tracks().stream().mapToLong(Track::own).sum();
    if (own > MAX_CALLS) {
      throw new IOException(
          "too many events of the program's own for a page: events=%d most=%d; take a shorter part"
              .formatted(own, MAX_CALLS));
    }
    byte[] page =
        ViewerFiles.read("standalone.html")
            .orElseThrow(() ->
                new IOException(
                    "this build of Kymo was made without its viewer; build it without"
                        + " -Dviewer.skip"));
    String text = new String(page, StandardCharsets.UTF_8);
    int data = text.indexOf(DATA);
    int title = text.indexOf(TITLE);
    String name = "<title>" + escaped(timeline.name()) + " – Kymo</title>";
    write(to, text.substring(0, title) + name + text.substring(title + TITLE.length(), data));
    writeData(timeline, to);
    write(to, text.substring(data + DATA.length()));
  }

  private static void write(OutputStream to, String text) throws IOException {
    to.write(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void writeData(Timeline timeline, OutputStream to) throws IOException {
    OutputStream open =
        new FilterOutputStream(to) {
          @Override
          public void write(byte[] bytes, int from, int length) throws IOException {
            out.write(bytes, from, length);
          }

          @Override
          public void close() {} // the page goes on
        };
    try (OutputStream packed = new GZIPOutputStream(Base64.getEncoder().wrap(open))) {
      PackedRecording.of(timeline).writeTo(packed);
    }
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
