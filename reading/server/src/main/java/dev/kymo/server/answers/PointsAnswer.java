package dev.kymo.server.answers;

import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.instructions.calls.PointKind;
import dev.kymo.instructions.listing.IrregularPoint;
import dev.kymo.instructions.listing.PointListing;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.RecordedPoints;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import dev.kymo.server.http.Answers;
import dev.kymo.server.http.BadRequestException;
import dev.kymo.server.http.Jobs;
import dev.kymo.server.http.Query;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code /api/points}: where executed instructions are irregular. */
public final class PointsAnswer {
  private static final int MAX_COUNT = 1000;
  private static final List<PointKind> KINDS = List.of(PointKind.values());

  private record Thread(int process, int thread) {}

  private final RecordedPoints points;
  private final TimelineSelection selection;
  private final Set<PointKind> kinds;
  private final long at;
  private final int first;
  private final int count;
  private final Map<Thread, Integer> tracks = new HashMap<>();

  private PointsAnswer(Timeline timeline, Query query) {
    points = timeline.points();
    selection = SelectionQuery.of(timeline, query);
    kinds = query.has("kinds") ? kinds(query) : EnumSet.allOf(PointKind.class);
    at = query.has("at") ? query.number("at", 0, Long.MAX_VALUE / 2) : 0;
    first = query.has("first") ? (int) query.number("first", 0, Integer.MAX_VALUE) : 0;
    count = (int) query.number("count", 0, MAX_COUNT);
    for (Track track : timeline.tracks()) {
      if (track.kind() == TrackKind.CALLS) {
        tracks.put(new Thread(track.process(), track.thread()), track.id());
      }
    }
  }

  private static Set<PointKind> kinds(Query query) {
    Set<PointKind> kinds = EnumSet.noneOf(PointKind.class);
    for (int kind : query.numbers("kinds", KINDS.size() - 1, KINDS.size())) {
      kinds.add(KINDS.get(kind));
    }
    return kinds;
  }

  public static Jobs.Work of(Timeline timeline, Query query) {
    if (!timeline.points().any()) {
      throw new BadRequestException("No instructions were recorded.");
    }
    PointsAnswer answer = new PointsAnswer(timeline, query);
    Set<String> critical =
        query.has("critical") ? Set.of(query.text("critical").split(" ", -1)) : Set.of();
    return progress -> {
      try {
        return answer.of(timeline.points().listing(critical).orElseThrow());
      } catch (IllegalArgumentException e) {
        throw new BadRequestException("Interrupts cannot be looked for: " + e.getMessage() + '.');
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }

  private PointListing.Selection selected(Set<PointKind> of, long from, long to) {
    Set<Integer> wanted = Set.copyOf(selection.tracks());
    return new PointListing.Selection(
        points.clock(from),
        points.clock(to) + 1,
        of,
        (process, thread) -> wanted.contains(tracks.getOrDefault(new Thread(process, thread), -1)));
  }

  private Answers.Body of(PointListing listing) throws IOException {
    PointListing.Selection chosen = selected(kinds, selection.from(), selection.to());
    int total = listing.count(chosen);
    int before =
        at <= selection.from() ? 0 : listing.count(selected(kinds, selection.from(), at - 1));
    List<Long> counts =
        KINDS.stream()
            .map(kind ->
                (long) listing.count(selected(Set.of(kind), selection.from(), selection.to())))
            .toList();
    List<IrregularPoint> page = listing.list(chosen, first, count);
    return json -> {
      json.writeStartObject();
      json.writeNumberField("total", total);
      json.writeNumberField("before", before);
      json.writeFieldName("kinds");
      json.writeStartObject();
      new Columns<>(json, KINDS)
          .texts("word", PointKind::word)
          .numbers("count", kind -> counts.get(kind.number()))
          .numbers("unlisted", listing::unlisted);
      json.writeEndObject();
      new Columns<>(json, page)
          .times("time", point -> points.time(point.clock()))
          .ints("track", point -> tracks.get(new Thread(point.process(), point.thread())))
          .ints("kind", point -> point.kind().number())
          .texts("address", point -> "0x" + Long.toHexString(point.address()))
          .texts("module", IrregularPoint::module)
          .texts("function", IrregularPoint::function)
          .texts("text", IrregularPoint::text);
      json.writeEndObject();
    };
  }
}
