package dev.kymo.exporters.picture;

import dev.kymo.exporters.source.ExportWords;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.Gap;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.awt.Color;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.font.FontRenderContext;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import javax.imageio.ImageIO;

/**
 * Draws a part of a recording as the viewer shows it: a row for each thread, its nested calls, what
 * it waited for, losses. Takes as long as the window has calls that can be seen.
 */
public final class TimelinePicture {
  private static final int LABELS = 190;
  private static final int HEAD = 46;
  private static final int MARGIN = 10;
  private static final int MAX_HEIGHT = 1500;
  private static final int MAX_DEPTH = 16;

  /** Pixels between two labels of the time axis, at least. */
  private static final int TICK = 110;

  /** A name needs room. */
  private static final int NAMED = 24;

  private static final Font SMALL = new Font(Font.SANS_SERIF, Font.PLAIN, 11);
  private static final Font NORMAL = new Font(Font.SANS_SERIF, Font.PLAIN, 12);
  private static final Font BOLD = new Font(Font.SANS_SERIF, Font.BOLD, 12);

  private final Timeline timeline;
  private final long from;
  private final long to;
  private final int width;
  private final List<Row> rows = new ArrayList<>();
  private int left;
  private boolean cut;

  private TimelinePicture(Timeline timeline, long from, long to, int width) {
    this.timeline = timeline;
    this.from = from;
    this.to = to;
    this.width = width;
  }

  /**
   * Draws a picture.
   *
   * @param from nanoseconds since the recording's begin
   * @param to the same, later
   * @param threads those that are wanted
   * @param width pixels, 400 or more
   * @throws IOException if this machine has no fonts
   */
  public static Picture of(
      Timeline timeline, long from, long to, Predicate<Track> threads, int width)
      throws IOException {
    if (!hasFonts()) {
      throw new IOException(
          "a picture needs fonts, and this machine has none; Debian has them in fontconfig and fonts-dejavu-core");
    }
    TimelinePicture picture = new TimelinePicture(timeline, from, to, width);
    picture.choose(threads);
    byte[] png = picture.draw();
    return new Picture(png, picture.rows.size(), picture.left, picture.cut);
  }

  /** Whether this machine has what pictures need. */
  public static boolean hasFonts() {
    System.setProperty("java.awt.headless", "true");
    try {
      return SMALL.getLineMetrics("x", new FontRenderContext(null, false, false)).getHeight() > 0;
    } catch (LinkageError | InternalError | RuntimeException e) {
      return false;
    }
  }

  private void choose(Predicate<Track> threads) {
    int height = HEAD + MARGIN;
    for (Track track : timeline.tracks()) {
      if (track.of() >= 0 || track.begin() > to || track.end() < from || !threads.test(track)) {
        continue;
      }
      Row row = row(track);
      if (row.depth() == 0
          && row.states().isEmpty()
          && timeline.gaps(track.id(), from, to).isEmpty()) {
        continue;
      }
      if (height + row.height() > MAX_HEIGHT && !rows.isEmpty()) {
        left++;
      } else {
        rows.add(row);
        height += row.height();
      }
    }
  }

  private Row row(Track track) {
    List<Track> states =
        timeline.tracks().stream()
            .filter(other -> other.of() == track.id() && depth(other) > 0)
            .toList();
    int depth = depth(track);
    cut |= depth > MAX_DEPTH;
    return new Row(track, states, Math.min(depth, MAX_DEPTH));
  }

  /** How many nested calls or states there are; 0 = nothing. */
  private int depth(Track track) {
    int[] most = {0};
    timeline.slices(
        track.id(),
        from,
        to,
        resolution(),
        (depth, method, begin, end, calls, flags) -> most[0] = Math.max(most[0], depth + 1));
    return most[0];
  }

  private long resolution() {
    return Math.max(1, (to - from) / (width - LABELS - MARGIN));
  }

  private byte[] draw() throws IOException {
    int height = HEAD + MARGIN + rows.stream().mapToInt(Row::height).sum();
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    Graphics2D g = image.createGraphics();
    g.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
    g.setColor(Color.WHITE);
    g.fillRect(0, 0, width, height);
    head(g, height);
    int y = HEAD;
    for (Row row : rows) {
      draw(g, row, y);
      y += row.height();
    }
    g.dispose();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    if (!ImageIO.write(image, "png", bytes)) {
      throw new IOException("this Java cannot write PNG");
    }
    return bytes.toByteArray();
  }

