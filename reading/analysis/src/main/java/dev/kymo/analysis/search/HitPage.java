package dev.kymo.analysis.search;

import dev.kymo.analysis.selection.PlacedCall;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.Reach;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.selection.UnanswerableException;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/** Some of the calls and events that were looked for, in the order of their places. */
public final class HitPage {
  /** Hits that a piece of the recording may have before it is read in smaller ones. */
  private static final int MAX_PIECE = 50_000;

  private static final int FIRST_EVENTS = 5000;

  private final Reach reach;
  private final HitWalk walk;
  private final Progress progress;
  private final int count;
  private long skip;
  private final List<Hit> hits = new ArrayList<>();

  private HitPage(
      Timeline timeline,
      TimelineSelection selection,
      BitSet methods,
      long skip,
      int count,
      Progress progress) {
    this.reach = new Reach(timeline, selection, FIRST_EVENTS);
    this.walk = new HitWalk(timeline, selection, methods, progress);
    this.progress = progress;
    this.skip = skip;
    this.count = count;
  }

  /**
   * Of the hits that begin at or after a time, those after the first {@code skip}.
   *
   * @param at 0: from the first one, whenever it began
   * @param count hits at most
   */
  public static List<Hit> of(
      Timeline timeline,
      TimelineSelection selection,
      BitSet methods,
      long at,
      long skip,
      int count,
      Progress progress) {
    HitPage page = new HitPage(timeline, selection, methods, skip, count, progress);
    page.fill(at == 0 ? page.reach.first() : Math.max(at, page.reach.first()));
    return page.hits;
  }

  private void fill(long begin) {
    long end = reach.last();
    progress.expect(end - begin);
    long from = begin;
    while (from <= end && hits.size() < count) {
      long to = reach.endOfPiece(from, end);
      List<Hit> piece = new ArrayList<>();
      if (!read(from, to, piece)) {
        continue;
      }
      take(piece);
      progress.add(to - from);
      from = to + 1;
      if (piece.size() < count) {
        reach.grow();
      }
    }
  }

  /** False if there are too many, and the next piece is a smaller one. */
  private boolean read(long from, long to, List<Hit> piece) {
    boolean[] full = {false};
    for (Track track : reach.tracks(from, to)) {
      walk.between(
          track,
          from,
          to,
          (id, depth, method, begin, duration) -> {
            full[0] |= piece.size() == MAX_PIECE;
            if (!full[0]) {
              piece.add(new Hit(id, depth, method, begin, duration));
            }
          });
      if (full[0]) {
        return tooMany(from);
      }
    }
    return true;
  }

  /** Returns false: the same is read again in smaller pieces. */
  private boolean tooMany(long time) {
    if (!reach.shrink()) {
      throw new UnanswerableException(
          "Too many hits of one time to be listed: time=" + time + ", at most " + MAX_PIECE + '.');
    }
    return false;
  }

  private void take(List<Hit> piece) {
    if (piece.size() <= skip) {
      skip -= piece.size();
      return;
    }
    piece.sort(Comparator.comparing(Hit::place, PlacedCall.BY_PLACE));
    piece.stream().skip(skip).limit(count - hits.size()).forEach(hits::add);
    skip = 0;
  }
}
