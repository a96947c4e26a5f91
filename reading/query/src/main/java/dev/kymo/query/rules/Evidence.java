package dev.kymo.query.rules;

import dev.kymo.analysis.names.NameGlob;
import dev.kymo.analysis.names.ThreadFilter;
import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.ExportTrack;
import dev.kymo.format.Definition;
import dev.kymo.model.counts.CountedCalls;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.model.definitions.TracedProcess;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.query.ask.Questions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a recording says, and what it does not say. */
final class Evidence {
  private static final int SUGGESTIONS = 3;

  private final ExportSource source;
  private final Questions questions;

  Evidence(ExportSource source, Questions questions) {
    this.source = source;
    this.questions = questions;
  }

  ExportSource source() {
    return source;
  }

  Questions questions() {
    return questions;
  }

  /** Takes a row. */
  @FunctionalInterface
  interface Row {
    void take(ResultSet row) throws SQLException;
  }

  /** Asks in SQL. */
  void ask(String sql, Row taker) throws SQLException {
    questions.ask(
        sql,
        new Questions.Taker() {
          @Override
          public void columns(ResultSet answer) {}

          @Override
          public boolean row(ResultSet answer) throws SQLException {
            taker.take(answer);
            return true;
          }
        });
  }

  /**
   * What was lost.
   *
   * @param gaps how often
   * @param events how many events at most; -1 = nobody knows
   * @param first where; null = not known
   */
  record Loss(long gaps, long events, @Nullable Violation first) {
    boolean isNone() {
      return gaps == 0;
    }

    /** For verdicts that it makes unsure. */
    String words() {
      String number = events < 0 ? "" : " events=" + events;
      return "events were lost: gaps=%d%s".formatted(gaps, number);
    }
  }

  /** The losses in a scope, of tracks of some kinds. */
  Loss loss(Scope scope, Predicate<TrackKind> kinds) {
    List<Violation> found = new ArrayList<>();
    long events = 0;
    boolean unsure = false;
    ThreadFilter threads = filter(scope);
    for (ExportTrack track : source.tracks()) {
      if (!kinds.test(track.kind()) || !threads.test(source.owner(track).definition())) {
        continue;
      }
      for (ExportSource.Loss loss : source.losses(track)) {
        if (scope.overlaps(loss.from(), loss.to())) {
          events += Math.max(0, loss.count());
          unsure |= loss.count() < 0;
          found.add(violation(track, loss));
        }
      }
    }
    for (TracedProcess process : source.definitions().processes()) {
      if (process.lost() > 0) {
        events += process.lost();
        found.add(ringless(process));
      }
    }
    Violation first = found.isEmpty() ? null : found.getFirst();
    return new Loss(found.size(), unsure ? -1 : events, first);
  }

  /** All losses in a scope, each with its place. */
  List<Violation> losses(Scope scope, int most) {
    List<Violation> found = new ArrayList<>();
    ThreadFilter threads = filter(scope);
    for (ExportTrack track : source.tracks()) {
      if (threads.test(source.owner(track).definition())) {
        for (ExportSource.Loss loss : source.losses(track)) {
          if (scope.overlaps(loss.from(), loss.to()) && found.size() < most) {
            found.add(violation(track, loss));
          }
        }
      }
    }
    source.definitions().processes().stream()
        .filter(process -> process.lost() > 0 && found.size() < most)
        .forEach(process -> found.add(ringless(process)));
    return found;
  }

  private Violation violation(ExportTrack track, ExportSource.Loss loss) {
    ExportTrack owner = source.owner(track);
    String count =
        loss.count() < 0 ? "nobody knows how many" : loss.count() == 0 ? "" : "" + loss.count();
    String of = track.kind() == TrackKind.CALLS ? "" : " of " + track.title();
    return new Violation(
        owner.process(),
        owner.thread().thread(),
        owner.definition().name(),
        -1,
        loss.from(),
        loss.to(),
        "lost events%s%s".formatted(of, count.isEmpty() ? "" : ": " + count));
  }

  private static Violation ringless(TracedProcess process) {
    return Violation.nowhere(
        "lost events of threads for which there was no buffer: process=%d events=%d"
            .formatted(process.process(), process.lost()));
  }

  private static ThreadFilter filter(Scope scope) {
    return new ThreadFilter(scope.thread() == null ? List.of() : List.of(scope.thread()));
  }

