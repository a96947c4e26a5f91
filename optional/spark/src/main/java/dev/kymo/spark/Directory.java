package dev.kymo.spark;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/** A directory of exported tables: each is a file, or a directory of partitions. */
final class Directory {
  private static final String SUFFIX = ".parquet";
  private static final String RECORDING = "recording";

  /** The table that all have. */
  private static final String FACTS = "facts";

  private static final String GAPS = "gaps";
  private static final String DAY = "day";
  private static final Pattern NAME = Pattern.compile("\\w+");

  private final SparkSession session;
  private final Map<String, String> files;
  private final Column recording;

  private Directory(SparkSession session, Map<String, String> files, Column recording) {
    this.session = session;
    this.files = files;
    this.recording = recording;
  }

  /**
   * Opens one.
   *
   * @param taken names of other recordings, to which its own are added
   * @throws IOException if there is no such directory
   */
  static Directory open(SparkSession session, String address, Set<String> taken)
      throws IOException {
    Map<String, String> files = files(address, session.sparkContext().hadoopConfiguration());
    String facts = files.get(FACTS);
    if (facts == null) {
      throw new IOException(
          "not a directory of tables: path=%s missing=%s; 'kymo export --to parquet' makes one"
              .formatted(address, FACTS));
    }
    return new Directory(session, files, distinct(read(session, facts), taken));
  }

  private static Map<String, String> files(String address, Configuration system)
      throws IOException {
    Path path = new Path(address);
    FileSystem place = path.getFileSystem(system);
    Map<String, String> files = new TreeMap<>();
    for (FileStatus each : place.listStatus(path)) {
      String name = each.getPath().getName();
      if (each.isFile() && name.endsWith(SUFFIX)) {
        files.put(name.substring(0, name.length() - SUFFIX.length()), each.getPath().toString());
      } else if (each.isDirectory()
          && NAME.matcher(name).matches()
          && place.listFiles(each.getPath(), true).hasNext()) {
        files.put(name, each.getPath().toString());
      }
    }
    return files;
  }

  /** Names of recordings that nobody has: what repeats one gets a number. */
  private static Column distinct(Dataset<Row> facts, Set<String> taken) {
    Set<String> names = new TreeSet<>();
    facts.select(RECORDING).collectAsList().forEach(row -> names.add(row.getString(0)));
    Map<String, String> renamed = new HashMap<>();
    for (String name : names) {
      String own = name;
      for (int i = 2; !taken.add(own); i++) {
        own = "%s (%d)".formatted(name, i);
      }
      if (!own.equals(name)) {
        renamed.put(name, own);
      }
    }
    Column recording = functions.col(RECORDING);
    for (Map.Entry<String, String> each : renamed.entrySet()) {
      recording =
          functions
              .when(functions.col(RECORDING).equalTo(each.getKey()), each.getValue())
              .otherwise(recording);
    }
    return recording;
  }

  Set<String> tables() {
    return files.keySet();
  }

  Dataset<Row> rows(String table) {
    Dataset<Row> rows =
        read(session, String.valueOf(files.get(table))).withColumn(RECORDING, recording);
    boolean days = Set.of(rows.columns()).contains(DAY);
    return days ? rows.withColumn(DAY, rows.col(DAY).cast("date")) : rows;
  }

  /** How many losses its recordings have, by their names; without those that have none. */
  Map<String, Long> gaps() {
    Map<String, Long> gaps = new TreeMap<>();
    if (files.containsKey(GAPS) && !rows(GAPS).isEmpty()) {
      for (Row row : rows(GAPS).groupBy(RECORDING).count().collectAsList()) {
        gaps.put(row.getString(0), row.getLong(1));
      }
    }
    return gaps;
  }

  /** Reads a table; its name is no pattern. */
  static Dataset<Row> read(SparkSession session, String address) {
    return session.read().option("__globPaths__", "false").parquet(address);
  }
}
