package dev.kymo.server.page;

import dev.kymo.editing.slice.RecordingSlice;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.model.timeline.Track;
import dev.kymo.viewer.ViewerFiles;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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

  /** Why a slice cannot be a page: what is too much, with facts; empty if it can. */
  public static String tooMuch(RecordingSlice slice) {
    if (slice.calls() > MAX_CALLS) {
      return "too many calls for a page: calls=%d max=%d".formatted(slice.calls(), MAX_CALLS);
    }
    if (slice.duration() > MAX_DURATION) {
      return "too long a time for a page: duration=%d max=%d"
          .formatted(slice.duration(), MAX_DURATION);
    }
    return "";
  }

  /**
   * Writes a slice as a page: as a recording first, so that both say the same. The page shows times
   * as the whole recording does.
   *
   * @param recording an empty directory that gets the recording and names the page
   * @throws IOException if it cannot be written, or is {@link #tooMuch}
   */
  public static void write(RecordingSlice slice, Path recording, OutputStream to)
      throws IOException {
    String why = tooMuch(slice);
    if (!why.isEmpty()) {
      throw new IOException(why + "; choose a shorter time or fewer threads");
    }
    slice.write(recording, ProgressListener.NONE);
    try (Timeline timeline = Timelines.open(recording, ProgressListener.NONE)) {
      write(timeline, timeline.wallBegin() - slice.wallBegin(), to);
    }
  }

  /** Writes a whole recording as a page. */
  public static void write(Timeline timeline, OutputStream to) throws IOException {
    write(timeline, 0, to);
  }

  /**
   * Writes the page.
   *
   * @param origin nanoseconds from the begin of the recording it was cut from to its own
   * @throws IOException if it cannot be written, this build of Kymo has no viewer, or the program
   *     has too many events of its own
   */
  private static void write(Timeline timeline, long origin, OutputStream to) throws IOException {
    long own = timeline.tracks().stream().mapToLong(Track::own).sum();
    if (own > MAX_CALLS) {
      throw new IOException(
          "too many user events for a page: events=%d max=%d; take a shorter part"
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
    writeData(timeline, origin, to);
    write(to, text.substring(data + DATA.length()));
  }

  private static void write(OutputStream to, String text) throws IOException {
    to.write(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void writeData(Timeline timeline, long origin, OutputStream to)
      throws IOException {
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
      PackedRecording.of(timeline, origin).writeTo(packed);
    }
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
