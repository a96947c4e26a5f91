package dev.kymo.query.parquet;

import dev.kymo.exporters.source.ExportFormat;
import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.Facts;
import dev.kymo.format.Definition;
import dev.kymo.model.index.Scratch;
import dev.kymo.query.engine.Database;
import dev.kymo.query.tables.RecordedTables;
import dev.kymo.query.tables.SortedTable;
import dev.kymo.query.tables.SqlTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A directory of Parquet files, one a table, each in the order of time. */
public final class ParquetFormat implements ExportFormat {
  private static final String ROOM = ".sorting";
  private static final String SUFFIX = ".parquet";

  /** The table that always has rows. */
  private static final String FACTS = "facts";

  /** All tables, in the order in which they are written. */
  private static final List<Exported> TABLES =
      List.of(
          Exported.sortedHere("calls", "begin"),
          Exported.sortedHere("events", "time"),
          Exported.sortedHere("states", "begin"),
          Exported.sortedHere("waits", "begin"),
          Exported.sortedHere("counters", "time"),
          new Exported(
              "messages",
              "sent",
              "sent, received, from_process, from_thread, to_process, to_thread",
              false),
          new Exported("kernel_events", "time", "", false),
          new Exported("gaps", "begin", "begin, process, thread", false),
          Exported.known("processes", "process"),
          Exported.known("threads", "process, thread"),
          Exported.known("methods", "method"),
          Exported.known("event_kinds", "event"),
          Exported.known("counted", "process, thread, method, mode"),
          Exported.known("notices", "process, notice"),
          Exported.known(FACTS, "name, value"));

  /**
   * How a table goes out.
   *
   * @param time the column that says when; empty if there is none
   * @param order the columns that DuckDB sorts it by; empty if its rows come in the order of time
   * @param here whether its rows have to be put into that order before DuckDB has them, because
   *     there are too many for it
   */
  private record Exported(String table, String time, String order, boolean here) {
    static Exported sortedHere(String table, String time) {
      return new Exported(table, time, "", true);
    }

    static Exported known(String table, String order) {
      return new Exported(table, "", order, false);
    }

    /** Whether its rows are things that happened, whose number is said. */
    boolean isCounted() {
      return !time.isEmpty() && !table.equals("gaps");
    }
  }

  private final List<Partition> partitions;

  /** What the files of a table are split by, as directories. */
  public enum Partition {
    /** The day, in UTC. */
    day,
    /** The machine. */
    host
  }

  /** Tables split by something, or by nothing. */
  public ParquetFormat(List<Partition> partitions) {
    this.partitions = List.copyOf(partitions);
  }

  @Override
  public String name() {
    return "parquet";
  }

  @Override
  public String description() {
    return "a directory of tables for DuckDB, Spark, pandas and others";
  }

  @Override
  public boolean isDirectory() {
    return true;
  }

  /** Whether this format has made a directory. */
  public static boolean isTables(Path directory) {
    return Files.isRegularFile(directory.resolve(FACTS + SUFFIX))
        || Files.isDirectory(directory.resolve(FACTS));
  }

  @Override
  public String write(ExportSource source, Path to) throws IOException {
    Path room = Files.createDirectory(to.resolve(ROOM));
    List<String> written = new ArrayList<>();
    List<Exported> empty = new ArrayList<>();
    try (Database database = Database.open(room, false, Database.MEGABYTES)) {
      database.run("SET threads = 1"); // else the order of rows depends on who is first
      database.add(0, source.pass().recording().name(), sorted(RecordedTables.main(source), room));
      database.complete();
      for (Exported each : TABLES) {
        long rows = database.run(copy(source, each, to));
        if (rows > 0 && each.isCounted()) {
          written.add(rows + " " + each.table.replace('_', ' '));
        } else if (rows == 0) {
          empty.add(each);
        }
      }
      if (!partitions.isEmpty()) {
        writeEmpty(database, source, empty, to);
      }
    } catch (SQLException e) {
      throw new IOException(String.valueOf(e.getMessage()).strip(), e);
    } finally {
      Scratch.delete(room);
    }
    return String.join(", ", written);
  }

  private static List<SqlTable> sorted(List<SqlTable> tables, Path room) {
    Map<String, Exported> exported =
        TABLES.stream().collect(Collectors.toMap(Exported::table, each -> each));
    return tables.stream()
        .map(table -> {
          Exported as = exported.get(table.name());
          return as != null && as.here ? new SortedTable(table, as.time, room) : table;
        })
        .toList();
  }

  /**
   * Tables without rows have no partition, so that nobody could know their columns. They get a file
   * where {@link #FACTS} has one, which is at the recording's begin.
   */
  private static void writeEmpty(
      Database database, ExportSource source, List<Exported> tables, Path to)
      throws IOException, SQLException {
    Path first = firstFile(to.resolve(FACTS));
    for (Exported each : tables) {
      Path file = to.resolve(each.table).resolve(to.resolve(FACTS).relativize(first));
      Files.createDirectories(file.getParent());
      database.run(
          "COPY %s TO %s (%s)"
              .formatted(
                  each.table,
                  Database.text(file.toString()),
                  String.join(", ", options(source, Facts.wallBegin(source)))));
    }
  }

  private static Path firstFile(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).sorted().findFirst().orElseThrow();
    }
  }

  private static List<String> options(ExportSource source, long begin) {
    String recording = Database.text(source.pass().recording().name());
    return List.of(
        "FORMAT parquet",
        "COMPRESSION zstd",
        "PARQUET_VERSION v2", // its encodings make half of the bytes
        "KV_METADATA {unit: 'ns', begin_ns_since_1970: '%d', recording: %s}"
            .formatted(begin, recording));
  }

  private String copy(ExportSource source, Exported as, Path to) {
    Path file = to.resolve(partitions.isEmpty() ? as.table + SUFFIX : as.table);
    long begin = Facts.wallBegin(source);
    List<String> columns = new ArrayList<>(List.of("*"));
    List<String> options = new ArrayList<>(options(source, begin));
    for (Partition partition : partitions) {
      columns.add(value(partition, source, as, begin) + " AS " + partition);
    }
    if (!partitions.isEmpty()) {
      options.add(
          "PARTITION_BY (" + String.join(", ", partitions.stream().map(Enum::name).toList()) + ")");
    }
    return "COPY (SELECT %s FROM %s%s) TO %s (%s)"
        .formatted(
            String.join(", ", columns),
            as.table,
            as.order.isEmpty() ? "" : " ORDER BY " + as.order,
            Database.text(file.toString()),
            String.join(", ", options));
  }

  private static String value(Partition partition, ExportSource source, Exported as, long begin) {
    return switch (partition) {
      case day ->
          "strftime(make_timestamp_ns(%d + %s), '%%Y-%%m-%%d')"
              .formatted(begin, as.time.isEmpty() ? "0" : as.time);
      case host -> {
        String host = source.definitions().recording().map(Definition.Recording::host).orElse("");
        yield host.isEmpty() ? "NULL::VARCHAR" : Database.text(host);
      }
    };
  }
}
