package dev.kymo.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.cli.Kymo;
import dev.kymo.testkit.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Statistics and matrices say what other commands say of the same recordings, and logs by hand. */
class StatisticsReadingTest {
  @TempDir Path directory;

  private static final Path CORPUS = SourceTree.path("corpus/succeed");
  private static final Path LOGS = SourceTree.path("corpus/barrelfish");

  /** What one line has in some columns. */
  private static List<String> lines(String csv, String... columns) {
    List<String> all = csv.lines().toList();
    List<String> head = List.of(all.getFirst().split(","));
    List<String> found = new ArrayList<>();
    for (String line : all.subList(1, all.size())) {
      String[] cells = line.split(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", -1);
      found.add(
          String.join(
              " ", Arrays.stream(columns).map(column -> cells[head.indexOf(column)]).toList()));
    }
    found.sort(null);
    return found;
  }

  private static String csv(Object... args) {
    Kymo said = Kymo.run(args);
    assertThat(said.code()).as(said.err()).isZero();
    return said.out();
  }

  /** Copies, in which an index can be kept. */
  private List<Path> corpus() throws IOException {
    List<Path> recordings = new ArrayList<>();
    try (Stream<Path> all = Files.walk(CORPUS)) {
      for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
        Path copy = directory.resolve(CORPUS.relativize(file).toString());
        if (!file.toString().contains(".index")) {
          Files.createDirectories(copy.getParent());
          Files.copy(file, copy);
        }
        if (copy.getFileName().toString().equals("metadata")) {
          recordings.add(copy.getParent());
        }
      }
    }
    return recordings;
  }

  @Test
  void saysOfCallsWhatTheReportSays() throws IOException {
    int calls = 0;
    for (Path recording : corpus()) {
      for (String to : List.of("1000s", "3ms", "200us")) {
        String from = to.equals("1000s") ? "0" : "100us";
        String report = csv("report", "--csv", "--from", from, "--to", to, recording);
        String ours =
            csv(
                "report",
                "--statistics",
                "--of",
                "calls",
                "--csv",
                "--from",
                from,
                "--to",
                to,
                recording);
        assertThat(lines(ours, "name", "count", "counted"))
            .as(recording + " to " + to)
            .isEqualTo(lines(report, "method", "calls", "counted"));
        checkTimes(
            lines(report, "method", "calls", "total_ns", "max_ns", "p50_ns", "p99_ns"),
            lines(ours, "name", "count", "total_ns", "max_ns", "p50_ns", "p99_ns"));
        calls += lines(ours, "name").size();
      }
    }
    assertThat(calls).isGreaterThan(100);
  }

  /** The report rounds each sum to nanoseconds, statistics round each time. */
  private static void checkTimes(List<String> report, List<String> ours) {
    for (int i = 0; i < report.size(); i++) {
      String[] expected = report.get(i).split(" ");
      String[] said = ours.get(i).split(" ");
      long calls = Long.parseLong(expected[1]);
      for (int column = 2; column < expected.length; column++) {
        long time = Long.parseLong(expected[column]);
        long off = column == 2 ? calls : column == 3 ? 1 : 1 + time / 30; // a bucket is 1/32 wide
        assertThat(Long.parseLong(said[column]))
            .as(report.get(i))
            .isBetween(time - off, time + off);
      }
    }
  }

  @Test
  void saysOfThreadsWhatTheReportSays() throws IOException {
    for (Path recording : corpus()) {
      String report = csv("report", "--csv", "--per-thread", recording);
      String ours =
          csv("report", "--statistics", "--of", "calls", "--by", "thread", "--csv", recording);
      assertThat(lines(ours, "name", "process", "thread", "group_name", "count"))
          .as(recording.toString())
          .isEqualTo(lines(report, "method", "process", "thread", "thread_name", "calls"));
    }
  }

  @Test
  void saysOfEventsWhatTheReportSays() throws IOException {
    for (Path log : logs()) {
      String report = csv("report", "--csv", "--events", log);
      assertThat(
              lines(csv("report", "--statistics", "--of", "events", "--csv", log), "name", "count"))
          .as(log.toString())
          .isEqualTo(lines(report, "event", "count"));
      Map<String, Integer> byCore = new TreeMap<>();
      for (String line :
          lines(
              csv("report", "--statistics", "--of", "events", "--by", "core", "--csv", log),
              "name",
              "count")) {
        int end = line.lastIndexOf(' ');
        byCore.merge(
            line.substring(0, end), Integer.parseInt(line.substring(end + 1)), Integer::sum);
      }
      assertThat(byCore.entrySet().stream().map(e -> e.getKey() + ' ' + e.getValue()).toList())
          .as(log.toString())
          .isEqualTo(lines(report, "event", "count"));
    }
  }

  private static List<Path> logs() {
    return Stream.of("npc_1_1_0_8.0.log", "demo.1.log", "demo.11.log", "span15.0.log", "atrace.trc")
        .map(LOGS::resolve)
        .toList();
  }

