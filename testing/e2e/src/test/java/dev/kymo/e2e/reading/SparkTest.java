package dev.kymo.e2e.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Listening;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.format.Clock;
import dev.kymo.format.Definition;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Spark's answers are those of DuckDB, text by text. */
@Tag("slow")
@Timeout(600)
@Tag("spark")
class SparkTest {
  private static final long DAY = 86_400_000_000_000L;

  /** What both engines can be asked: docs/query.md says what that is. */
  private static final String QUESTIONS =
      """
      SELECT name, count(*) AS calls, sum(self) / 1e6 AS ms, max(duration) AS longest
        FROM calls JOIN methods USING (recording, method) GROUP BY ALL ORDER BY ms DESC, name LIMIT 20;
      SELECT recording, process, thread, name, kind, tid, calls, events, lost, lost_at_least
        FROM threads ORDER BY recording, process, thread;
      SELECT recording, thread, call, parent, depth, begin, finish, duration, self, children, below,
        corrected, corrected_self, corrected_within, at_least, begin_unknown, end_unknown, unwound
        FROM calls WHERE depth < 3 ORDER BY recording, process, thread, call LIMIT 50;
      SELECT recording, count(*) AS waits, coalesce(sum(duration), 0) AS ns FROM waits
        GROUP BY recording HAVING count(*) > 0 ORDER BY recording;
      WITH outer_calls AS (SELECT * FROM calls WHERE parent IS NULL)
        SELECT recording, thread, finish, lead(begin) OVER (PARTITION BY recording, process, thread
          ORDER BY begin) - finish AS idle FROM outer_calls ORDER BY recording, process, thread, call;
      SELECT o.recording, o.call, count(i.call) AS inner_calls, avg(i.duration) AS mean
        FROM calls o LEFT JOIN calls i ON i.recording = o.recording AND i.process = o.process
          AND i.thread = o.thread AND i.parent = o.call
        WHERE o.depth = 0 GROUP BY o.recording, o.process, o.thread, o.call ORDER BY ALL LIMIT 30;
      SELECT e.recording, e.name, count(*) AS n, min(e.time) AS first, count(DISTINCT e.thread) AS threads
        FROM events e GROUP BY ALL ORDER BY ALL;
      SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY duration) AS median, stddev_samp(duration) IS NOT NULL AS
        spread FROM calls;
      SELECT CASE WHEN name LIKE '%.main' THEN 'main' ELSE upper(substring(name, 1, 3)) END AS what,
        "in_process" AS p, class || '#' || simple_name AS full_name, length(name) AS letters
        FROM methods ORDER BY recording, method LIMIT 40;
      SELECT name, value FROM facts WHERE name IN ('host', 'command', 'unit') ORDER BY recording, name;
      SELECT recording, lost FROM gaps ORDER BY recording, begin;
      SELECT count(*) AS none FROM messages;
      SELECT 1 AS a, 2 AS a, CAST(NULL AS INT) AS n, DATE '2024-02-29' AS d, 1.50 AS e, 0.1 AS f, 1e10 AS g,
        'a "b", c' AS t, '' AS empty, true AS yes, -7 % 3 AS rest, round(2.5) AS r;
      SELECT * FROM (SELECT thread FROM threads UNION SELECT 77) ORDER BY thread DESC;
      """;

  @TempDir Path folder;
  private Path room;

  @BeforeEach
  void makeRoom() throws IOException {
    room = Files.createDirectory(folder.resolve("room"));
    Files.createDirectory(folder.resolve("tmp"));
  }

  private Map<String, String> environment() {
    return Map.of(
        "JAVA_TOOL_OPTIONS",
        "-Djava.io.tmpdir=" + folder.resolve("tmp"),
        "SPARK_HOME",
        "",
        "XDG_STATE_HOME",
        folder.resolve("state").toString());
  }

  private Kymo.Result kymo(String input, List<String> arguments) throws Exception {
    return Kymo.runIn(room, environment(), input, arguments.toArray(String[]::new));
  }

