package dev.kymo.query.rules;

import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.query.rules.Condition.Figure;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;

/** Judges rules that compare a number with a limit. What is not known for sure decides nothing. */
final class Measured {
  private static final int THOUSAND = 1000;

  private final Evidence evidence;
  private final int most;

  Measured(Evidence evidence, int most) {
    this.evidence = evidence;
    this.most = most;
  }

  RuleVerdict number(Condition.Number rule) throws SQLException {
    String wrong = evidence.wrong(rule.scope());
    if (wrong != null) {
      return RuleVerdict.unknown(wrong);
    }
    if (rule.figure() == Figure.EVENTS) {
      List<TracedEvent> events = evidence.events(rule.of());
      String numbers =
          events.stream().map(e -> Integer.toString(e.number())).collect(Collectors.joining(", "));
      return events.isEmpty()
          ? RuleVerdict.unknown(evidence.noEvent(rule.of()))
          : count(rule, "events r WHERE r.event IN (" + numbers + ")", "r.time", 0);
    }
    BitSet methods = evidence.methods(rule.of());
    if (methods.isEmpty()) {
      return RuleVerdict.unknown(evidence.noMethod(rule.of()));
    }
    String from = "calls r WHERE r.method IN (" + Evidence.list(methods) + ")";
    long counted = evidence.counted(methods, rule.scope()).calls;
    return rule.figure() == Figure.CALLS
        ? count(rule, from, "r.begin", counted)
        : sum(rule, from, counted);
  }

  /** Those that are lost may have been there. */
  private RuleVerdict count(Condition.Number rule, String table, String begin, long counted)
      throws SQLException {
    String from = " FROM " + table + evidence.in(rule.scope(), begin, begin);
    long[] found = {counted};
    evidence.ask("SELECT count(*)" + from, row -> found[0] += row.getLong(1));
    long least = found[0];
    boolean calls = rule.figure() == Figure.CALLS;
    Evidence.Loss loss = evidence.loss(rule.scope(), kind -> !calls || kind == TrackKind.CALLS);
    long greatest =
        loss.isNone() ? least : loss.events() < 0 ? Long.MAX_VALUE : least + loss.events();
    String number = "%s%d %s".formatted(loss.isNone() ? "" : "at least ", least, word(rule));
    boolean withLeast = rule.bound().allows(least, rule.limit());
    boolean withGreatest = rule.bound().allows(greatest, rule.limit());
    if (withLeast && withGreatest) {
      return RuleVerdict.ok(number);
    }
    if (withLeast || withGreatest) {
      return RuleVerdict.unknown(number + ", but " + loss.words());
    }
    boolean place = rule.bound().isUpper() && counted == 0;
    long last = rule.limit() - (rule.bound() == Bound.BELOW ? 1 : 0);
    return RuleVerdict.violated(number, place ? first(from, begin, last, rule) : List.of());
  }

  private static String word(Condition.Number rule) {
    return rule.figure() == Figure.CALLS ? "calls" : "events";
  }

  /** The first one that was too much. */
  private List<Violation> first(String from, String begin, long allowed, Condition.Number rule)
      throws SQLException {
    boolean calls = rule.figure() == Figure.CALLS;
    return places(
        "SELECT r.process, r.thread, %s, %s, %s"
                .formatted(calls ? "r.depth" : "-1", begin, calls ? "r.finish" : begin)
            + from
            + " ORDER BY %s LIMIT 1 OFFSET %d".formatted(begin, Math.max(0, allowed)),
        "number %d".formatted(Math.max(0, allowed) + 1));
  }

  /**
   * Places of rows with a process, a thread, a depth, a begin, a finish and perhaps a method.
   *
   * @param what they are; empty = calls of their methods
   */
  private List<Violation> places(String sql, String what) throws SQLException {
    List<Violation> places = new ArrayList<>();
    evidence.ask(
        sql,
        row -> {
          int process = row.getInt(1);
          int thread = row.getInt(2);
          String name =
              what.isEmpty() ? evidence.source().method(row.getInt(6)).qualifiedName() : what;
          places.add(
              new Violation(
                  process,
                  thread,
                  evidence.name(process, thread),
                  row.getInt(3),
                  row.getLong(4),
                  row.getLong(5),
                  name));
        });
    return places;
  }