  /** The time since the event before, as SQL finds it. */
  @Test
  void saysOfEventsWhatSqlSays() {
    Path log = LOGS.resolve("demo.1.log");
    String sql =
        csv(
            "query",
            log,
            "--format",
            "csv",
            "SELECT name, count(*) AS count, max(since) AS max_ns, sum(since) AS total_ns FROM"
                + " (SELECT event, time - lag(time) OVER (PARTITION BY process, thread, event ORDER"
                + " BY time) AS since FROM events) JOIN event_kinds USING (event) GROUP BY ALL");
    assertThat(
            lines(
                csv("report", "--statistics", "--of", "events", "--csv", log),
                "name",
                "count",
                "max_ns",
                "total_ns"))
        .isEqualTo(lines(sql, "name", "count", "max_ns", "total_ns"));
  }

  @Test
  void saysWhoSendsToWhomAsSqlDoes() {
    for (Path log : logs()) {
      String sql =
          csv(
              "query",
              log,
              "--format",
              "csv",
              "SELECT from_thread, to_thread, count(*) AS count, sum(received - sent) AS total_ns,"
                  + " min(received - sent) AS min_ns, max(received - sent) AS max_ns"
                  + " FROM messages GROUP BY ALL");
      String[] columns = {"from_thread", "to_thread", "count", "total_ns", "min_ns", "max_ns"};
      assertThat(lines(csv("report", "--matrix", "--csv", log), columns))
          .as(log.toString())
          .isEqualTo(lines(sql, columns));
    }
  }

  /** Found by pairing lines of the log that begin with {@code ea} and {@code eb} by their rest. */
  @Test
  void saysWhoSendsToWhomAsTheLogDoes() {
    String[] columns = {"from_core", "to_core", "count", "total_ns"};
    assertThat(lines(csv("report", "--matrix", "--by", "core", "--csv", logs().get(0)), columns))
        .containsExactly(
            "0 1 2 4039",
            "0 2 2 4376",
            "0 3 2 5121",
            "0 4 2 3477",
            "1 0 2 4522",
            "2 0 2 8366",
            "3 0 2 10344",
            "4 0 2 3739",
            "4 5 2 4626",
            "4 6 2 5478",
            "4 7 2 4960",
            "5 4 2 6252",
            "6 4 2 6534",
            "7 4 2 3823");
    assertThat(lines(csv("report", "--matrix", "--by", "core", "--csv", logs().get(1)), columns))
        .containsExactly(
            "0 3 18 90249",
            "0 4 14 78103",
            "0 5 19 96364",
            "0 6 19 102423",
            "0 7 22 112348",
            "0 8 4 23549",
            "0 9 5 25792",
            "3 0 18 144636",
            "4 0 14 101363",
            "5 0 18 133531",
            "6 0 18 119457",
            "7 0 22 160388",
            "8 0 4 34824",
            "9 0 5 39247");
  }

  @Test
  void drawsAMatrix() {
    assertThat(csv("report", "--matrix", "--by", "core", "--limit", "2", logs().get(0)))
        .isEqualTo(
            """
            from \\ to  1  2  3  4  5  6  7  8 \s
                    1  ·  2  2  2  2  ·  ·  ·  core 0
                    2  2  ·  ·  ·  ·  ·  ·  ·  core 1
                    3  2  ·  ·  ·  ·  ·  ·  ·  core 2
                    4  2  ·  ·  ·  ·  ·  ·  ·  core 3
                    5  2  ·  ·  ·  ·  2  2  2  core 4
                    6  ·  ·  ·  ·  2  ·  ·  ·  core 5
                    7  ·  ·  ·  ·  2  ·  ·  ·  core 6
                    8  ·  ·  ·  ·  2  ·  ·  ·  core 7

            count       avg       p50       p99       max    from     to
                2  2.019 us  1.573 us  2.466 us  2.466 us  core 0  →  core 1
                2  2.188 us  1.957 us  2.419 us  2.419 us  core 0  →  core 2
            12 more rows, --limit 0 shows all
            """);
  }

  @Test
  void csvOfNothingHasItsHead() throws IOException {
    assertThat(csv("report", "--statistics", "--csv", "--from", "1000s", corpus().getFirst()))
        .startsWith("kind,name,process,thread,group_name,core,count,per_second,")
        .hasLineCount(1);
  }

  @Test
  void drawsAHeatMap() {
    String text =
        csv(
            "report",
            "--statistics",
            "--of",
            "messages",
            "--heat-map",
            "--columns",
            "8",
            logs().get(0));
    assertThat(text).contains("ump.send\n\n").contains(" │").endsWith("s; █ = 3\n");
    List<String> cells =
        lines(
            csv("report", "--statistics", "--of", "messages", "--heat-map", "--csv", logs().get(1)),
            "count");
    assertThat(cells.stream().mapToInt(Integer::parseInt).sum()).isEqualTo(200);
  }

  @Test
  void refusesWrongWords() {
    refuses("--of is one of messages, waits, wakeups, switches: mail", "--matrix", "--of", "mail");
    refuses("--by is one of process, thread, core: colour", "--statistics", "--by", "colour");
    refuses("--columns is a number from 1 to 1000: columns=0", "--statistics", "--columns", "0");
    refuses(
        "--of, --by, --columns and --heat-map are of --statistics, --matrix and --shares",
        "--by",
        "core");
    refuses("--matrix has one kind, and neither columns nor a heat map", "--matrix", "--heat-map");
  }

  private static void refuses(String why, String... args) {
    List<Object> words = new ArrayList<>(List.of("report"));
    words.addAll(List.of(args));
    words.add(logs().get(0));
    Kymo said = Kymo.run(words.toArray());
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).contains(why);
  }
}
