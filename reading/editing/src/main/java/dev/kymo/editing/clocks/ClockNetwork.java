package dev.kymo.editing.clocks;

import dev.kymo.format.ClockExchanges;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Clocks of recordings, some pairs of which can be compared: by messages, because they are the same
 * counter, or because both were compared with a third one, such as their receiver's. A clock is
 * related to another one on the way of which the error is the smallest.
 */
public final class ClockNetwork {
  private final List<ComparedClock> clocks;
  private final List<List<Edge>> edges = new ArrayList<>();

  /** Clocks that no recording here has, by what identifies them. */
  private final Map<String, Integer> others = new HashMap<>();

  /** How a clock runs to another one; empty if nothing is known of that. */
  private interface Comparison {
    Optional<ClockLine> over(long begin, long end);
  }

  private record Edge(int to, Kind kind, Comparison comparison) {}

  /** Why it is known. */
  private enum Kind {
    COUNTER("the same counter", 1),
    MESSAGES("%d messages", 1),
    EXCHANGES("%d exchanges with the receiver", 2),
    ALIGNED("%d readings that were found before", 1);

    private final String words;

    /** Readings that are one of what is counted. */
    private final int readings;

    Kind(String words, int readings) {
      this.words = words;
      this.readings = readings;
    }

    String words(int count) {
      return words.formatted(count / readings);
    }
  }

  /**
   * How a clock runs to the first one.
   *
   * @param sameCounter whether it is the first one
   * @param how it is known, for people
   */
  public record Relation(ClockLine line, boolean sameCounter, String how) {}

  /** A clock that was reached, by a line of the one where the way begins. */
  private record Reached(ClockDrift drift, long error, long slack, Map<Kind, Integer> readings) {
    Reached then(Edge edge, ClockLine line) {
      Map<Kind, Integer> all = new LinkedHashMap<>(readings);
      all.merge(edge.kind, line.readings(), Integer::sum);
      return new Reached(drift.then(line.drift()), error + line.error(), slack + line.slack(), all);
    }

    Relation relation() {
      int all = readings.values().stream().mapToInt(Integer::intValue).sum();
      String how =
          readings.entrySet().stream()
              .map(one -> one.getKey().words(one.getValue()))
              .collect(Collectors.joining(" and "));
      boolean sameCounter = readings.keySet().stream().allMatch(Kind.COUNTER::equals);
      return new Relation(new ClockLine(drift, error, all, slack), sameCounter, "by " + how);
    }
  }

  /** Finds out which of them can be compared; the first one's clock is to be that of all. */
  public ClockNetwork(List<ComparedClock> clocks) {
    this.clocks = clocks;
    clocks.forEach(any -> edges.add(new ArrayList<>()));
    for (int i = 0; i < clocks.size(); i++) {
      for (int j = 0; j < clocks.size(); j++) {
        if (i != j) {
          compare(i, j);
        }
      }
      withReceiver(i);
      asFoundBefore(i);
    }
  }

  private void compare(int from, int to) {
    ComparedClock one = clocks.get(from);
    ComparedClock other = clocks.get(to);
    if (one.isSameCounter(other)) {
      ClockLine same = sameCounter(one, other);
      edges.get(from).add(new Edge(to, Kind.COUNTER, (begin, end) -> Optional.of(same)));
    } else if (one.messages().isPresent() && other.messages().isPresent()) {
      ClockBounds bounds = MessageMatch.bounds(other.messages().get(), one.messages().get());
      edges.get(from).add(new Edge(to, Kind.MESSAGES, bounds::solve));
    }
  }

  /** Ticks are the same; their times differ by how each was related to wall time. */
  private static ClockLine sameCounter(ComparedClock one, ComparedClock other) {
    long tick = one.clock().ticks(one.begin() - one.clock().wallOffset());
    double rate = (double) one.clock().frequency() / other.clock().frequency() - 1;
    return new ClockLine(
        new ClockDrift(other.time(tick) - one.time(tick), one.time(tick), rate), 0, 0, 0);
  }

