package dev.kymo.query.rules;

import dev.kymo.format.NoticeCode;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.query.tables.RecordedTables;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Judges rules that say what must not happen at all: waits, states, calls and events. */
final class Found {
  /** What hides kinds of waits that the flight recorder reports. */
  private static final Set<NoticeCode> REPORTED =
      EnumSet.of(
          NoticeCode.WAITS_ENDED,
          NoticeCode.EVENTS_MISSING,
          NoticeCode.LONG_WAITS_MISSING,
          NoticeCode.LAST_WAITS_MISSING,
          NoticeCode.OVER_BUDGET);

  /** What hides kinds of waits that {@code LockSupport} reports. */
  private static final Set<NoticeCode> PARKS =
      EnumSet.of(
          NoticeCode.WAITS_ENDED,
          NoticeCode.LOCKS_MISSING,
          NoticeCode.STARTS_MISSING,
          NoticeCode.OVER_BUDGET);

  private static final Set<String> BY_PARKS = Set.of("lock", "park");
  private static final Set<String> OWN_COLUMNS = Set.of("process", "thread", "time");

  private final Evidence evidence;
  private final int most;

  /** Reports so many places of a violation at most. */
  Found(Evidence evidence, int most) {
    this.evidence = evidence;
    this.most = most;
  }

  /**
   * Rows that must not be there.
   *
   * @param from a table, called {@code r}
   * @param begin column
   * @param finish column
   * @param depth expression; -1 = they are no calls
   * @param label expression: what they are
   * @param where condition
   */
  private record Rows(
      String from, String begin, String finish, String depth, String label, String where) {}

  RuleVerdict waits(Condition.NoWait rule) throws SQLException {
    String wrong = evidence.wrong(rule.scope());
    if (wrong != null) {
      return RuleVerdict.unknown(wrong);
    }
    String kind = rule.kind() == null ? "category <> 'weaving'" : "category = " + text(rule.kind());
    Rows rows =
        new Rows(
            "waits r",
            "r.begin",
            "r.finish",
            "-1",
            "r.state || CASE WHEN r.end_unknown THEN ', has not ended' ELSE '' END",
            "r.duration > %d AND %s".formatted(rule.over(), kind));
    String things = rule.kind() == null ? "waits" : "waits for " + rule.kind();
    RuleVerdict found =
        judge(
            rows, rule.scope(), things + " over " + Durations.text(rule.over()), TrackKind.STATES);
    return found.outcome() == RuleVerdict.Outcome.OK ? known(rule, found) : found;
  }

  /** Nothing was found: was it looked for? */
  private RuleVerdict known(Condition.NoWait rule, RuleVerdict found) throws SQLException {
    boolean[] any = {false};
    if (evidence.has(TrackKind.STATES)) {
      evidence.ask("SELECT 1 FROM waits WHERE category <> 'weaving' LIMIT 1", row -> any[0] = true);
    }
    if (!any[0]) {
      return RuleVerdict.unknown(
          "no waits in this recording; 'kymo record --waits on' records them from the beginning");
    }
    String kind = rule.kind();
    Set<NoticeCode> hiding = EnumSet.noneOf(NoticeCode.class);
    if (kind == null || !BY_PARKS.contains(kind)) {
      hiding.addAll(REPORTED);
    }
    if (kind == null || BY_PARKS.contains(kind)) {
      hiding.addAll(PARKS);
    }
    String notice =
        evidence.notice(told -> NoticeCode.of(told).filter(hiding::contains).isPresent());
    return notice.isEmpty() ? found : RuleVerdict.unknown("not all waits are recorded: " + notice);
  }

