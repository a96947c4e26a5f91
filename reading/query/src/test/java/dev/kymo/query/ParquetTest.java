package dev.kymo.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.analysis.names.ThreadFilter;
import dev.kymo.exporters.ExportFormats;
import dev.kymo.exporters.source.ExportFormat;
import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.Selected;
import dev.kymo.format.Definition;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.query.parquet.ParquetFormat;
import dev.kymo.reader.Recording;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is in the Parquet files is what the export as CSV has, which is made in another way. */
class ParquetTest {
  private static final String CALLS =
      """
      SELECT begin AS begin_ns, finish AS end_ns, duration AS duration_ns, process, thread, depth,
        method
      """;
  private static final String CSV_CALLS =
      "SELECT begin_ns, end_ns, duration_ns, process, thread, depth, method";

  @TempDir Path folder;

  static List<Path> stored() throws IOException {
    try (Stream<Path> all = Files.list(SourceTree.path("corpus").resolve("succeed"))) {
      return all.sorted().map(path -> path.resolve("recording")).toList();
    }
  }

  @ParameterizedTest
  @MethodSource("stored")
  void hasWhatCsvHas(Path recording) throws Exception {
    check(recording, Selected.all());
  }

  @ParameterizedTest
  @MethodSource("stored")
  void hasWhatCsvHasOfARange(Path recording) throws Exception {
    check(recording, new Selected(2000, 50_000, new ThreadFilter(List.of())));
  }

