package dev.kymo.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.analysis.locks.LockQuery;
import dev.kymo.analysis.locks.LockReport;
import dev.kymo.analysis.locks.LockRow;
import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.Selected;
import dev.kymo.format.Clock;
import dev.kymo.format.Definition;
import dev.kymo.format.EventKind;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.query.ask.Questions;
import dev.kymo.reader.Recording;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.SourceTree;
import dev.kymo.testkit.StreamWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuestionsTest {
  private static final Questions.Settings SAFE =
      new Questions.Settings(false, 128, Questions.May.CHANGE);
  private static final Questions.Settings ASKED =
      new Questions.Settings(false, 128, Questions.May.ASK);

  @TempDir Path folder;
  private final Map<String, ExportSource> sources = new LinkedHashMap<>();

  private void add(String name, Path path) throws Exception {
    Recording recording = Recording.open(path);
    sources.put(
        name,
        ExportSource.open(recording, Selected.all(), ProgressListener.NONE, ProgressListener.NONE));
  }

  private Questions open() throws Exception {
    return Questions.open(sources, room(), SAFE);
  }

  private Path room() throws Exception {
    return Files.createTempDirectory(folder, "room");
  }

  private List<String> ask(String sql) throws Exception {
    try (Questions questions = open()) {
      return ask(questions, sql);
    }
  }

  private static List<String> ask(Questions questions, String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    questions.ask(
        sql,
        new Questions.Taker() {
          private int columns;

          @Override
          public void columns(ResultSet answer) throws SQLException {
            columns = answer.getMetaData().getColumnCount();
          }

          @Override
          public boolean row(ResultSet answer) throws SQLException {
            List<String> row = new ArrayList<>();
            for (int i = 1; i <= columns; i++) {
              row.add(String.valueOf(answer.getString(i)));
            }
            rows.add(String.join(" ", row));
            return true;
          }
        });
    return rows;
  }

  private static Path stored(String version) {
    return SourceTree.path("corpus").resolve("succeed").resolve(version).resolve("recording");
  }

  /** A thread with a call of 100 in one of 300, twice. */
  private Path made(String name) {
    RecordingBuilder r = new RecordingBuilder().process(1).thread(1, 1, "main");
    r.method(1, 1, "a.B", "outer").method(1, 2, "a.B", "inner");
    r.define(1, new Definition.Subsystem(1, 5, "disk", "I/O", ""));
    int instant = EventKind.INSTANT.number();
    r.define(1, new Definition.Event(11, 1, 0, instant, "MARK", "", ""));
    r.define(1, new Definition.Event(12, 1, 1, instant, "Named", "", "str name; u64 Time; f64 x;"));
    byte[] data = new byte[5 + 8 + 8];
    data[0] = 3;
    data[2] = 'a';
    data[3] = 'b';
    data[4] = 'c';
    java.util.Arrays.fill(data, 5, 13, (byte) -1);
    r.ring(1, 0, 1)
        .enter(100, 1)
        .enter(200, 2)
        .leave(300, 2)
        .leave(400, 1)
        .own(450, 11, 42)
        .enter(500, 1)
        .enter(600, 2)
        .leave(700, 2)
        .leave(800, 1)
        .own(900, 12, data);
    return r.write(folder.resolve(name));
  }

  /** Tables of kinds of events are made when they are named; suggestions know all of them. */
  @Test
  void suggestsNamesOfTables() throws Exception {
    add("r", made("r"));
    assertThatThrownBy(() -> ask("FROM disk.Namd")).hasMessageContaining("Did you mean \"Named\"");
    assertThat(ask("SELECT name FROM (SHOW ALL TABLES)")).contains("MARK", "Named", "calls");
  }

  @Test
  void callsWithTheirMethods() throws Exception {
    add("r", made("r"));
    assertThat(
            ask(
                """
                SELECT name, count(*), sum(duration), sum(self), min(begin), max(finish)
                FROM calls JOIN methods USING (recording, method) GROUP BY ALL ORDER BY name
                """))
        .containsExactly("a.B.inner 2 200 200 100 600", "a.B.outer 2 600 400 0 700");
    assertThat(
            ask(
                """
                SELECT c.call, p.call FROM calls c JOIN calls p
                ON c.thread = p.thread AND c.parent = p.call ORDER BY ALL
                """))
        .containsExactly("1 0", "3 2");
  }

  /** A field that is called as a column that every event has gets another name. */
  @Test
  void fieldsOfEventsAreColumns() throws Exception {
    add("r", made("r"));
    assertThat(ask("SELECT time, argument FROM disk.MARK")).containsExactly("350 42");
    assertThat(ask("SELECT time, name, Time_, x FROM disk.Named"))
        .containsExactly("800 abc 18446744073709551615 0.0");
    assertThat(ask("SELECT time, name, kind, data FROM events ORDER BY time"))
        .containsExactly(
            "350 disk.MARK instant 0x2a",
            "800 disk.Named instant name=abc Time=18446744073709551615 x=0.0");
  }

  @Test
  void fieldsOfTheKernelsEventsAreColumns() throws Exception {
    add("r", stored("1.3"));
    assertThat(ask("SELECT cpu, tid, irq, name FROM kernel.irq_named"))
        .containsExactly("0 4711 -3 ab", "0 4711 -3 ab");
    assertThat(ask("SELECT count(*) FROM kernel_events")).containsExactly("4");
  }

  @Test
  void severalRecordingsAreToldApart() throws Exception {
    add("one", made("one"));
    add("two", made("two"));
    add("kernel", stored("1.3"));
    assertThat(ask("SELECT recording, count(*) FROM calls GROUP BY ALL ORDER BY ALL"))
        .contains("one 4", "two 4")
        .hasSize(3);
    assertThat(ask("SELECT DISTINCT recording FROM kernel.irq_named")).containsExactly("kernel");
    assertThat(ask("SELECT recording, name FROM disk.Named ORDER BY ALL"))
        .containsExactly("one abc", "two abc");
  }

  /** Names come from recorded programs: SQL has names of its own, and does not tell capitals. */
  @Test
  void namesOfEventsMayBeAnything() throws Exception {
    RecordingBuilder r = new RecordingBuilder().process(1).thread(1, 1, "main");
    String[][] names = {
      {"main", "calls"},
      {"information_schema", "tables"},
      {"pg_catalog", "x"},
      {"temp", "x"},
      {"system", "x"},
      {"Disk", "READ"},
      {"disk", "read"},
      {"disk", ""},
      {"", "calls"},
      {"kernel", "sched_switch"},
      {"a\"b", "c'd\ne"},
      {"nul\0l", "\0"},
      {"memory", "x"}
    };
    int instant = EventKind.INSTANT.number();
    for (int i = 0; i < names.length; i++) {
      r.define(1, new Definition.Subsystem(i + 1, i + 1, names[i][0], "", ""));
      String fields = i % 2 == 0 ? "u64 a;" : "str a;";
      r.define(1, new Definition.Event(11 + i, i + 1, i, instant, names[i][1], "", fields));
    }
    r.ring(1, 0, 1).own(450, 11, 42).own(460, 16, 43);
    add("r", r.write(folder.resolve("names")));
    assertThat(ask("SELECT count(*) FROM calls")).containsExactly("0");
    assertThat(ask("SELECT count(*) FROM events")).containsExactly("2");
    assertThat(ask("SELECT a FROM main_.calls")).containsExactly("42");
    assertThat(ask("SELECT count(*) FROM disk.read")).containsExactly("1");
  }

  /** Ticks are no nanoseconds: what is rounded must not add up to a loss. */
  @Test
  void selfTimesAddUpToTheThreadsTime() throws Exception {
    RecordingBuilder r = new RecordingBuilder().clock(new Clock(Clock.TSC, 2_596_130_074L, 0));
    r.process(1).thread(1, 1, "main").method(1, 1, "a.B", "outer").method(1, 2, "a.B", "inner");
    StreamWriter ring = r.ring(1, 0, 1).enter(0, 1);
    int calls = 20_000;
    for (int i = 0; i < calls; i++) {
      ring.enter(i * 1000L + 7 * i % 500, 2).leave(i * 1000L + 501 + i % 331, 2);
    }
    ring.leave(calls * 1000L, 1);
    add("r", r.write(folder.resolve("ticks")));
    String off = "SELECT abs(sum(self) - max(duration)) FROM calls";
    assertThat(Long.parseLong(ask(off).getFirst())).isLessThan(calls / 50);
  }

  @Test
  void intervals() throws Exception {
    add("r", made("r"));
    assertThat(ask("SELECT overlap(0, 10, 5, 20), overlap(0, 10, 10, 20), overlap(0, 10, 3, 4)"))
        .containsExactly("5 0 1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "COPY (SELECT 1) TO '/tmp/kymo-query-must-not-be-there.csv'",
        "ATTACH '/tmp/kymo-query-must-not-be-there.db'",
        "EXPORT DATABASE '/tmp/kymo-query-must-not-be-there'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "SET memory_limit = '100GB'",
        "SET lock_configuration = false",
        "SET temp_directory = '/tmp/kymo-query-must-not-be-there'"
      })
  void nothingElseIsReached(String sql) throws Exception {
    add("r", made("r"));
    assertThatThrownBy(() -> ask(sql)).isInstanceOf(SQLException.class);
    try (var left = Files.list(Path.of("/tmp"))) {
      assertThat(left).noneMatch(path -> path.toString().contains("kymo-query-must-not-be-there"));
    }
  }

  /** An assistant's question, or that of a link: it must not change what the next answers say. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE OR REPLACE VIEW calls AS SELECT 1 AS call",
        "DROP VIEW calls",
        "ALTER VIEW calls RENAME TO others",
        "CREATE OR REPLACE MACRO overlap(a, b, c, d) AS 7",
        "CREATE OR REPLACE MACRO count(a) AS 7",
        "CREATE TEMP VIEW calls AS SELECT 1",
        "CREATE SCHEMA s",
        "CREATE TABLE memory.main.x AS SELECT 1",
        "SELECT 1; DROP VIEW calls",
        "DROP VIEW calls; SELECT 1",
        "SELECT 1) TO '/nowhere'; DROP VIEW calls; COPY (SELECT 1",
        "WITH x AS (INSERT INTO calls VALUES (1) RETURNING *) FROM x",
        "FROM query('DROP VIEW calls')",
        "SET search_path = 'disk'",
        "USE disk",
        "RESET timezone",
        "PRAGMA disable_optimizer",
        "CALL enable_logging()",
        "BEGIN",
        "PREPARE p AS SELECT 1",
        "EXPLAIN ANALYZE DROP VIEW calls",
        "COPY (SELECT 1) TO '/nowhere'"
      })
  void questionsChangeNothing(String sql) throws Exception {
    add("r", made("r"));
    Path room = room();
    try (Questions questions = Questions.open(sources, room, ASKED)) {
      assertThatThrownBy(() -> ask(questions, sql)).isInstanceOf(SQLException.class);
      for (Questions.Form form : Questions.Form.values()) {
        assertThatThrownBy(() -> questions.write(sql, room.resolve("answer"), form))
            .isInstanceOf(SQLException.class);
      }
      assertThat(ask(questions, "SELECT count(*), overlap(0, 10, 5, 20) FROM calls"))
          .containsExactly("4 5");
      assertThat(ask(questions, "SELECT current_setting('max_temp_directory_size')"))
          .containsExactly("4.0 GiB");
      assertThat(ask(questions, "SHOW TABLES")).contains("calls");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "FROM calls",
        "-- how many\nWITH a AS (FROM calls) SELECT count(*) FROM a; -- all",
        "VALUES (1)",
        "DESCRIBE calls",
        "SHOW ALL TABLES",
        "SUMMARIZE calls",
        "SELECT 1; SELECT 2",
        "SELECT 'DROP VIEW calls'",
        "PIVOT calls ON depth IN (0, 1) USING count(*)"
      })
  void whatOnlyAsksIsAnswered(String sql) throws Exception {
    add("r", made("r"));
    try (Questions questions = Questions.open(sources, room(), ASKED)) {
      assertThat(ask(questions, sql)).isNotEmpty();
      assertThatThrownBy(() -> ask(questions, "SELECT 1 +"))
          .hasMessageContaining("Parser Error")
          .hasMessageContaining("LINE 1");
    }
  }

  /** A question without an end ends, and the next one is answered. */
  @Test
  void canBeCancelled() throws Exception {
    add("r", made("r"));
    try (Questions questions = open();
        ExecutorService other = Executors.newSingleThreadExecutor()) {
      String endless =
          "SELECT count(*) FROM range(10000000000) a, range(10000000000) b WHERE a.range = -b.range - 1";
      Future<List<String>> asked = other.submit(() -> ask(questions, endless));
      while (!asked.isDone()) {
        questions.cancel();
        Thread.sleep(10);
      }
      assertThatThrownBy(asked::get).hasCauseInstanceOf(SQLException.class);
      assertThat(ask(questions, "SELECT count(*) FROM calls")).containsExactly("4");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.2", "1.3", "1.6"})
  void locksAreThoseOfTheReport(String version) throws Exception {
    add("r", stored(version));
    List<String> expected = new ArrayList<>();
    try (Recording recording = Recording.open(stored(version))) {
      LockQuery all = new LockQuery(0, Long.MAX_VALUE, thread -> true, object -> true, 1);
      for (LockRow row : LockReport.of(recording, all, ProgressListener.NONE).rows()) {
        expected.add(
            "%s %s %d %d %d %d %d"
                .formatted(
                    row.kind().word(),
                    row.name(),
                    row.contended(),
                    row.waits().total(),
                    row.waits().max(),
                    row.threads(),
                    row.longest().orElseThrow().begin()));
      }
    }
    assertThat(expected).isNotEmpty();
    assertThat(
            ask(
                "SELECT kind, name, contended, waited, waited_max, threads, longest_begin FROM locks"))
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void tablesAreDescribed() throws Exception {
    add("r", made("r"));
    try (Questions questions = open()) {
      Map<String, List<Questions.ColumnText>> tables = questions.tables();
      assertThat(tables)
          .containsKeys(
              "processes",
              "threads",
              "methods",
              "calls",
              "events",
              "states",
              "waits",
              "messages",
              "locks",
              "counters",
              "kernel_events",
              "gaps",
              "notices",
              "facts",
              "disk.MARK",
              "disk.Named");
      tables.forEach((name, columns) ->
          assertThat(columns)
              .as(name)
              .isNotEmpty()
              .allMatch(column -> !column.type().isEmpty() && !column.meaning().isEmpty()));
    }
  }
}