  private void head(Graphics2D g, int height) {
    g.setFont(BOLD);
    g.setColor(Palette.TEXT);
    g.drawString(timeline.name(), MARGIN, 18);
    g.setFont(NORMAL);
    g.setColor(Palette.FAINT);
    g.drawString("%s to %s s".formatted(seconds(from), seconds(to)), LABELS, 18);
    long step = step();
    for (long at = Math.ceilDiv(from, step) * step; at <= to; at += step) {
      int x = x(at);
      g.setColor(Palette.LINE);
      g.drawLine(x, HEAD - 6, x, height);
      g.setColor(Palette.FAINT);
      g.setFont(SMALL);
      String text = tick(at, step);
      if (x + 3 + g.getFontMetrics().stringWidth(text) < width) {
        g.drawString(text, x + 3, HEAD - 10);
      }
    }
  }

  /** 1, 2 or 5 times a power of ten. */
  private long step() {
    long least = Math.max(1, (to - from) * TICK / (width - LABELS));
    long power = 1;
    while (power * 10 <= least) {
      power *= 10;
    }
    for (long times : new long[] {1, 2, 5}) {
      if (power * times >= least) {
        return power * times;
      }
    }
    return power * 10;
  }

  private static String tick(long at, long step) {
    long unit = step >= 1_000_000_000L ? 1_000_000_000L : step >= 1_000_000 ? 1_000_000 : 1_000;
    if (step < 1_000) {
      unit = 1;
    }
    String word = unit == 1 ? "ns" : unit == 1_000 ? "us" : unit == 1_000_000 ? "ms" : "s";
    return at / unit + " " + word;
  }

  private static String seconds(long nanos) {
    return BigDecimal.valueOf(nanos, 9).stripTrailingZeros().toPlainString();
  }

  private int x(long time) {
    double share = (double) (time - from) / Math.max(1, to - from);
    return LABELS + (int) Math.round(share * (width - LABELS - MARGIN));
  }

  private void draw(Graphics2D g, Row row, int top) {
    g.setColor(Palette.LINE);
    g.drawLine(0, top - 4, width, top - 4);
    g.setFont(NORMAL);
    g.setColor(Palette.TEXT);
    Track track = row.track();
    String name = track.name().isEmpty() ? "thread " + track.thread() : track.name();
    Shape all = g.getClip();
    g.setClip(0, top - 4, LABELS - 6, row.height());
    g.drawString(name, MARGIN, top + 11);
    if (row.height() > 2 * Row.CALL + 4) {
      g.setFont(SMALL);
      g.setColor(Palette.FAINT);
      g.drawString("%d/%d".formatted(track.process(), track.thread()), MARGIN, top + 25);
    }
    g.setClip(LABELS, top - 4, width - LABELS - MARGIN, row.height());
    int y = top;
    for (Track states : row.states()) {
      slices(g, states, 1, y, Row.STRIP);
      y += Row.STRIP;
    }
    slices(g, track, row.depth(), y, Row.CALL);
    losses(g, track, top, row.height());
    g.setClip(all);
  }

  private void slices(Graphics2D g, Track track, int depths, int top, int height) {
    timeline.slices(
        track.id(),
        from,
        to,
        resolution(),
        depth -> depth < depths,
        (depth, method, begin, end, calls, flags) -> {
          int x = x(Math.max(begin, from));
          int w = Math.max(1, x(Math.min(end, to)) - x);
          TracedMethod what = timeline.method(method);
          Color color = Palette.of(track.kind(), what);
          g.setColor(calls == 1 ? color : Palette.pale(color));
          int y = top + depth * height;
          g.fillRect(x, y, w > 2 ? w - 1 : w, height - 1);
          if (w >= NAMED) {
            g.setColor(track.kind() == TrackKind.CALLS ? Palette.TEXT : Color.WHITE);
            name(g, track.kind(), what, calls, x, w, y + height - 4);
          }
        });
  }

  private static void name(
      Graphics2D g, TrackKind kind, TracedMethod method, long calls, int x, int w, int y) {
    g.setFont(SMALL);
    FontMetrics metrics = g.getFontMetrics();
    String name = kind == TrackKind.CALLS ? shortName(method) : ExportWords.name(kind, method);
    String text = calls == 1 ? name : name + " ×" + calls;
    while (!text.isEmpty() && metrics.stringWidth(text) > w - 5) {
      text = text.substring(0, text.length() - 1);
    }
    if (text.length() > 2 || text.equals(name)) {
      g.drawString(text, x + 3, y);
    }
  }

  /** Without the package. */
  private static String shortName(TracedMethod method) {
    String type = method.type();
    return type.isEmpty()
        ? method.name()
        : type.substring(type.lastIndexOf('.') + 1) + '.' + method.name();
  }

  private void losses(Graphics2D g, Track track, int top, int height) {
    g.setColor(Palette.LOST);
    for (Gap gap : timeline.gaps(track.id(), from, to)) {
      int x = x(Math.max(from, gap.from()));
      g.fillRect(x, top - 3, Math.max(2, x(Math.min(to, gap.to())) - x), 3);
      g.drawLine(x, top, x, top + height);
    }
  }
}
