package dev.kymo.server;

import dev.kymo.model.Arrows;
import dev.kymo.model.Timeline;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** {@code /api/arrows}: who let whom go on. */
final class ArrowsAnswer {
  /** More could not be told apart. */
  private static final int MAX = 1000;

  /** So many are looked at if only some kinds are wanted. */
  private static final int LOOKED_AT = 20_000;

  private ArrowsAnswer() {}

  static Answers.Body of(Timeline timeline, Query query) {
    long from = query.number("from", 0, Long.MAX_VALUE / 2);
    long to = query.number("to", from, Long.MAX_VALUE / 2);
    int max = (int) query.number("max", 1, MAX);
    Arrows arrows =
        query.has("kinds")
            ? ofKinds(timeline, from, to, max, Set.of(query.text("kinds").split(",", -1)))
            : timeline.arrows(from, to, max);
    return json -> {
      json.writeStartObject();
      json.writeBooleanField("more", arrows.longestOnly());
      new Columns<>(json, arrows.arrows())
          .times("time", Arrows.Arrow::time)
          .numbers("waited", Arrows.Arrow::waited)
          .ints("fromTrack", Arrows.Arrow::fromTrack)
          .ints("toTrack", Arrows.Arrow::toTrack)
          .ints("method", Arrows.Arrow::method);
      json.writeEndObject();
    };
  }

  private static Arrows ofKinds(Timeline timeline, long from, long to, int max, Set<String> kinds) {
    Arrows all = timeline.arrows(from, to, LOOKED_AT);
    List<Arrows.Arrow> wanted =
        all.arrows().stream()
            .filter(arrow -> kinds.contains(timeline.method(arrow.method()).type()))
            .toList();
    List<Arrows.Arrow> longest =
        wanted.stream()
            .sorted(Comparator.comparingLong(Arrows.Arrow::waited).reversed())
            .limit(max)
            .sorted(Comparator.comparingLong(Arrows.Arrow::time))
            .toList();
    return new Arrows(longest, all.longestOnly() || longest.size() < wanted.size());
  }
}