  RuleVerdict times(Condition.NoTime rule) throws SQLException {
    if (!evidence.has(TrackKind.SCHEDULED)) {
      return RuleVerdict.unknown(
          "nothing of the kernel in this recording; 'kymo record --kernel cswitch' records when"
              + " threads run and wait");
    }
    String wrong = evidence.wrong(rule.scope());
    if (wrong != null) {
      return RuleVerdict.unknown(wrong);
    }
    Rows rows =
        new Rows(
            "states r",
            "r.begin",
            "r.finish",
            "-1",
            "r.state",
            "r.duration > %d AND r.kind = 'scheduled' AND r.category = %s"
                .formatted(rule.over(), text(rule.state())));
    String things = "times " + rule.state() + " over " + Durations.text(rule.over());
    return judge(rows, rule.scope(), things, TrackKind.SCHEDULED);
  }

  RuleVerdict calls(Condition.NoCall rule) throws SQLException {
    String wrong = evidence.wrong(rule.scope());
    if (wrong != null) {
      return RuleVerdict.unknown(wrong);
    }
    BitSet methods = evidence.methods(rule.method());
    boolean any = rule.over() < 0;
    if (methods.isEmpty()) {
      String none = evidence.noMethod(rule.method());
      return any ? RuleVerdict.ok(none) : RuleVerdict.unknown(none);
    }
    Rows rows =
        new Rows(
            "calls r JOIN methods m USING (recording, method)",
            "r.begin",
            "r.finish",
            "r.depth",
            "m.name",
            "r.method IN (%s)%s"
                .formatted(Evidence.list(methods), any ? "" : " AND r.duration > " + rule.over()));
    String over = any ? "calls" : "calls over " + Durations.text(rule.over());
    RuleVerdict found = judge(rows, rule.scope(), over, TrackKind.CALLS);
    return found.outcome() == RuleVerdict.Outcome.VIOLATED ? found : counted(rule, methods, found);
  }

  /** What was counted only may be too long, too. */
  private RuleVerdict counted(Condition.NoCall rule, BitSet methods, RuleVerdict found) {
    Evidence.Counted counted = evidence.counted(methods, rule.scope());
    if (counted.calls == 0) {
      return found;
    }
    if (rule.scope().during() != null) {
      return RuleVerdict.unknown(
          "calls were counted, not recorded one by one: calls=" + counted.calls);
    }
    if (rule.over() < 0) {
      return RuleVerdict.violated(
          "%d calls, which were counted".formatted(counted.calls), List.of());
    }
    if (counted.longest > rule.over()) {
      return RuleVerdict.violated(
          "a call that was counted took " + Durations.text(counted.longest), List.of());
    }
    return counted.timed < counted.calls
        ? RuleVerdict.unknown(
            "calls were counted, and not all of them timed: calls=%d timed=%d"
                .formatted(counted.calls, counted.timed))
        : found;
  }

  RuleVerdict events(Condition.NoEvent rule) throws SQLException {
    String wrong = evidence.wrong(rule.scope());
    if (wrong != null) {
      return RuleVerdict.unknown(wrong);
    }
    List<TracedEvent> events = evidence.events(rule.event());
    if (events.isEmpty()) {
      String none = evidence.noEvent(rule.event());
      return rule.test() == null ? RuleVerdict.ok(none) : RuleVerdict.unknown(none);
    }
    Condition.FieldTest test = rule.test();
    if (test == null) {
      Rows rows =
          new Rows(
              "events r",
              "r.time",
              "r.time",
              "-1",
              "r.name || CASE WHEN coalesce(r.data, '') = '' THEN '' ELSE ' ' || r.data END",
              "r.event IN (%s)".formatted(numbers(events)));
      return judge(rows, rule.scope(), "events", null);
    }
    return tested(events, test, rule.scope());
  }

