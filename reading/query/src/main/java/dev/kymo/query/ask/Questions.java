package dev.kymo.query.ask;

import dev.kymo.exporters.source.ExportSource;
import dev.kymo.query.engine.Database;
import dev.kymo.query.tables.RecordedTables;
import dev.kymo.query.tables.SqlColumn;
import dev.kymo.query.tables.SqlTable;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.duckdb.DuckDBPreparedStatement;
import org.jspecify.annotations.Nullable;

/** Answers questions in SQL about recordings. One thread asks; another may {@link #cancel}. */
public final class Questions implements AutoCloseable {
  /** What asks for the names of tables. */
  private static final Pattern CATALOG =
      Pattern.compile("information_schema|pg_catalog|duckdb_|sqlite_|\\b(show|pragma|use)\\b");

  /** How the engine's errors about names begin that it does not know. */
  private static final String UNKNOWN = "Catalog Error";

  /** What the questions of others may write into files beside their memory. */
  private static final String SPILLED = "4GiB";

  private static final long BESIDE_MEGABYTES = 512;

  private final Database database;
  private final boolean onlyQuestions;
  private final Map<String, SqlTable> tables = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private final List<String> names = new ArrayList<>();

  /** What has not been asked for yet, by the small letters of its name. */
  private final Map<String, List<Kind>> kinds = new HashMap<>();

  private volatile @Nullable Statement asked;

  /**
   * A table of one kind of events. There may be hundreds, and each takes a millisecond to make, so
   * they are made when a question names them.
   */
  private record Kind(int number, String recording, SqlTable table) {}

  private Questions(Database database, boolean onlyQuestions) {
    this.database = database;
    this.onlyQuestions = onlyQuestions;
  }

  /**
   * Bytes of memory of its own that a process may have whose only work is to answer questions with
   * the usual settings: a heap, the engine's memory, and what is beside them.
   */
  public static long maxBytes() {
    return Runtime.getRuntime().maxMemory() + ((Settings.MEGABYTES + BESIDE_MEGABYTES) << 20);
  }

  /** What may be asked. */
  public enum May {
    /** Only what changes nothing, because others rely on the next answers. */
    ASK,
    /** Any statement; it reaches no other files. */
    CHANGE,
    /** Also such as read and write other files. */
    REACH_FILES
  }

  /**
   * How questions are answered.
   *
   * @param stream whether rows are handed out before all of them are known
   * @param megabytes of memory at most, beside what reading takes
   * @param may what may be asked
   */
  public record Settings(boolean stream, long megabytes, May may) {
    /** Enough for most questions. */
    public static final long MEGABYTES = Database.MEGABYTES;
  }

  /**
   * Opens recordings, which are told apart by their names. There may be none.
   *
   * @param room an empty directory for what does not fit into memory
   * @param settings how questions are answered
   * @throws SQLException if the engine cannot be started
   */
  public static Questions open(Map<String, ExportSource> recordings, Path room, Settings settings)
      throws SQLException {
    Questions questions =
        new Questions(
            Database.open(room, settings.stream(), settings.megabytes()),
            settings.may() == May.ASK);
    try {
      questions.add(recordings);
      questions.database.run("SET timezone = 'UTC'");
      if (settings.may() == May.ASK) {
        questions.database.run("SET max_temp_directory_size = '" + SPILLED + "'");
      }
      if (settings.may() != May.REACH_FILES) {
        questions.database.close(room);
      }
      return questions;
    } catch (SQLException | RuntimeException e) {
      questions.close();
      throw e;
    }
  }

  private void add(Map<String, ExportSource> recordings) throws SQLException {
    int number = 0;
    for (Map.Entry<String, ExportSource> each : recordings.entrySet()) {
      List<SqlTable> main = RecordedTables.main(each.getValue());
      database.add(number, each.getKey(), main);
      main.forEach(this::know);
      for (SqlTable table : RecordedTables.kinds(each.getValue())) {
        know(table);
        kinds
            .computeIfAbsent(table.name().toLowerCase(Locale.ROOT), none -> new ArrayList<>())
            .add(new Kind(number, each.getKey(), table));
      }
      number++;
    }
    database.complete();
    if (!recordings.isEmpty()) { // else there are no tables for them
      Macros.create(database);
    }
  }

