package dev.kymo.jmh;

import dev.kymo.api.Unrecorded;
import dev.kymo.embedded.Command;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The answers of {@code kymo} about a recording between two marks. */
@Unrecorded
final class Answers {
  private static final String TIMES =
      "SELECT max(time) FILTER (text = '%1$s/begin') AS begin, max(time) FILTER (text = '%1$s/end')"
          + " AS finish, (SELECT max(time) FROM jmh.iteration WHERE text LIKE 'measurement%%') AS last"
          + " FROM jmh.measured";

  private static final String WAITS =
      """
      WITH loops AS (SELECT DISTINCT recording, process, thread FROM calls_of('%1$s'))
      SELECT 'own' AS what, category, state, count(*) AS n, sum(duration) AS time, max(duration) AS longest
      FROM waits_in('%1$s') GROUP BY ALL
      UNION ALL
      SELECT 'other', category, state, count(*), sum(duration), max(duration)
      FROM waits ANTI JOIN loops USING (recording, process, thread)
      WHERE category IN ('monitor', 'lock') GROUP BY ALL
      UNION ALL
      SELECT 'notice', '', 'events were lost: gaps=' || count(*), 0, 0, 0 FROM gaps HAVING count(*) > 0
      UNION ALL
      SELECT DISTINCT 'notice', '', 'notice: ' || notice, 0, 0, 0 FROM notices
      ORDER BY time DESC, state\
      """
          .formatted(Marks.LOOP);

  private static final long PAGE_NANOS = 1_000_000_000;

  /**
   * When the measured iterations were.
   *
   * @param begin of the first
   * @param end of the last
   * @param last begin of the last
   */
  private record Times(long begin, long end, long last) {
    List<String> range() {
      return List.of("--from=" + begin + "ns", "--to=" + end + "ns");
    }
  }

  private final Path recording;
  private final String run;
  private final boolean isComplete;

  /**
   * Answers of a recording.
   *
   * @param run the text of its marks
   * @param isComplete whether its virtual machine has ended; otherwise times may change, because
   *     they count from the recording's begin, and something from before may be reported
   */
  Answers(Path recording, String run, boolean isComplete) {
    this.recording = recording;
    this.isComplete = isComplete;
    this.run = run;
  }

  /**
   * What was recorded between the marks.
   *
   * @param operations of the measured iterations
   * @param timed those of them in JMH's loops
   * @throws IllegalStateException if {@code kymo} cannot say it
   */
  Profile profile(long operations, long timed) {
    while (true) {
      Times times = times();
      Profile profile = between(times, operations, timed);
      if (isComplete || times.equals(times())) {
        return profile;
      }
    }
  }

  /** Writes a page with the end of the last iteration; returns a sentence about it. */
  String writePage(Path page) {
    Times times = times();
    long from = Math.max(Math.max(times.begin, times.last), times.end - PAGE_NANOS);
    Command.Result result =
        Command.run(
            List.of(
                "slice",
                "--force",
                "-o",
                page.toString(),
                "--from=" + from + "ns",
                "--to=" + times.end + "ns",
                recording.toString()));
    return result.exit() == 0 ? "page " + page : "the page cannot be written: " + result.text();
  }

  private Times times() {
    Map<String, String> row =
        rows("query", List.of("--format=csv", recording.toString(), TIMES.formatted(run))).get(0);
    String begin = row.getOrDefault("begin", "");
    String end = row.getOrDefault("finish", "");
    if (begin.isEmpty() || end.isEmpty()) {
      throw new IllegalStateException(
          "the measured iterations are not in the recording, it may have ended before: recording="
              + recording);
    }
    return new Times(
        Long.parseLong(begin), Long.parseLong(end), Long.parseLong(row.getOrDefault("last", "0")));
  }

  private Profile between(Times times, long operations, long timed) {
    List<Profile.Method> methods = new ArrayList<>();
    Profile.Method loops = Profile.Method.none("loops");
    List<String> words = new ArrayList<>(List.of("--csv", recording.toString()));
    words.addAll(times.range());
    for (Map<String, String> row : rows("report", words)) {
      Profile.Method method = method(row);
      if (method.name().contains(".jmh_generated.")) {
        loops = loops.plus(method);
      } else {
        methods.add(method);
      }
    }
    words = new ArrayList<>(List.of("--format=csv"));
    words.addAll(times.range());
    words.addAll(List.of(recording.toString(), WAITS));
    List<Map<String, String>> answer = rows("query", words);
    List<String> notes = new ArrayList<>();
    notes.add(
        String.format(
            Locale.ROOT,
            "kymo view %s  # measured from %.3f s to %.3f s",
            quoted(recording),
            times.begin / 1e9,
            times.end / 1e9));
    answer.stream()
        .filter(row -> cell(row, "what").equals("notice"))
        .forEach(row -> notes.add("  " + cell(row, "state")));
    return new Profile(
        1,
        operations,
        timed,
        Profile.sumsOfMethods(methods),
        loops,
        waits(answer, "own"),
        waits(answer, "other"),
        notes);
  }

  private static List<Profile.Wait> waits(List<Map<String, String>> answer, String what) {
    return answer.stream()
        .filter(row -> cell(row, "what").equals(what))
        .map(row ->
            new Profile.Wait(
                cell(row, "category"),
                cell(row, "state"),
                number(row, "n"),
                number(row, "time"),
                number(row, "longest")))
        .toList();
  }

  private static Profile.Method method(Map<String, String> row) {
    String corrected = cell(row, "corrected_self_ns");
    return new Profile.Method(
        cell(row, "method"),
        number(row, "calls"),
        number(row, "counted"),
        corrected.isEmpty() ? number(row, "self_ns") : Long.parseLong(corrected),
        number(row, "self_waiting_ns") + number(row, "self_stopped_ns"),
        number(row, "self_stopped_ns"),
        cell(row, "at_least").equals("true") || cell(row, "left_out").equals("true"),
        cell(row, "estimated").equals("true"));
  }

  /** The name as a shell takes it. */
  private static String quoted(Path path) {
    String name = path.toString();
    return name.matches("[A-Za-z0-9_./=-]*") ? name : "'" + name.replace("'", "'\\''") + "'";
  }

  private static List<Map<String, String>> rows(String command, List<String> words) {
    List<String> all = new ArrayList<>(List.of(command));
    all.addAll(words);
    Command.Result result = Command.run(all);
    if (result.exit() != 0) {
      throw new IllegalStateException("kymo cannot read the recording: " + result.text());
    }
    return Csv.rows(result.out());
  }

  private static String cell(Map<String, String> row, String column) {
    return row.getOrDefault(column, "");
  }

  private static long number(Map<String, String> row, String column) {
    String text = cell(row, column);
    return text.isEmpty() ? 0 : Long.parseLong(text);
  }
}
