package dev.kymo.analysis.clocks;

import dev.kymo.analysis.clocks.FeasibleLines.Line;
import dev.kymo.analysis.clocks.FeasibleLines.Point;
import dev.kymo.analysis.clocks.SentMessages.End;
import dev.kymo.model.arrows.StreamParts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * The difference of two recordings' clocks, found by messages that programs sent from one to the
 * other: each was received after it was sent. Messages in one direction say how large the
 * difference is at least, those in the other how large it is at most. The truth is a straight line
 * between, if both clocks go evenly; the error is how far the furthest such line is away, anywhere
 * in the recording.
 *
 * @param drift of the second recording's clock
 * @param error nanoseconds by which its times may be wrong after that
 * @param messages that were matched
 * @param slack nanoseconds by which messages contradict each other, part of the error; above 0 if a
 *     clock does not go evenly
 */
public record MessageMatch(Drift drift, long error, int messages, long slack) {
  /** No clock goes this wrong, nanoseconds a second. */
  private static final double STEEPEST = 1_000_000;

  private static final double SECOND = 1e9;

  /** Finds it; empty unless there are messages in both directions. */
  public static Optional<MessageMatch> find(SentMessages first, SentMessages second) {
    Constraints all = new Constraints(second.begin());
    for (Map.Entry<SentMessages.Key, SentMessages.Times> each : first.all().entrySet()) {
      SentMessages.Times other = second.all().get(each.getKey());
      if (other != null) {
        all.add(each.getValue(), other);
      }
    }
    if (all.above.isEmpty() || all.below.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(all.solve(second.end()));
  }

  /** What messages say: x is seconds since the second recording's begin, y nanoseconds. */
  private static final class Constraints {
    private final long begin;
    private final List<Point> above = new ArrayList<>();
    private final List<Point> below = new ArrayList<>();

    /** Near all differences: what is left is small enough to be exact. */
    private long near;

    Constraints(long begin) {
      this.begin = begin;
    }

    /** Messages with one key. */
    void add(SentMessages.Times first, SentMessages.Times second) {
      boolean whole =
          first.sent().size() == second.received().size()
              && first.received().size() == second.sent().size();
      add(
          first.sent(),
          second.received(),
          whole,
          (sent, received) -> above.add(point(received, sent - received)));
      add(
          second.sent(),
          first.received(),
          whole,
          (sent, received) -> below.add(point(sent, received - sent)));
    }

    /** Takes when a message was sent and received. */
    private interface Taker {
      void take(long sent, long received);
    }

    /**
     * Parts of a stream belong together by their bytes; other messages by their order, if none is
     * missing.
     */
    private static void add(List<End> sent, List<End> received, boolean whole, Taker taker) {
      boolean parts = !sent.isEmpty() && !received.isEmpty() && sent.getFirst().isPart();
      if (parts && received.getFirst().isPart()) {
        for (StreamParts.Pair pair : parts(sent).pairs(parts(received))) {
          taker.take(sent.get(pair.written()).time(), received.get(pair.read()).time());
        }
      } else if (whole) {
        for (int i = 0; i < sent.size(); i++) {
          taker.take(sent.get(i).time(), received.get(i).time());
        }
      }
    }

    private static StreamParts parts(List<End> ends) {
      StreamParts parts = new StreamParts();
      for (int i = 0; i < ends.size(); i++) {
        parts.add(ends.get(i).position(), ends.get(i).bytes(), i);
      }
      return parts;
    }

    private Point point(long time, long difference) {
      if (above.isEmpty() && below.isEmpty()) {
        near = difference;
      }
      return new Point((time - begin) / SECOND, difference - near);
    }

    MessageMatch solve(long end) {
      double slack = 0;
      List<Line> lines = FeasibleLines.of(above, below, STEEPEST);
      while (lines.isEmpty()) {
        slack = slack == 0 ? 100 : 2 * slack;
        double by = slack;
        List<Point> higher = below.stream().map(p -> new Point(p.x(), p.y() + by)).toList();
        lines = FeasibleLines.of(above, higher, STEEPEST);
      }
      double last = Math.max((end - begin) / SECOND, 1e-3);
      Middle atBegin = Middle.of(lines, line -> line.at(0));
      Middle atEnd = Middle.of(lines, line -> line.at(last));
      double rate = (atEnd.middle - atBegin.middle) / last / SECOND;
      double error = Math.max(atBegin.half, atEnd.half) + slack;
      return new MessageMatch(
          new Drift(near + Math.round(atBegin.middle - slack / 2), begin, rate),
          (long) Math.ceil(error) + 1,
          above.size() + below.size(),
          Math.round(slack));
    }
  }

  /** The middle of the least and the most that lines say somewhere, and half of what is between. */
  private record Middle(double middle, double half) {
    static Middle of(List<Line> lines, ToDoubleFunction<Line> what) {
      double least = lines.stream().mapToDouble(what).min().orElseThrow();
      double most = lines.stream().mapToDouble(what).max().orElseThrow();
      return new Middle((least + most) / 2, (most - least) / 2);
    }
  }
}
