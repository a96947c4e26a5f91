package dev.kymo.server;

import dev.kymo.analysis.LongestCall;
import dev.kymo.analysis.NamePattern;
import dev.kymo.analysis.NearestCall;
import dev.kymo.analysis.PlacedCall;
import dev.kymo.analysis.Progress;
import dev.kymo.analysis.Selection;
import dev.kymo.model.CallDetail;
import dev.kymo.model.Timeline;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.Function;

/** {@code /api/find}: the next, previous or longest call of some methods. */
final class FindAnswer {
  private final Timeline timeline;
  private final Query query;
  private final Selection selection;

  private FindAnswer(Timeline timeline, Query query) {
    this.timeline = timeline;
    this.query = query;
    this.selection = SelectionQuery.of(timeline, query);
  }

  static Jobs.Work of(Timeline timeline, Query query) {
    return new FindAnswer(timeline, query).work();
  }

  private Jobs.Work work() {
    Function<Progress, BitSet> methods = methods();
    Finder finder = finder();
    return progress -> {
      Optional<CallDetail> call =
          finder
              .find(methods.apply(progress), progress)
              .flatMap(c -> timeline.call(c.track(), c.depth(), c.begin()));
      return CallAnswer.of(timeline, call);
    };
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
        yield (methods, progress) ->
            NearestCall.next(timeline, selection, methods, place, progress);
      }
      case "previous" -> {
        PlacedCall place = place(false);
        yield (methods, progress) ->
            NearestCall.previous(timeline, selection, methods, place, progress);
      }
      case "longest" ->
          (methods, progress) -> LongestCall.of(timeline, selection, methods, progress);
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
