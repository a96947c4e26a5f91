package dev.kymo.server.answers;

import dev.kymo.format.SchedulerState;
import dev.kymo.model.arrows.ArrowKind;
import dev.kymo.model.arrows.Arrows;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.http.Answers;
import dev.kymo.server.http.Query;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** {@code /api/arrows}: which thread woke which, and who sent whom a message. */
public final class ArrowsAnswer {
  /** More could not be distinguished. */
  private static final int MAX = 1000;

  /** Maximum number of arrows that are searched if only some kinds are wanted. */
  private static final int LOOKED_AT = 20_000;

  /** What is told by name only; each of these is no kind of waiting that the program tells of. */
  private static final Map<String, ArrowKind> NAMED =
      Map.of(
          "message",
          ArrowKind.MESSAGE,
          SchedulerState.BLOCKED.word(),
          ArrowKind.WAKE_UP,
          SchedulerState.RUNNABLE.word(),
          ArrowKind.SWITCH,
          SchedulerState.HANDED.word(),
          ArrowKind.HAND_OFF);

  private ArrowsAnswer() {}

  public static Answers.Body of(Timeline timeline, Query query) {
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
    List<Arrows> groups = new ArrayList<>();
    Set<String> waits = new HashSet<>(kinds);
    waits.removeAll(NAMED.keySet());
    if (!waits.isEmpty()) {
      groups.add(ofWaits(timeline, from, to, max, waits));
    }
    for (ArrowKind kind : ArrowKind.values()) {
      if (kinds.stream().anyMatch(name -> NAMED.get(name) == kind)) {
        groups.add(timeline.arrows(kind, from, to, max));
      }
    }
    return together(groups, max);
  }

  private static Arrows ofWaits(Timeline timeline, long from, long to, int max, Set<String> kinds) {
    Arrows all = timeline.arrows(from, to, LOOKED_AT);
    List<Arrows.Arrow> wanted =
        all.arrows().stream()
            .filter(arrow -> kinds.contains(timeline.method(arrow.method()).type()))
            .toList();
    List<Arrows.Arrow> longest = longest(wanted, max);
    return new Arrows(longest, all.longestOnly() || longest.size() < wanted.size());
  }

  /** Each group gets the same share; what one does not need goes to the others. */
  private static Arrows together(List<Arrows> groups, int max) {
    groups.sort(Comparator.comparingInt(group -> group.arrows().size()));
    List<Arrows.Arrow> all = new ArrayList<>();
    boolean more = false;
    for (int i = 0; i < groups.size(); i++) {
      Arrows group = groups.get(i);
      int room = (max - all.size()) / (groups.size() - i);
      List<Arrows.Arrow> some = longest(group.arrows(), room);
      all.addAll(some);
      more |= group.longestOnly() || some.size() < group.arrows().size();
    }
    all.sort(Comparator.comparingLong(Arrows.Arrow::time));
    return new Arrows(all, more);
  }

  private static List<Arrows.Arrow> longest(List<Arrows.Arrow> arrows, int max) {
    if (arrows.size() <= max) {
      return arrows;
    }
    boolean instants = arrows.stream().allMatch(arrow -> arrow.waited() == 0);
    if (instants) { // none is longer than another: some of all times
      return IntStream.range(0, max)
          .mapToObj(i -> arrows.get((int) ((long) i * arrows.size() / max)))
          .toList();
    }
    return arrows.stream()
        .sorted(Comparator.comparingLong((Arrows.Arrow arrow) -> -Math.abs(arrow.waited())))
        .limit(max)
        .sorted(Comparator.comparingLong(Arrows.Arrow::time))
        .toList();
  }
}