  private RuleVerdict sum(Condition.Number rule, String table, long counted) throws SQLException {
    if (counted > 0) {
      return RuleVerdict.unknown("calls were counted, not recorded one by one: calls=" + counted);
    }
    boolean mean = rule.figure() == Figure.MEAN;
    String from = " FROM " + table + evidence.in(rule.scope(), "r.begin", "r.finish");
    double[] found = new double[2];
    evidence.ask(
        "SELECT count(*), %s".formatted(mean ? "avg(r.duration)" : "sum(r.self)") + from,
        row -> {
          found[0] = row.getDouble(1);
          found[1] = row.getDouble(2);
        });
    if (mean && found[0] == 0) {
      return RuleVerdict.unknown("there is no call of it");
    }
    String what = "%s of %.0f calls".formatted(Durations.text(found[1]), found[0]);
    Evidence.Loss loss = evidence.loss(rule.scope(), kind -> kind == TrackKind.CALLS);
    if (!loss.isNone()) {
      return RuleVerdict.unknown("%s, but %s".formatted(what, loss.words()));
    }
    return rule.bound().allows(found[1], rule.limit())
        ? RuleVerdict.ok(what)
        : RuleVerdict.violated(
            what,
            rule.bound().isUpper() ? longest(from, mean ? "r.duration" : "r.self") : List.of());
  }

  private List<Violation> longest(String from, String by) throws SQLException {
    return places(
        "SELECT r.process, r.thread, r.depth, r.begin, r.finish, r.method"
            + from
            + " ORDER BY %s DESC, r.begin LIMIT %d".formatted(by, most),
        "");
  }

  /**
   * A quantile is small enough if enough calls are: that needs no memory, and leaves room for calls
   * whose duration is not known.
   */
  RuleVerdict quantile(Condition.Quantile rule) throws SQLException {
    String wrong = evidence.wrong(rule.scope());
    if (wrong != null) {
      return RuleVerdict.unknown(wrong);
    }
    BitSet methods = evidence.methods(rule.method());
    if (methods.isEmpty()) {
      return RuleVerdict.unknown(evidence.noMethod(rule.method()));
    }
    // What must not be reached from above counts as small if it is the limit, and the other way.
    boolean included = rule.bound() == Bound.AT_MOST || rule.bound() == Bound.ABOVE;
    String small = "r.duration %s %d".formatted(included ? "<=" : "<", rule.limit());
    String from =
        " FROM calls r WHERE r.method IN (%s)".formatted(Evidence.list(methods))
            + evidence.in(rule.scope(), "r.begin", "r.finish");
    String ends = "(r.begin_unknown OR r.end_unknown OR r.end_inferred)";
    Sums sums = new Sums();
    evidence.ask(
        "SELECT count(*), count(*) FILTER (%s AND NOT %s), count(*) FILTER (%s AND %s)"
                .formatted(small, ends, small, ends)
            + from,
        row -> {
          sums.all = row.getLong(1);
          sums.small = row.getLong(2);
          sums.unsure = row.getLong(3);
        });
    if (sums.all > 0) {
      String one = " ORDER BY r.duration DESC LIMIT 1 OFFSET ";
      long above = sums.all - needed(rule, sums.all);
      evidence.ask("SELECT r.duration" + from + one + above, row -> sums.shown = row.getLong(1));
    }
    return judge(rule, methods, sums, from + " AND NOT (" + small + ")");
  }

  private static final class Sums {
    long all;
    long small;

    /** Calls that may be small. */
    long unsure;

    /** The quantile of those that were recorded. */
    long shown;
  }

  /** How many of these have to be small. */
  private static long needed(Condition.Quantile rule, long all) {
    return Math.max(1, Math.ceilDiv(all * rule.thousandths(), (long) THOUSAND));
  }

  private RuleVerdict judge(Condition.Quantile rule, BitSet methods, Sums sums, String fromLarge)
      throws SQLException {
    Evidence.Loss loss = evidence.loss(rule.scope(), kind -> kind == TrackKind.CALLS);
    Evidence.Counted counted = evidence.counted(methods, rule.scope());
    long lost = Math.max(0, loss.events());
    boolean allShort =
        counted.timed == counted.calls && counted.calls > 0 && counted.longest < rule.limit();
    long small = sums.small + (allShort ? counted.calls : 0);
    long unsure = sums.unsure + (allShort ? 0 : counted.calls) + lost;
    long all = sums.all + counted.calls + lost;
    if (sums.all + counted.calls == 0) {
      return RuleVerdict.unknown("there is no call of it");
    }
    long needed = needed(rule, all);
    String what =
        sums.all == 0
            ? "%d calls, which were counted".formatted(counted.calls)
            : "%s of %d calls".formatted(Durations.text(sums.shown), sums.all);
    boolean enough = small >= needed;
    boolean never = small + unsure < needed;
    if (loss.events() < 0 || (!enough && !never)) {
      return RuleVerdict.unknown(what + unsure(loss, counted, sums.unsure));
    }
    if (rule.bound().isUpper() == enough) {
      return RuleVerdict.ok(what);
    }
    return RuleVerdict.violated(
        what, rule.bound().isUpper() ? longest(fromLarge, "r.duration") : List.of());
  }

  private static String unsure(Evidence.Loss loss, Evidence.Counted counted, long open) {
    return (loss.isNone() ? "" : ", but " + loss.words())
        + (counted.calls == 0 ? "" : ", but calls were counted: calls=" + counted.calls)
        + (open == 0 ? "" : ", but of some the begin or end is not known: calls=" + open);
  }
}
