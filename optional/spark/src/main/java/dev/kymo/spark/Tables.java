package dev.kymo.spark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** The tables: each has the rows of all recordings, and is made when a question names it. */
final class Tables {
  /** What Spark calls a database or a table. */
  private static final Pattern NAME = Pattern.compile("\\w+");

  private final SparkSession session;
  private final List<Directory> directories = new ArrayList<>();
  private final Set<String> made = new HashSet<>();
  private final Set<String> known = new TreeSet<>();

  private Tables(SparkSession session) {
    this.session = session;
  }

  /**
   * Opens what questions will be about.
   *
   * @throws IOException if a directory is not there
   */
  static Tables open(SparkSession session, Opening opening) throws IOException {
    Tables tables = new Tables(session);
    tables.known.addAll(opening.tables());
    Set<String> taken = new HashSet<>(opening.recordings());
    for (String address : opening.directories()) {
      Directory directory = Directory.open(session, address, taken);
      tables.directories.add(directory);
      tables.known.addAll(directory.tables());
    }
    return tables;
  }

  /** Makes what a question names and is not there yet. */
  void make(Request question) {
    Map<String, List<Dataset<Row>>> parts = new TreeMap<>();
    for (Request.Written table : question.tables()) {
      if (table.group().isEmpty()) {
        parts
            .computeIfAbsent(table.name(), none -> new ArrayList<>())
            .add(Directory.read(session, table.file()));
      } else if (NAME.matcher(table.group()).matches() && NAME.matcher(table.name()).matches()) {
        makeKind(table);
      }
    }
    for (Directory directory : directories) {
      for (String name : directory.tables()) {
        if (!made.contains(name) && isNamed(name, question.sql())) {
          parts.computeIfAbsent(name, none -> new ArrayList<>()).add(directory.rows(name));
        }
      }
    }
    parts.forEach(this::make);
  }

  /** A table of the program's own events, or of the kernel's, which directories do not have. */
  private void makeKind(Request.Written table) {
    session.sql("CREATE DATABASE IF NOT EXISTS `%s`".formatted(table.group()));
    session
        .catalog()
        .createTable("`%s`.`%s`".formatted(table.group(), table.name()), table.file(), "parquet");
  }

  private void make(String name, List<Dataset<Row>> parts) {
    Dataset<Row> rows = parts.getFirst();
    for (Dataset<Row> more : parts.subList(1, parts.size())) {
      rows = rows.unionByName(more, true);
    }
    rows.createOrReplaceTempView(name);
    made.add(name);
  }

  private static boolean isNamed(String table, String sql) {
    return Pattern.compile("(?<!\\w)" + Pattern.quote(table) + "(?!\\w)", Pattern.CASE_INSENSITIVE)
        .matcher(sql)
        .find();
  }

  /** The names of all of them. */
  Set<String> known() {
    return known;
  }

  /** How many losses the recordings of directories have, by their names. */
  Map<String, Long> gaps() {
    Map<String, Long> gaps = new TreeMap<>();
    directories.forEach(directory -> gaps.putAll(directory.gaps()));
    return gaps;
  }
}