  private void know(SqlTable table) {
    String group = table.group().isEmpty() ? "" : table.group() + '.';
    if (tables.putIfAbsent(group + table.name(), table) == null) {
      names.add(group + table.name());
    }
  }

  /** Makes the tables of kinds of events whose names are in a question, if they are not there. */
  private void makeKinds(String sql) throws SQLException {
    String question = sql.toLowerCase(Locale.ROOT);
    if (CATALOG.matcher(question).find()) {
      makeAll();
    } else {
      make(name -> question.contains(name.replace("\"", "\"\""))); // as SQL writes quotes
    }
  }

  private void makeAll() throws SQLException {
    make(name -> true);
  }

  private void make(Predicate<String> wanted) throws SQLException {
    List<Kind> named = new ArrayList<>();
    kinds.entrySet().removeIf(each -> wanted.test(each.getKey()) && named.addAll(each.getValue()));
    for (Kind kind : named) {
      database.add(kind.number(), kind.recording(), List.of(kind.table()));
    }
    database.complete();
  }

  /** Takes the rows of an answer. */
  public interface Taker {
    /** Before all rows. */
    void columns(ResultSet answer) throws SQLException;

    /** A row, at which the answer stands; returns whether more are wanted. */
    boolean row(ResultSet answer) throws SQLException;
  }

  /**
   * Hands out the answer to a question, row by row.
   *
   * @throws SQLException if it is no SQL, or asks for what there is not, or was cancelled
   */
  public void ask(String sql, Taker taker) throws SQLException {
    if (onlyQuestions) {
      database.mustBeQuestions(sql);
    }
    makeKinds(sql);
    try {
      answer(sql, taker);
    } catch (SQLException e) {
      if (kinds.isEmpty() || !String.valueOf(e.getMessage()).startsWith(UNKNOWN)) {
        throw e;
      }
      makeAll(); // so that the engine suggests what is really there
      answer(sql, taker);
    }
  }

  private void answer(String sql, Taker taker) throws SQLException {
    try (Statement statement = database.connection().createStatement()) {
      asked = statement;
      if (!statement.execute(sql)) {
        return;
      }
      try (ResultSet answer = statement.getResultSet()) {
        taker.columns(answer);
        boolean more = true;
        while (more && answer.next()) {
          more = taker.row(answer);
        }
      }
    } finally {
      asked = null;
    }
  }

  /** How an answer is written into a file. */
  public enum Form {
    PARQUET("FORMAT parquet, COMPRESSION zstd, PARQUET_VERSION v2"),
    /** With a line of names. */
    CSV("FORMAT csv, HEADER"),
    /** An object a line. */
    JSON("FORMAT json");

    private final String options;

    Form(String options) {
      this.options = options;
    }
  }

  /**
   * Writes the answer to a question.
   *
   * @param to a file in the room
   */
  public void write(String sql, Path to, Form form) throws SQLException {
    if (onlyQuestions) {
      database.mustBeQuestions(sql);
    }
    makeKinds(sql);
    String question = inner(sql);
    try (Statement statement = database.connection().createStatement()) {
      asked = statement;
      statement.executeLargeUpdate(
          "COPY (%s\n) TO %s (%s)".formatted(question, Database.text(to.toString()), form.options));
    } finally {
      asked = null;
    }
  }

  /**
   * A table that was written.
   *
   * @param group what it is a part of; empty for most tables
   */
  public record Written(String group, String name, Path file) {}

  /**
   * Writes the tables that a question names, for another engine to answer it, as Parquet.
   *
   * @param to directory in the room
   * @param before the tables that are there already, to which these are added
   */
  public List<Written> writeNamed(String sql, Path to, Set<String> before) throws SQLException {
    List<Written> written = new ArrayList<>();
    for (String each : names) {
      SqlTable table = tables.get(each);
      if (table != null && isNamed(table.name(), sql) && !before.contains(each)) {
        Path file = to.resolve(before.size() + ".parquet");
        String group = table.group().isEmpty() ? "" : Database.name(table.group()) + '.';
        write("FROM " + group + Database.name(table.name()), file, Form.PARQUET);
        written.add(new Written(table.group(), table.name(), file));
        before.add(each);
      }
    }
    return written;
  }