  private static List<String> said(Kymo.Result result) {
    return result
        .err()
        .lines()
        .filter(line -> !line.startsWith("Picked up "))
        .filter(line -> !line.startsWith("kymo: waiting for a worker: ")) // on a slow machine
        .toList();
  }

  /** A recording that lasts two days, on a machine of its own; some of its events were lost. */
  private String longRecording(String host) {
    RecordingBuilder r =
        new RecordingBuilder()
            .clock(new Clock(Clock.MONOTONIC, 1_000_000_000L, 1_700_000_000_000_000_000L));
    r.define(0, new Definition.Recording("0.1", "java Long", host, "6.18", "a cpu", 2, "discard"));
    r.process(1).thread(1, 1, "main").thread(1, 2, "other");
    r.method(1, 1, "long.App", "main").method(1, 2, "long.App", "step");
    StreamWriter first = r.ring(1, 0, 1).enter(1000, 1);
    for (int i = 0; i < 100; i++) {
      first.enter(2000 + i * DAY / 50, 2).leave(2500 + i * DAY / 50 + i * 7L, 2);
    }
    first.leave(2 * DAY, 1);
    r.ring(1, 1, 2).enter(5000, 2).leave(6000, 2).lose(3).enter(DAY, 2).leave(DAY + 17, 2);
    return r.write(folder.resolve(host + ".kymo")).toString();
  }

  private String realRecording() throws Exception {
    String recording = folder.resolve("own.kymo").toString();
    Kymo.Result recorded =
        Kymo.run(
            "record",
            "-q",
            "--when-full",
            "block",
            "-o",
            recording,
            "--",
            Jdk.running().java().toString(),
            "-cp",
            Programs.CLASSES + ":" + Programs.API,
            "Own",
            "each",
            "100");
    assertThat(recorded.exit()).as(recorded.err()).isZero();
    return recording;
  }

  private String export(String recording) throws Exception {
    String to = recording.replace(".kymo", " [tables]");
    Kymo.Result result =
        kymo(
            "",
            List.of("export", recording, "--to", "parquet", "--partition", "host,day", "-o", to));
    assertThat(result.exit()).as(result.err()).isZero();
    return to;
  }

  private void nothingIsLeft() throws IOException {
    try (Stream<Path> files = Files.walk(room);
        Stream<Path> temporary = Files.list(folder.resolve("tmp"))) {
      assertThat(files.filter(file -> !file.equals(room))).isEmpty();
      assertThat(temporary).isEmpty();
    }
  }

  /** Recordings as they are, and what only they have: kinds of events, locks. */
  @Test
  void onThisMachine() throws Exception {
    List<String> recordings = List.of(realRecording(), longRecording("far"));
    String input =
        QUESTIONS
            + """
            SELECT count(*) AS n FROM disk.ALLOC;
            SELECT count(*) AS n FROM locks;
            """;
    List<String> asked = new ArrayList<>(List.of("query", "--format", "csv"));
    asked.addAll(recordings);
    Kymo.Result duck = kymo(input, asked);
    assertThat(duck.exit()).as(duck.err()).isZero();

    asked.addAll(List.of("--engine", "spark", "--master", "local[2]"));
    // What it refuses does not keep it from the rest.
    String wrong =
        """
        SELECT nix FROM calls;
        SELECT 1 FROM nix;
        SELEC 1;
        CREATE TABLE x (y INT);
        SELECT * FROM parquet.`%s`;
        SELECT reflect('java.lang.System', 'getProperty', 'java.home') AS x;
        SELECT 1 / (thread - thread) AS x FROM threads;
        """
            .formatted(folder);
    Kymo.Result spark = kymo(wrong + input, asked);
    assertThat(spark.out()).isEqualTo(duck.out());
    assertThat(spark.exit()).isEqualTo(1);
    List<String> said = said(spark);
    assertThat(said.getFirst()).startsWith("kymo: events were lost").contains("recording=far");
    assertThat(said.get(1))
        .startsWith("kymo: A column, variable, or function parameter with name `nix` cannot be")
        .endsWith("(line 1, column 8)");
    assertThat(said.get(2)).startsWith("kymo: The table or view `nix` cannot be found.");
    assertThat(said.get(3))
        .startsWith("kymo: there are: ")
        .contains(" calls, counted, ", " disk.ALLOC, ");
    assertThat(said.get(4)).isEqualTo("kymo: Syntax error at or near 'SELEC'. (line 1, column 1)");
    assertThat(said.get(5))
        .isEqualTo(
            "kymo: not a question: only SELECT and what else just reads is answered; --unsafe runs other statements");
    assertThat(said.get(6)).startsWith("kymo: The table or view `parquet`.");
    assertThat(said.get(8)).startsWith("kymo: Cannot resolve routine `reflect`");
    assertThat(said.get(9)).startsWith("kymo: Division by zero.");
    assertThat(said).hasSize(10);
    nothingIsLeft();
  }