  private void check(Path recording, Selected selected) throws Exception {
    export(recording, selected, ExportFormats.named("csv").orElseThrow(), "csv");
    export(recording, selected, new ParquetFormat(List.of()), "parquet");
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:")) {
      same(duck, CALLS + from("calls"), CSV_CALLS + csv("calls") + " WHERE kind = 'calls'");
      String state = "SELECT begin AS b, finish, depth, state, object";
      String csvState =
          "SELECT begin_ns, end_ns, depth, name, CAST('0x' || object AS BIGINT) AS object";
      same(duck, state + from("waits"), csvState + csv("waits"));
      same(duck, state + from("states") + " WHERE kind = 'scheduled'", csvState + csv("states"));
      same(
          duck,
          state + from("states") + " WHERE kind <> 'scheduled'",
          csvState + csv("calls") + " WHERE kind <> 'calls'");
      String alone = " WHERE kind NOT IN ('begin', 'end', 'lost')"; // others CSV has with the calls
      same(
          duck,
          "SELECT time, process, thread, kind, name, data" + from("events") + alone,
          "SELECT time_ns, process, thread, kind, event, coalesce(data, '')"
              + csv("events")
              + alone);
      same(
          duck,
          "SELECT time, name, value" + from("counters"),
          "SELECT time_ns, counter, value" + csv("counters"));
      same(
          duck,
          "SELECT time, cpu, tid, subsystem, name, data" + from("kernel_events"),
          "SELECT time_ns, cpu, tid, subsystem, event, coalesce(data, '')" + csv("kernel"));
      same(
          duck,
          "SELECT method, in_process, class, simple_name, coalesce(line, 0)" + from("methods"),
          "SELECT method, process, coalesce(class, ''), coalesce(name, ''), line" + csv("methods"));
      same(
          duck,
          "SELECT sent, received, from_thread, to_thread" + from("messages"),
          "SELECT sent_ns, received_ns, f.thread, t.thread"
              + csv("messages")
              + " m JOIN"
              + csv("threads").substring(5)
              + " f ON m.from_track = f.track JOIN"
              + csv("threads").substring(5)
              + " t ON m.to_track = t.track");
      same(
          duck,
          "SELECT name, value" + from("facts") + " WHERE value <> ''",
          "SELECT name, value" + csv("recording") + " WHERE value IS NOT NULL");
    }
  }

  /** A call's children are those that name it as their parent; its self time is without theirs. */
  @ParameterizedTest
  @MethodSource("stored")
  void callsKnowEachOther(Path recording) throws Exception {
    export(recording, Selected.all(), new ParquetFormat(List.of()), "parquet");
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:")) {
      String wrong =
          """
          WITH calls AS (%s), children AS (
            SELECT process, thread, parent AS call, count(*) AS n, sum(duration) AS time
            FROM calls WHERE parent IS NOT NULL GROUP BY ALL)
          SELECT * FROM calls LEFT JOIN children USING (process, thread, call)
          WHERE calls.children <> coalesce(n, 0)
            OR abs(self + coalesce(time, 0) - duration) > coalesce(n, 0) + 1
            OR (parent IS NULL) <> (depth = 0)
          """
              .formatted("SELECT *" + from("calls"));
      assertThat(rows(duck, wrong)).isEmpty();
      String repeated =
          "SELECT process, thread, call" + from("calls") + " GROUP BY ALL HAVING count(*) > 1";
      assertThat(rows(duck, repeated)).isEmpty();
    }
  }

  @Test
  void sameRecordingGivesSameBytesInTheOrderOfTime() throws Exception {
    Path recording = SourceTree.path("corpus").resolve("succeed/1.2/recording");
    export(recording, Selected.all(), new ParquetFormat(List.of()), "parquet");
    export(recording, Selected.all(), new ParquetFormat(List.of()), "again");
    try (Stream<Path> files = Files.list(folder.resolve("parquet"))) {
      for (Path file : files.toList()) {
        assertThat(folder.resolve("again").resolve(file.getFileName()))
            .hasSameBinaryContentAs(file);
      }
    }
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:")) {
      List<String> times = rows(duck, "SELECT begin" + from("waits"));
      assertThat(times).hasSizeGreaterThan(10);
      assertThat(times.stream().map(Long::valueOf)).isSorted();
    }
  }

  @Test
  void isSplitByDayAndHost() throws Exception {
    Path recording = SourceTree.path("corpus").resolve("succeed/1.3/recording");
    List<ParquetFormat.Partition> by =
        List.of(ParquetFormat.Partition.day, ParquetFormat.Partition.host);
    export(recording, Selected.all(), new ParquetFormat(List.of()), "parquet");
    export(recording, Selected.all(), new ParquetFormat(by), "parts");
    assertThat(ParquetFormat.isTables(folder.resolve("parts"))).isTrue();
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:")) {
      // Of "messages" there are none: only the columns are known.
      for (String table : List.of("kernel_events", "calls", "threads", "facts", "messages")) {
        String all = folder.resolve("parts") + "/" + table + "/*/*/*.parquet";
        String parts = " FROM read_parquet('" + all + "', hive_partitioning = true)";
        same(duck, "SELECT * EXCLUDE (day, host)" + parts, "SELECT *" + from(table));
        assertThat(rows(duck, "SELECT column_name FROM (DESCRIBE SELECT *" + parts + ")"))
            .as(table)
            .endsWith("day", "host");
      }
    }
  }

  /** As Hive has it: Spark refuses directories without a value. */
  @Test
  void noHostIsNull() throws Exception {
    RecordingBuilder r = new RecordingBuilder();
    r.define(0, new Definition.Recording("0.1", "java App", "", "6.18", "a cpu", 2, "discard"));
    r.process(1).thread(1, 1, "main").method(1, 1, "a.B", "x").ring(1, 0, 1).enter(100, 1);
    Path recording = r.write(folder.resolve("r"));
    export(
        recording,
        Selected.all(),
        new ParquetFormat(List.of(ParquetFormat.Partition.host)),
        "parts");
    for (String table : List.of("calls", "messages")) {
      assertThat(folder.resolve("parts").resolve(table).resolve("host=__HIVE_DEFAULT_PARTITION__"))
          .isDirectory();
    }
  }

  private void export(Path recording, Selected selected, ExportFormat format, String to)
      throws Exception {
    try (Recording open = Recording.open(recording)) {
      ExportSource source =
          ExportSource.open(open, selected, ProgressListener.NONE, ProgressListener.NONE);
      format.write(source, Files.createDirectory(folder.resolve(to)));
    }
  }

  private String from(String table) {
    return " FROM '" + folder.resolve("parquet").resolve(table + ".parquet") + "'";
  }

  private String csv(String table) {
    return " FROM read_csv('"
        + folder.resolve("csv").resolve(table + ".csv")
        + "', sample_size = -1)";
  }

  private static void same(Connection duck, String one, String other) throws SQLException {
    assertThat(rows(duck, one)).containsExactlyInAnyOrderElementsOf(rows(duck, other));
  }

  private static List<String> rows(Connection duck, String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Statement statement = duck.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
          row.add(String.valueOf(result.getString(i)));
        }
        rows.add(String.join(" | ", row));
      }
    }
    return rows;
  }
}
