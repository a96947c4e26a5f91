package dev.kymo.server;

import dev.kymo.analysis.Selection;
import dev.kymo.model.Timeline;
import java.util.List;
import java.util.stream.IntStream;

/** The part of a recording that a question is about. */
final class SelectionQuery {
  /** Half of what fits, so that sums of two do. */
  private static final long MAX_TIME = Long.MAX_VALUE / 2;

  private SelectionQuery() {}

  /** What the query says; whatever it leaves out is not limited. */
  static Selection of(Timeline timeline, Query query) {
    int count = timeline.tracks().size();
    long from = query.has("from") ? query.number("from", 0, MAX_TIME) : 0;
    long to = query.has("to") ? query.number("to", from, MAX_TIME) : MAX_TIME;
    List<Integer> tracks =
        query.has("tracks")
            ? IntStream.of(query.numbers("tracks", count - 1, count)).distinct().boxed().toList()
            : IntStream.range(0, count).boxed().toList();
    return new Selection(from, to, tracks);
  }
}