  /** Directories of exported tables of several hosts and days, read by processes of workers. */
  @Test
  void onACluster() throws Exception {
    List<String> recordings = List.of(realRecording(), longRecording("far"), longRecording("near"));
    List<String> directories = new ArrayList<>();
    for (String each : recordings) {
      directories.add(export(each));
    }
    try (Stream<Path> calls = Files.walk(Path.of(directories.get(1), "calls", "host=far"), 1)) {
      assertThat(calls.filter(path -> path.getFileName().toString().startsWith("day=")))
          .hasSize(3); // two days, begun in the evening
    }
    List<String> asked = new ArrayList<>(List.of("query", "--format", "csv"));
    asked.addAll(recordings);
    String questions =
        Stream.of(QUESTIONS.split("(?<=;)\n", -1))
            .limit(3)
            .collect(Collectors.joining("\n", "", "\n"));
    Kymo.Result duck = kymo(questions, asked);
    assertThat(duck.exit()).as(duck.err()).isZero();

    try (SparkCluster cluster = new SparkCluster(Files.createDirectory(folder.resolve("spark")))) {
      List<String> words =
          new ArrayList<>(List.of("query", "--format", "csv", "--engine", "spark"));
      words.addAll(List.of("--master", cluster.master(), "--conf", "spark.executor.memory=512m"));
      words.addAll(List.of("--conf", "spark.sql.shuffle.partitions=4"));
      words.addAll(List.of("--conf", "spark.executor.extraJavaOptions=-XX:TieredStopAtLevel=1"));
      words.addAll(directories);
      Map<String, String> environment = new HashMap<>(environment());
      environment.put("SPARK_HOME", cluster.home().toString());
      Process process = Kymo.start(room, environment, words.toArray(String[]::new));
      Set<String> addresses = new TreeSet<>();
      Thread watch = Thread.ofPlatform().start(() -> watch(process, addresses));
      String byHost =
          """
          SELECT host, day, count(*) AS n FROM calls WHERE host <> 'near' AND host = 'far'
            GROUP BY ALL ORDER BY ALL;
          """;
      Kymo.Result spark = Kymo.finish(process, questions + byHost);
      watch.join();
      assertThat(spark.out())
          .isEqualTo(
              duck.out()
                  + """
                  host,day,n
                  far,2023-11-14,6
                  far,2023-11-15,51
                  far,2023-11-16,46
                  """);
      assertThat(spark.exit()).as(spark.err()).isZero();
      assertThat(said(spark))
          .containsExactlyElementsOf(said(duck))
          .hasSize(2)
          .allMatch(line -> line.startsWith("kymo: events were lost"));
      assertThat(addresses)
          .as("where the process that asks takes connections")
          .isNotEmpty()
          .allMatch(each -> each.startsWith("0100007F:") || each.contains("FFFF00000100007F:"));
      nothingIsLeft();
    }
  }

  /** Collects the addresses of a process's children until it ends. */
  private static void watch(Process process, Set<String> addresses) {
    while (process.isAlive()) {
      process.descendants().forEach(each -> addresses.addAll(Listening.addresses(each.pid())));
      try {
        Thread.sleep(300);
      } catch (InterruptedException e) {
        return;
      }
    }
  }
}
