package dev.kymo.server.answers;

import dev.kymo.model.counts.Counts;
import dev.kymo.model.replay.Overview;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.http.Answers;
import java.util.List;

/** {@code /api/overview}: how much happened when. */
public final class OverviewAnswer {
  private OverviewAnswer() {}

  public static Answers.Body of(Timeline timeline) {
    Overview overview = timeline.overview();
    long[] counted = counted(timeline, overview);
    return json -> {
      json.writeStartObject();
      Answers.time(json, "width", overview.width());
      Columns.column(json, "events", overview.events());
      Columns.column(json, "lost", overview.lost());
      if (counted.length > 0) {
        Columns.column(json, "counted", counted);
      }
      json.writeEndObject();
    };
  }

  /** Calls that were counted in each bucket, spread over their periods; nothing if none were. */
  private static long[] counted(Timeline timeline, Overview overview) {
    Counts counts = timeline.counts();
    long[] buckets = new long[overview.events().length];
    boolean any = false;
    for (int track = 0; track < timeline.tracks().size(); track++) {
      List<Counts.Period> periods =
          counts.calls(track) > 0 ? counts.periods(track, 0, Long.MAX_VALUE / 2) : List.of();
      for (Counts.Period period : periods) {
        spread(buckets, overview.width(), period);
        any = true;
      }
    }
    return any ? buckets : new long[0];
  }

  private static void spread(long[] buckets, long width, Counts.Period period) {
    long from = Math.max(0, period.from());
    long to = Math.max(from, period.to());
    int last = (int) Math.min(buckets.length - 1, to / width);
    long left = period.calls();
    for (int i = (int) Math.min(last, from / width); i < last; i++) {
      long inside = (i + 1) * width - Math.max(from, i * width);
      long part = Math.min(left, (long) ((double) period.calls() * inside / (to - from)));
      buckets[i] += part;
      left -= part;
    }
    if (last >= 0) {
      buckets[last] += left;
    }
  }
}