  /**
   * A question whose answer another engine has given: the rows of a file of JSON objects, whose
   * members {@code c0}, {@code c1} and so on are texts or null.
   *
   * @param file in the room
   * @param names of the columns
   * @param types of the columns, as this engine calls them
   */
  public static String given(Path file, List<String> names, List<String> types) {
    List<String> selected = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      selected.add("CAST(c%d AS %s) AS %s".formatted(i, types.get(i), Database.name(names.get(i))));
      texts.add("c%d: 'VARCHAR'".formatted(i));
    }
    return "SELECT %s FROM read_json(%s, format = 'newline_delimited', columns = {%s})"
        .formatted(
            String.join(", ", selected), Database.text(file.toString()), String.join(", ", texts));
  }

  private static boolean isNamed(String table, String sql) {
    String word = "(?<!\\w)" + Pattern.quote(table) + "(?!\\w)";
    return Pattern.compile(word, Pattern.CASE_INSENSITIVE).matcher(sql).find();
  }

  /** A question as it stands in another statement: without the semicolon, or comments after it. */
  private static String inner(String sql) {
    String inner = sql.strip();
    int last = inner.lastIndexOf(';');
    boolean comments =
        last >= 0
            && inner
                .substring(last + 1)
                .lines()
                .allMatch(line -> line.isBlank() || line.strip().startsWith("--"));
    return comments ? inner.substring(0, last) : inner;
  }

  /** Ends the question that is being answered, with an error. */
  public void cancel() throws SQLException {
    Statement statement = asked;
    if (statement != null) {
      statement.cancel();
    }
  }

  /**
   * The share of the question that is answered, 0 to 1, as far as the engine knows; -1 = it does
   * not.
   */
  public double progress() {
    try {
      return asked instanceof DuckDBPreparedStatement statement
          ? Math.clamp(statement.getQueryProgress().getPercentage() / 100, -1, 1)
          : -1;
    } catch (SQLException e) {
      return -1; // it has just ended
    }
  }

  /**
   * The tables by their names, in their order: a line {@code type name, meaning} for each column.
   */
  public Map<String, List<ColumnText>> tables() throws SQLException {
    Map<String, List<ColumnText>> described = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    String sql =
        """
        SELECT CASE table_schema WHEN 'main' THEN '' ELSE table_schema || '.' END || table_name,
          column_name, data_type
        FROM information_schema.columns ORDER BY table_schema <> 'main', table_schema, ordinal_position
        """;
    ask(
        sql,
        new Taker() {
          @Override
          public void columns(ResultSet answer) {}

          @Override
          public boolean row(ResultSet answer) throws SQLException {
            String table = answer.getString(1);
            String column = answer.getString(2);
            described
                .computeIfAbsent(table, none -> new ArrayList<>())
                .add(new ColumnText(column, answer.getString(3), meaning(table, column)));
            return true;
          }
        });
    Map<String, List<ColumnText>> inOrder = new LinkedHashMap<>();
    names.forEach(name -> inOrder.put(name, described.getOrDefault(name, List.of())));
    return inOrder;
  }

  /** The names of all tables, in their order. */
  public List<String> names() {
    return List.copyOf(names);
  }

  /** A column as it is shown. */
  public record ColumnText(String name, String type, String meaning) {}

  /** What questions may use beside the tables. */
  public static List<FunctionText> functions() {
    return Macros.all().stream()
        .map(each -> new FunctionText(each.call(), each.table(), each.meaning()))
        .toList();
  }

  /**
   * A function as it is shown.
   *
   * @param call its name and its parameters
   * @param table whether it stands for a table
   */
  public record FunctionText(String call, boolean table, String meaning) {}

  private String meaning(String table, String column) {
    SqlTable of = tables.get(table);
    return of == null
        ? ""
        : of.columns().stream()
            .filter(each -> each.name().equals(column))
            .map(SqlColumn::meaning)
            .findFirst()
            .orElse(Macros.MEANINGS.getOrDefault(column, ""));
  }

  @Override
  public void close() throws SQLException {
    database.close();
  }
}
