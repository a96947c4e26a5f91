package dev.kymo.server.answers;

import dev.kymo.analysis.events.NamedEvents;
import dev.kymo.analysis.events.NearestEvent;
import dev.kymo.analysis.names.NamePattern;
import dev.kymo.analysis.search.LongestCallSearch;
import dev.kymo.analysis.search.NearestCall;
import dev.kymo.analysis.selection.PlacedCall;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.timeline.CallDetail;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.http.Answers;
import dev.kymo.server.http.BadRequestException;
import dev.kymo.server.http.Jobs;
import dev.kymo.server.http.Query;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * {@code /api/find}: the next, previous or longest call of some methods, or the next or previous
 * event of some kinds.
 */
public final class FindAnswer {
  private final Timeline timeline;
  private final Query query;
  private final TimelineSelection selection;

  private FindAnswer(Timeline timeline, Query query) {
    this.timeline = timeline;
    this.query = query;
    this.selection = SelectionQuery.of(timeline, query);
  }

  public static Jobs.Work of(Timeline timeline, Query query) {
    return new FindAnswer(timeline, query).work();
  }

  private Jobs.Work work() {
    Function<Progress, BitSet> methods = methods();
    Finder finder = finder();
    return progress -> {
      Optional<PlacedCall> found = finder.find(methods.apply(progress), progress);
      if (found.isPresent() && found.get().depth() == NearestEvent.DEPTH) {
        return event(found.get());
      }
      Optional<CallDetail> call =
          found.flatMap(c -> timeline.call(c.track(), c.depth(), c.begin()));
      return CallAnswer.of(timeline, call);
    };
  }

  private static Answers.Body event(PlacedCall event) {
    return json -> {
      json.writeStartObject();
      json.writeNullField("call");
      json.writeObjectFieldStart("event");
      json.writeNumberField("track", event.track());
      Answers.time(json, "time", event.begin());
      json.writeEndObject();
      json.writeEndObject();
    };
  }

  private Optional<PlacedCall> next(BitSet methods, PlacedCall place, Progress progress) {
    BitSet calls = NamedEvents.calls(timeline, methods);
    Optional<PlacedCall> call =
        calls.isEmpty()
            ? Optional.empty()
            : NearestCall.next(timeline, selection, calls, place, progress);
    long to = call.map(PlacedCall::begin).orElse(selection.to());
    BitSet kinds = NamedEvents.kinds(timeline, methods);
    TimelineSelection nearer = new TimelineSelection(selection.from(), to, selection.tracks());
    return Stream.concat(
            call.stream(), NearestEvent.next(timeline, nearer, kinds, place, progress).stream())
        .min(PlacedCall.BY_PLACE);
  }

  private Optional<PlacedCall> previous(BitSet methods, PlacedCall place, Progress progress) {
    BitSet calls = NamedEvents.calls(timeline, methods);
    Optional<PlacedCall> call =
        calls.isEmpty()
            ? Optional.empty()
            : NearestCall.previous(timeline, selection, calls, place, progress);
    long from = Math.max(selection.from(), call.map(PlacedCall::begin).orElse(0L));
    BitSet kinds = NamedEvents.kinds(timeline, methods);
    TimelineSelection nearer = new TimelineSelection(from, selection.to(), selection.tracks());
    return Stream.concat(
            call.stream(), NearestEvent.previous(timeline, nearer, kinds, place, progress).stream())
        .max(PlacedCall.BY_PLACE);
  }

  @FunctionalInterface
  private interface Finder {
    Optional<PlacedCall> find(BitSet methods, Progress progress);
  }

  private Function<Progress, BitSet> methods() {
    if (query.has("pattern")) {
      NamePattern pattern = NamePattern.of(query.text("pattern"));
      return progress -> pattern.methods(timeline, progress);
    }
    int method = (int) query.number("method", 0, timeline.methods() - 1L);
    BitSet one = new BitSet();
    one.set(method);
    return progress -> one;
  }

  private Finder finder() {
    String direction = query.text("direction");
    return switch (direction) {
      case "next" -> {
        PlacedCall place = place(true);
        yield (methods, progress) -> next(methods, place, progress);
      }
      case "previous" -> {
        PlacedCall place = place(false);
        yield (methods, progress) -> previous(methods, place, progress);
      }
      case "longest" ->
          (methods, progress) -> LongestCallSearch.of(timeline, selection, methods, progress);
      default ->
          throw new BadRequestException(
              "Neither next, previous nor longest: direction=" + direction + '.');
    };
  }

  private PlacedCall place(boolean next) {
    long time = query.number("time", 0, Long.MAX_VALUE / 2);
    if (!query.has("track") && !query.has("depth")) {
      return NearestCall.at(time, next);
    }
    int track = (int) query.number("track", 0, timeline.tracks().size() - 1L);
    int depth = (int) query.number("depth", 0, Integer.MAX_VALUE);
    return NearestCall.at(track, depth, time);
  }
}
