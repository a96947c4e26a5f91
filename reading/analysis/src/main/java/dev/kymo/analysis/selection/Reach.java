package dev.kymo.analysis.selection;

import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.util.List;

/**
 * Reads a recording outwards from one time, in pieces of growing width: what is near is found
 * without reading what is far, however large the recording.
 */
public final class Reach {
  private static final int GROWTH = 4;

  private final List<Track> tracks;
  private final long first;
  private final long last;
  private long width;

  /**
   * Nothing read yet.
   *
   * @param events that the first piece is to hold, more or less
   */
  public Reach(Timeline timeline, TimelineSelection selection, int events) {
    this(selection.tracks().stream().map(timeline.tracks()::get).toList(), events);
  }

  /** Nothing read yet of these tracks. */
  public Reach(List<Track> tracks, int events) {
    this.tracks = tracks;
    first = tracks.stream().mapToLong(Track::begin).min().orElse(0);
    last = tracks.stream().mapToLong(Track::end).max().orElse(-1);
    double count = tracks.stream().mapToLong(Track::events).sum();
    width = Math.max(1, (long) (events / Math.max(1, count) * (last - first)));
  }

  /** Time of the first event. */
  public long first() {
    return first;
  }

  /** Time of the last event; before the first one if there is none. */
  public long last() {
    return last;
  }

  /** The tracks that have events between two times. */
  public List<Track> tracks(long from, long to) {
    return tracks.stream().filter(t -> t.begin() <= to && t.end() >= from).toList();
  }

  /** End of the piece that begins here. */
  public long endOfPiece(long from, long end) {
    return end - from < width ? end : from + width - 1;
  }

  /** Begin of the piece that ends here. */
  public long beginOfPiece(long to, long begin) {
    return to - begin < width ? begin : to - width + 1;
  }

  public void grow() {
    width = Math.min(width, Long.MAX_VALUE / GROWTH / 2) * GROWTH;
  }

  /** False if a piece cannot be smaller. */
  public boolean shrink() {
    boolean can = width > 1;
    width = Math.max(1, width / (2 * GROWTH));
    return can;
  }
}
