package dev.kymo.server.answers;

import dev.kymo.analysis.names.NamePattern;
import dev.kymo.analysis.search.Hit;
import dev.kymo.analysis.search.HitPage;
import dev.kymo.analysis.search.HitRank;
import dev.kymo.analysis.search.NearestCall;
import dev.kymo.analysis.selection.PlacedCall;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.http.Jobs;
import dev.kymo.server.http.Query;
import java.util.List;

/**
 * {@code /api/hits} and {@code /api/rank}: a page of the calls and events that match a pattern, and
 * which of them one is.
 */
public final class HitsAnswer {
  private static final int MAX_COUNT = 1000;
  private static final long MAX_TIME = Long.MAX_VALUE / 2;

  private HitsAnswer() {}

  public static Jobs.Work page(Timeline timeline, Query query) {
    TimelineSelection selection = SelectionQuery.of(timeline, query);
    NamePattern pattern = NamePattern.of(query.text("pattern"));
    long at = query.number("at", 0, MAX_TIME);
    long skip = query.number("skip", 0, MAX_TIME);
    int count = (int) query.number("count", 1, MAX_COUNT);
    return progress -> {
      List<Hit> hits =
          HitPage.of(
              timeline, selection, pattern.methods(timeline, progress), at, skip, count, progress);
      return json -> {
        json.writeStartObject();
        new Columns<>(json, hits)
            .ints("track", Hit::track)
            .ints("depth", Hit::depth)
            .ints("method", Hit::method)
            .times("begin", Hit::begin)
            .numbers("duration", Hit::duration);
        json.writeEndObject();
      };
    };
  }

  public static Jobs.Work rank(Timeline timeline, Query query) {
    TimelineSelection selection = SelectionQuery.of(timeline, query);
    NamePattern pattern = NamePattern.of(query.text("pattern"));
    long at = query.number("at", 0, MAX_TIME);
    int track = (int) query.number("track", 0, timeline.tracks().size() - 1L);
    int depth = (int) query.number("depth", 0, Integer.MAX_VALUE);
    PlacedCall place = NearestCall.at(track, depth, query.number("time", 0, MAX_TIME));
    return progress -> {
      HitRank rank =
          HitRank.of(timeline, selection, pattern.methods(timeline, progress), at, place, progress);
      return json -> {
        json.writeStartObject();
        json.writeNumberField("before", rank.before());
        json.writeBooleanField("hit", rank.hit());
        json.writeEndObject();
      };
    };
  }
}