  /**
   * The times and threads of a scope as a part of a condition about rows called {@code r}.
   *
   * @param begin column
   * @param finish column
   */
  String in(Scope scope, String begin, String finish) {
    StringBuilder sql = new StringBuilder();
    if (scope.from() > 0) {
      sql.append(" AND %s >= %d".formatted(finish, scope.from()));
    }
    if (scope.to() < Long.MAX_VALUE) {
      sql.append(" AND %s <= %d".formatted(begin, scope.to()));
    }
    if (scope.thread() != null) {
      String exists =
          " AND EXISTS (SELECT 1 FROM (VALUES %s) t(p, n) WHERE t.p = r.process AND t.n = r.thread)";
      sql.append(exists.formatted(threads(scope)));
    }
    return sql.toString();
  }

  /** The threads of a scope that names some. */
  private String threads(Scope scope) {
    ThreadFilter filter = filter(scope);
    return source.tracks().stream()
        .filter(track -> filter.test(track.definition()))
        .map(track -> "(%d, %d)".formatted(track.process(), track.thread().thread()))
        .collect(Collectors.joining(", "));
  }

  /** What is wrong with a scope: there are no such threads or methods. */
  @Nullable String wrong(Scope scope) {
    if (scope.thread() != null && threads(scope).isEmpty()) {
      return "no thread is called " + scope.thread();
    }
    String during = scope.during();
    return during != null && methods(during).isEmpty() ? noMethod(during) : null;
  }

  /** The methods with a name. */
  BitSet methods(String pattern) {
    NameGlob glob = new NameGlob(pattern);
    BitSet found = new BitSet();
    for (int i = 0; i < source.methods(); i++) {
      if (glob.test(source.method(i).qualifiedName())) {
        found.set(i);
      }
    }
    return found;
  }

  /** A list of numbers for SQL. */
  static String list(BitSet numbers) {
    return numbers.stream().mapToObj(Integer::toString).collect(Collectors.joining(", "));
  }

  /** That there is no such method, and which one may have been meant. */
  String noMethod(String pattern) {
    Set<String> names = new TreeSet<>();
    for (int i = 0; i < source.methods(); i++) {
      names.add(source.method(i).qualifiedName());
    }
    return "no method is called %s in this recording%s".formatted(pattern, similar(pattern, names));
  }

  private static String similar(String pattern, Set<String> names) {
    String last = pattern.substring(pattern.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    if (last.isEmpty()) {
      return "";
    }
    String found =
        names.stream()
            .filter(name -> name.toLowerCase(Locale.ROOT).endsWith(last))
            .limit(SUGGESTIONS)
            .collect(Collectors.joining(", "));
    return found.isEmpty() ? "" : "; there is " + found;
  }

  /** The user events with a name. */
  List<TracedEvent> events(String pattern) {
    NameGlob glob = new NameGlob(pattern);
    return source.definitions().events().stream()
        .filter(event -> glob.test(event.qualifiedName()))
        .toList();
  }

  /** That there is no such event, and which one may have been meant. */
  String noEvent(String pattern) {
    Set<String> names =
        source.definitions().events().stream()
            .map(TracedEvent::qualifiedName)
            .collect(Collectors.toCollection(TreeSet::new));
    return "no event is called %s in this recording%s".formatted(pattern, similar(pattern, names));
  }

  /** Sums of calls that were counted, not recorded one by one. */
  static final class Counted {
    /** Number of calls. */
    long calls;

    /** Number of those whose time was measured. */
    long timed;

    /** Duration of the longest of those. */
    long longest;
  }

  /** What was counted of methods in a scope. */
  Counted counted(BitSet methods, Scope scope) {
    Counted sum = new Counted();
    ThreadFilter threads = filter(scope);
    for (ExportTrack track : source.tracks()) {
      if (threads.test(track.definition())) {
        source.counted(track, calls -> add(sum, methods, calls));
      }
    }
    return sum;
  }

  private static void add(Counted sum, BitSet methods, CountedCalls calls) {
    if (methods.get(calls.method()) && calls.mode() != Definition.MethodMode.EVENTS) {
      sum.calls += calls.calls();
      sum.timed += calls.timed();
      sum.longest = Math.max(sum.longest, calls.max());
    }
  }

  /** Whether anything is known of a kind of tracks. */
  boolean has(TrackKind kind) {
    return source.tracks().stream().anyMatch(track -> track.kind() == kind);
  }

  /** The first notice that begins in one of these ways; empty if there is none. */
  String notice(Predicate<Definition.Notice> wanted) {
    return source.definitions().notices().stream()
        .filter(wanted)
        .map(Definition.Notice::text)
        .findFirst()
        .orElse("");
  }

  /** The name of a thread; empty if it has none. */
  String name(int process, int thread) {
    return source.definitions().thread(process, thread).map(t -> t.name()).orElse("");
  }
}