  /** Each kind has a table of its own, with its fields. */
  private RuleVerdict tested(List<TracedEvent> events, Condition.FieldTest test, Scope scope)
      throws SQLException {
    Set<String> tables = new TreeSet<>();
    for (TracedEvent event : events) {
      boolean has =
          event.fields().list().stream().anyMatch(field -> field.name().equals(test.field()));
      if (has || (event.fields().list().isEmpty() && test.field().equals("argument"))) {
        RecordedTables.Name name = RecordedTables.name(event);
        tables.add(quoted(name.group()) + '.' + quoted(name.name()));
      }
    }
    if (tables.isEmpty()) {
      return RuleVerdict.unknown(
          "the event has no such field: event=%s field=%s fields=\"%s\""
              .formatted(
                  events.getFirst().qualifiedName(),
                  test.field(),
                  events.getFirst().definition().fields()));
    }
    boolean taken = OWN_COLUMNS.contains(test.field().toLowerCase(Locale.ROOT));
    String column = "r." + quoted(test.field() + (taken ? "_" : ""));
    String value = test.value() instanceof String words ? text(words) : test.value().toString();
    RuleVerdict found = RuleVerdict.ok("");
    for (String table : tables) {
      Rows rows =
          new Rows(
              table + " r",
              "r.time",
              "r.time",
              "-1",
              "'%s=' || %s".formatted(test.field().replace("'", "''"), column),
              "%s %s %s".formatted(column, test.comparison(), value));
      found = judge(rows, scope, "events", null);
      if (found.outcome() != RuleVerdict.Outcome.OK) {
        return found;
      }
    }
    return found;
  }

  private static String numbers(List<TracedEvent> events) {
    return events.stream()
        .map(event -> Integer.toString(event.number()))
        .collect(Collectors.joining(", "));
  }

  private static String text(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /**
   * Looks for rows.
   *
   * @param things what they are, the first word in the plural
   * @param kind of the tracks whose losses hide some; null = any
   */
  private RuleVerdict judge(Rows rows, Scope scope, String things, @Nullable TrackKind kind)
      throws SQLException {
    String from = " FROM %s WHERE %s%s".formatted(rows.from, rows.where, in(rows, scope));
    long[] sums = new long[2];
    evidence.ask(
        "SELECT count(*), max(%s - %s)".formatted(rows.finish, rows.begin) + from,
        row -> {
          sums[0] = row.getLong(1);
          sums[1] = row.getLong(2);
        });
    if (sums[0] > 0) {
      String longest = sums[1] > 0 ? ", the longest " + Durations.text(sums[1]) : "";
      String found = sums[0] == 1 ? things.replaceFirst("s\\b", "") : things;
      return RuleVerdict.violated("%d %s%s".formatted(sums[0], found, longest), worst(rows, from));
    }
    Evidence.Loss loss = evidence.loss(scope, each -> kind == null || each == kind);
    return loss.isNone()
        ? RuleVerdict.ok("")
        : RuleVerdict.unknown("none was found, but " + loss.words() + where(loss.first()));
  }

  private static String where(@Nullable Violation first) {
    return first == null || !first.hasPlace()
        ? ""
        : " first=%d/%d@%dns".formatted(first.process(), first.thread(), first.begin());
  }

  private List<Violation> worst(Rows rows, String from) throws SQLException {
    List<Violation> worst = new ArrayList<>();
    evidence.ask(
        "SELECT r.process, r.thread, %s, %s, %s, %s"
                .formatted(rows.depth, rows.begin, rows.finish, rows.label)
            + from
            + " ORDER BY %s - %s DESC, %s LIMIT %d"
                .formatted(rows.finish, rows.begin, rows.begin, most),
        row -> {
          int process = row.getInt(1);
          int thread = row.getInt(2);
          String what = row.getString(6);
          worst.add(
              new Violation(
                  process,
                  thread,
                  evidence.name(process, thread),
                  row.getInt(3),
                  row.getLong(4),
                  row.getLong(5),
                  what == null ? "" : what));
        });
    return worst;
  }

  /** The scope as a part of a condition. */
  private String in(Rows rows, Scope scope) {
    String sql = evidence.in(scope, rows.begin, rows.finish);
    return scope.during() == null
        ? sql
        : sql
            + """
             AND EXISTS (SELECT 1 FROM calls c WHERE c.method IN (%s)
               AND c.recording = r.recording AND c.process = r.process AND c.thread = r.thread
               AND c.begin <= %s AND c.finish >= %s)
            """
                .formatted(
                    Evidence.list(evidence.methods(scope.during())), rows.finish, rows.begin);
  }
}
