package dev.kymo.query.parquet;

import dev.kymo.exporters.source.ExportFormat;
import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.Facts;
import dev.kymo.format.Definition;
import dev.kymo.query.engine.Database;
import dev.kymo.query.tables.RecordedTables;
import dev.kymo.query.tables.SortedTable;
import dev.kymo.query.tables.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A directory of Parquet files, one a table, each in the order of time. */
public final class ParquetFormat implements ExportFormat {
  private static final String ROOM = ".sorting";
  private static final String SUFFIX = ".parquet";

  /** The table that always has rows. */
  private static final String FACTS = "facts";

  /** By table of what threads did: the time that it is sorted by. */
  private static final Map<String, String> TIMES =
      Map.of(
          "calls",
          "begin",
          "states",
          "begin",
          "waits",
          "begin",
          "events",
          "time",
          "counters",
          "time");

  /** By table: the columns that DuckDB sorts it by, none if it comes in the order of time. */
  private static final Map<String, String> TABLES = new LinkedHashMap<>();

  static {
    TABLES.put("calls", "");
    TABLES.put("events", "");
    TABLES.put("states", "");
    TABLES.put("waits", "");
    TABLES.put("counters", "");
    TABLES.put("messages", "sent, received, from_process, from_thread, to_process, to_thread");
    TABLES.put("kernel_events", "");
    TABLES.put("gaps", "begin, process, thread");
    TABLES.put("processes", "process");
    TABLES.put("threads", "process, thread");
    TABLES.put("methods", "method");
    TABLES.put("event_kinds", "event");
    TABLES.put("counted", "process, thread, method, mode");
    TABLES.put("notices", "process, notice");
    TABLES.put(FACTS, "name, value");
  }

  /** The tables whose sizes are said. */
  private static final Set<String> COUNTED =
      Set.of("calls", "events", "states", "waits", "counters", "messages", "kernel_events");

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
    try (Database database = Database.open(room, false, Database.MEGABYTES)) {
      database.run("SET threads = 1"); // else the order of rows depends on who is first
      List<Table> tables = new ArrayList<>();
      for (Table table : RecordedTables.main(source)) {
        String time = TIMES.get(table.name());
        tables.add(time == null ? table : new SortedTable(table, time, room));
      }
      database.add(source.pass().recording().name(), tables);
      database.complete();
      for (Map.Entry<String, String> table : TABLES.entrySet()) {
        long rows = database.run(copy(source, table.getKey(), table.getValue(), to));
        if (rows > 0 && COUNTED.contains(table.getKey())) {
          written.add(rows + " " + table.getKey().replace('_', ' '));
        }
      }
    } catch (SQLException e) {
      throw new IOException(String.valueOf(e.getMessage()).strip(), e);
    } finally {
      Directories.delete(room);
    }
    return String.join(", ", written);
  }

  private String copy(ExportSource source, String table, String order, Path to) {
    Path file = to.resolve(partitions.isEmpty() ? table + SUFFIX : table);
    String recording = Database.text(source.pass().recording().name());
    long begin = Facts.wallBegin(source);
    List<String> columns = new ArrayList<>(List.of("*"));
    List<String> options =
        new ArrayList<>(
            List.of(
                "FORMAT parquet",
                "COMPRESSION zstd",
                "PARQUET_VERSION v2", // its encodings make half of the bytes
                "KV_METADATA {unit: 'ns', begin_ns_since_1970: '%d', recording: %s}"
                    .formatted(begin, recording)));
    for (Partition partition : partitions) {
      columns.add(value(partition, source, table, begin) + " AS " + partition);
    }
    if (!partitions.isEmpty()) {
      options.add(
          "PARTITION_BY (" + String.join(", ", partitions.stream().map(Enum::name).toList()) + ")");
    }
    return "COPY (SELECT %s FROM %s%s) TO %s (%s)"
        .formatted(
            String.join(", ", columns),
            table,
            order.isEmpty() ? "" : " ORDER BY " + order,
            Database.text(file.toString()),
            String.join(", ", options));
  }

  private static String value(Partition partition, ExportSource source, String table, long begin) {
    return switch (partition) {
      case day ->
          "strftime(make_timestamp_ns(%d + %s), '%%Y-%%m-%%d')".formatted(begin, time(table));
      case host ->
          Database.text(
              source.definitions().recording().map(Definition.Recording::host).orElse(""));
    };
  }

  /** The column that says when, or the recording's begin. */
  private static String time(String table) {
    return switch (table) {
      case "messages" -> "sent";
      case "kernel_events" -> "time";
      case "gaps" -> "begin";
      default -> TIMES.getOrDefault(table, "0");
    };
  }
}