  /** Readings that any recording of the same counter has made are as good. */
  private void withReceiver(int number) {
    ComparedClock own = clocks.get(number);
    if (own.exchanges().isEmpty()) {
      return;
    }
    String receiver = own.exchanges().get().receiver();
    ClockBounds there = new ClockBounds(own.begin());
    List<ClockExchanges.Exchange> all = own.exchanges().get().all();
    ClockBounds back = new ClockBounds(all.isEmpty() ? 0 : all.getFirst().came());
    for (ComparedClock clock : clocks) {
      if (own.isSameCounter(clock)) {
        clock
            .exchanges()
            .filter(exchanges -> exchanges.receiver().equals(receiver))
            .ifPresent(exchanges -> add(exchanges, own, there, back));
      }
    }
    connect(number, other("receiver " + receiver), Kind.EXCHANGES, there::solve, back::solve);
  }

  private static void add(
      ClockExchanges exchanges, ComparedClock own, ClockBounds there, ClockBounds back) {
    for (ClockExchanges.Exchange one : exchanges.all()) {
      long asked = own.time(one.asked());
      long answered = own.time(one.back());
      there.atMost(asked, one.came() - asked);
      there.atLeast(answered, one.answered() - answered);
      back.atLeast(one.came(), asked - one.came());
      back.atMost(one.answered(), answered - one.answered());
    }
  }

  private void asFoundBefore(int number) {
    Optional<AlignedClock> aligned = clocks.get(number).aligned();
    if (aligned.isPresent()) {
      ClockLine line = aligned.get().line();
      ClockLine back =
          new ClockLine(line.drift().inverse(), line.error(), line.readings(), line.slack());
      connect(
          number,
          withIdentity(aligned.get(), number),
          Kind.ALIGNED,
          (begin, end) -> Optional.of(line),
          (begin, end) -> Optional.of(back));
    }
  }

  private int withIdentity(AlignedClock aligned, int but) {
    for (int i = 0; i < clocks.size(); i++) {
      if (i != but && clocks.get(i).recording().equals(aligned.to())) {
        return i;
      }
    }
    return other("recording " + aligned.to());
  }

  private int other(String identity) {
    return others.computeIfAbsent(
        identity,
        any -> {
          edges.add(new ArrayList<>());
          return edges.size() - 1;
        });
  }

  private void connect(int one, int other, Kind kind, Comparison there, Comparison back) {
    edges.get(one).add(new Edge(other, kind, there));
    edges.get(other).add(new Edge(one, kind, back));
  }

  /** Whether it is known of each of the clocks how it runs to the first one. */
  public boolean relatesAll() {
    return IntStream.range(1, clocks.size()).allMatch(number -> relation(number).isPresent());
  }

  /** How one of the clocks runs to the first one, all along its recording; empty if not known. */
  public Optional<Relation> relation(int number) {
    long begin = clocks.get(number).begin();
    long end = clocks.get(number).end();
    @Nullable Reached[] best = new Reached[edges.size()];
    boolean[] done = new boolean[edges.size()];
    best[number] = new Reached(new ClockDrift(0, begin, 0), 0, 0, Map.of());
    for (int at = number; at > 0; at = nearest(best, done)) {
      done[at] = true;
      Reached here = best[at];
      long from = begin + here.drift().at(begin);
      long to = end + here.drift().at(end);
      for (Edge edge : edges.get(at)) {
        Optional<ClockLine> line = edge.comparison.over(from, to);
        if (line.isPresent()) {
          Reached next = here.then(edge, line.get());
          Reached known = best[edge.to];
          best[edge.to] = known == null || next.error() < known.error() ? next : known;
        }
      }
    }
    return Optional.ofNullable(best[0]).map(Reached::relation);
  }

  /** The clock whose way is certain next; -1 if there is no other that can be reached. */
  private static int nearest(@Nullable Reached[] best, boolean[] done) {
    int nearest = -1;
    for (int i = 0; i < best.length; i++) {
      Reached one = best[i];
      if (one != null && !done[i]) {
        Reached known = nearest < 0 ? null : best[nearest];
        nearest = known == null || one.error() < known.error() ? i : nearest;
      }
    }
    return nearest;
  }
}
