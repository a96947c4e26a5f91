package dev.kymo.cli.query;

import dev.kymo.cli.options.LogOptions;
import dev.kymo.cli.options.SelectionOptions;
import dev.kymo.cli.query.shell.InputLines;
import dev.kymo.cli.query.shell.Lines;
import dev.kymo.cli.query.shell.NameCompleter;
import dev.kymo.cli.query.shell.Shell;
import dev.kymo.cli.query.shell.TerminalLines;
import dev.kymo.cli.query.spark.AskedRecordings;
import dev.kymo.cli.query.spark.EngineOptions;
import dev.kymo.cli.query.spark.NoAnswerException;
import dev.kymo.cli.query.spark.Spark;
import dev.kymo.cli.terminal.CsvSafeOption;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.exporters.source.ExportSource;
import dev.kymo.model.index.Scratch;
import dev.kymo.query.ask.QueryErrors;
import dev.kymo.query.ask.Questions;
import dev.kymo.query.parquet.ParquetFormat;
import dev.kymo.session.ExitCode;
import dev.kymo.session.OutputFile;
import dev.kymo.session.UsageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kymo query}: a question in SQL. */
@Command(
    name = "query",
    mixinStandardHelpOptions = true,
    description = {
      "Answers questions in SQL (DuckDB's) about recordings.",
      "  kymo query run.kymo \"SELECT name, count(*) FROM calls JOIN methods USING (recording, method)",
      "    GROUP BY ALL ORDER BY 2 DESC\"",
      "Without a question it asks for one after the other, or reads them from standard input."
    })
public final class QueryCommand implements Callable<Integer> {
  private static final String ANSWER = "answer.parquet";

  private final Terminal terminal;

  @Parameters(
      arity = "0..*",
      paramLabel = "RECORDING... SQL",
      description = "Recordings, or other tracers' files, and last the question.")
  private List<String> words = List.of();

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "File with the question; then all arguments are recordings.")
  private @Nullable Path file;

  @Option(names = "--tables", description = "Show the tables with their columns, ask nothing.")
  private boolean tables;

  @Option(
      names = "--format",
      paramLabel = "table|csv|json|parquet",
      description = "How the answer is written; json: an object a row; parquet: with -o.")
  private AnswerFormat format = AnswerFormat.table;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "For parquet: where the answer goes.")
  private @Nullable Path output;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "A table shows at most so many rows (default: ${DEFAULT-VALUE}).")
  private int rows = 1000;

  @Option(
      names = "--memory",
      paramLabel = "MB",
      description = "Memory for the answer, beside what reading takes (default: ${DEFAULT-VALUE}).")
  private long memory = Questions.Settings.MEGABYTES;

  @Option(
      names = "--unsafe",
      description = "The question may read and write other files, and change settings.")
  private boolean unsafe;

  @Option(names = "--force", description = "Replace the output if it exists.")
  private boolean force;

  private boolean shell;

  @Mixin private CsvSafeOption csvSafe;

  @Mixin private EngineOptions engine;
  @Mixin private ReadyOptions ready;
  @Mixin private SelectionOptions range;
  @Mixin private LogOptions logs;

  enum AnswerFormat {
    table,
    csv,
    json,
    parquet
  }

  public QueryCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    ready.check();
    engine.check();
    if (ready.list()) {
      ReadyOptions.write(terminal);
      return ExitCode.OK;
    }
    boolean asked = file == null && !tables && !ready.asked();
    checkWords(asked);
    terminal.cells(csvSafe.cells(format == AnswerFormat.csv || shell));
    if ((format == AnswerFormat.parquet) != (output != null)) {
      throw new UsageException("--format parquet and -o belong together");
    }
    List<String> recordings = asked && !shell ? words.subList(0, words.size() - 1) : words;
    String sql = shell ? "" : sql();
    Map<String, ExportSource> sources = new LinkedHashMap<>();
    List<String> directories = new ArrayList<>();
    try {
      for (String each : recordings) {
        if (!engine.isSpark() || !isDirectory(each, directories)) {
          open(Path.of(each), sources);
        }
      }
      return answer(sources, directories, sql);
    } finally {
      sources.values().forEach(ExportSource::close);
    }
  }

  private void checkWords(boolean asked) {
    if (words.isEmpty()) {
      throw new UsageException("a recording is missing: kymo query RECORDING \"SELECT ...\"");
    }
    shell = asked && isRecording(words.getLast());
    if (asked && !shell && words.size() < 2) {
      throw new UsageException(
          "there is no such recording: %s; kymo query RECORDING \"SELECT ...\""
              .formatted(words.getLast()));
    }
    if (shell && format == AnswerFormat.parquet) {
      throw new UsageException("--format parquet needs a question");
    }
    if (engine.isSpark() && (tables || ready.asked())) {
      throw new UsageException("--tables and --question are for --engine duckdb");
    }
  }

  /** Adds what only Spark reads: a directory of exported tables, here or elsewhere. */
  private boolean isDirectory(String word, List<String> directories) {
    boolean elsewhere = AskedRecordings.isAddress(word);
    if (!elsewhere && !ParquetFormat.isTables(Path.of(word))) {
      return false;
    }
    if (!range.isAll()) {
      throw new UsageException(
          "--from, --to and --thread are for recordings, not for exported tables: path=" + word);
    }
    directories.add(elsewhere ? word : AskedRecordings.address(Path.of(word)));
    return true;
  }

  /** Without a question, the last word is a recording too. */
  private boolean isRecording(String word) {
    try {
      return (engine.isSpark() && AskedRecordings.isAddress(word)) || Files.exists(Path.of(word));
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private String sql() throws IOException {
    if (ready.asked()) {
      return ready.sql();
    }
    return file == null ? words.getLast() : Files.readString(file);
  }

  private void open(Path path, Map<String, ExportSource> sources) throws IOException {
    ExportSource source = SelectedSource.open(path, range, logs, terminal);
    String recording = source.pass().recording().name();
    String name = recording;
    for (int i = 2; sources.containsKey(name); i++) {
      name = "%s (%d)".formatted(recording, i);
    }
    sources.put(name, source);
  }

  private int answer(Map<String, ExportSource> sources, List<String> directories, String sql)
      throws IOException {
    try (Scratch scratch = Scratch.make("query")) {
      terminal.cleanup().add(scratch::close);
      try (Questions questions = Questions.open(sources, scratch.path(), settings())) {
        if (tables) {
          writeTables(questions);
          tellLosses(sources);
          return ExitCode.OK;
        }
        if (!engine.isSpark()) {
          return answer(new DuckDb(questions), sources, sql, scratch.path());
        }
        Path room = Files.createDirectory(scratch.path().resolve("spark"));
        try (Spark spark =
            Spark.open(
                new Spark.Settings(engine, unsafe, memory),
                new AskedRecordings(sources.keySet(), questions.names(), directories),
                room,
                terminal)) {
          return answer(new OnSpark(questions, spark), sources, sql, scratch.path());
        }
      }
    } catch (NoAnswerException e) {
      e.reason().forEach(terminal::warn);
      return ExitCode.FAILED;
    } catch (SQLException e) {
      tell(e);
      return ExitCode.FAILED;
    }
  }

  private int answer(Asked asked, Map<String, ExportSource> sources, String sql, Path room)
      throws IOException, SQLException, NoAnswerException {
    if (shell) {
      tellLosses(sources); // beside all answers
      asked.tellLosses();
      return runShell(asked);
    }
    if (output != null) {
      writeFile(asked, sql, room, output);
    } else {
      asked.ask(sql);
    }
    tellLosses(sources);
    asked.tellLosses();
    return ExitCode.OK;
  }

  /** Questions one after the other; without a terminal, from standard input. */
  private int runShell(Asked asked) throws IOException, SQLException {
    Map<String, List<Questions.ColumnText>> known = asked.tables();
    Shell all = new Shell(terminal, known, asked);
    boolean person = Terminal.hasPerson();
    if (person) {
      AskedProgress.clear();
      terminal.line("Questions in SQL end with a semicolon; .help shows more.");
      terminal.flush();
    }
    try (Lines lines =
        person ? new TerminalLines(new NameCompleter(known)) : new InputLines(System.in)) {
      return all.run(lines) || person ? ExitCode.OK : ExitCode.FAILED;
    }
  }

  /** Who is asked: the engine, through DuckDB, which has the rows of all answers. */
  private abstract class Asked implements Shell.Asker {
    final Questions questions;

    Asked(Questions questions) {
      this.questions = questions;
    }

    /** What DuckDB answers instead. */
    abstract String asked(String sql) throws IOException, SQLException, NoAnswerException;

    /** The tables that are known before a question names them. */
    Map<String, List<Questions.ColumnText>> tables() throws SQLException {
      return questions.tables();
    }

    /** Reports losses of what no source is open of. */
    void tellLosses() {}

    @Override
    public void ask(String sql) throws SQLException, NoAnswerException {
      AnswerWriter writer = AnswerWriter.of(format, terminal, rows);
      try (AskedProgress progress = AskedProgress.show(questions)) {
        questions.ask(asked(sql), progress.until(writer));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      writer.end();
    }

    @Override
    public void format(String name) {
      format =
          switch (name) {
            case "table" -> AnswerFormat.table;
            case "csv" -> AnswerFormat.csv;
            case "json" -> AnswerFormat.json;
            default -> throw new UsageException("neither table, csv nor json: " + name);
          };
    }

    @Override
    public void questions() {
      ReadyOptions.write(terminal);
    }

    @Override
    public String question(String words) {
      return Shell.question(words);
    }

    @Override
    public void tell(SQLException error) {
      QueryCommand.this.tell(error);
    }
  }

  private final class DuckDb extends Asked {
    DuckDb(Questions questions) {
      super(questions);
    }

    @Override
    String asked(String sql) {
      return sql;
    }

    @Override
    public void cancel() throws SQLException {
      questions.cancel();
    }
  }

  private final class OnSpark extends Asked {
    private final Spark spark;

    OnSpark(Questions questions, Spark spark) {
      super(questions);
      this.spark = spark;
    }

    @Override
    String asked(String sql) throws IOException, SQLException, NoAnswerException {
      return spark.ask(questions, sql, format == AnswerFormat.table ? rows + 1L : Long.MAX_VALUE);
    }

    @Override
    Map<String, List<Questions.ColumnText>> tables() throws SQLException {
      Map<String, List<Questions.ColumnText>> all = new LinkedHashMap<>(super.tables());
      spark.tables().forEach(name -> all.putIfAbsent(name, List.of()));
      return all;
    }

    @Override
    void tellLosses() {
      spark.gaps().forEach(QueryCommand.this::tellLosses);
    }

    @Override
    public void cancel() throws SQLException {
      spark.cancel();
      questions.cancel();
    }

    @Override
    public String question(String words) {
      throw new UsageException("ready questions are for --engine duckdb");
    }
  }

  private void tell(SQLException error) {
    if (QueryErrors.isMemory(error)) {
      terminal.warn(
          "not enough memory for the answer: memory_mb=%d; ask for less, or give more with --memory"
              .formatted(memory));
    } else {
      QueryErrors.text(error).lines().forEach(terminal::warn);
    }
  }

  private Questions.Settings settings() {
    boolean stream = format == AnswerFormat.csv || format == AnswerFormat.json;
    Questions.May may = unsafe ? Questions.May.REACH_FILES : Questions.May.CHANGE;
    return new Questions.Settings(stream, memory, may);
  }

  private void writeTables(Questions questions) throws SQLException {
    questions
        .tables()
        .forEach((name, columns) -> {
          terminal.line(name);
          for (Questions.ColumnText column : columns) {
            terminal.line(
                "  %-18s %-9s %s"
                    .formatted(column.name(), column.type(), column.meaning())
                    .stripTrailing());
          }
        });
    terminal.line("functions");
    for (Questions.FunctionText function : Questions.functions()) {
      String table = function.table() ? "table: " : "";
      terminal.line("  %s".formatted(function.call()));
      terminal.line("    %s%s".formatted(table, function.meaning()));
    }
  }

  private void writeFile(Asked asked, String sql, Path room, Path to)
      throws IOException, SQLException, NoAnswerException {
    try (OutputFile out = OutputFile.begin(to, false, force)) {
      Path written = room.resolve(ANSWER);
      asked.questions.write(asked.asked(sql), written, Questions.Form.PARQUET);
      Files.copy(written, out.unfinished(), StandardCopyOption.REPLACE_EXISTING);
      terminal.line("%s: %d bytes".formatted(to, out.finish()));
    }
  }

  /** An answer from what is left after a loss is a lower bound. */
  private void tellLosses(Map<String, ExportSource> sources) {
    sources.forEach((name, source) -> {
      long gaps = source.losses();
      if (gaps > 0) {
        tellLosses(name, gaps);
      }
    });
  }

  private void tellLosses(String recording, long gaps) {
    terminal.warn(
        "events were lost, numbers are at least what they seem: recording=%s gaps=%d; table gaps has them"
            .formatted(recording, gaps));
  }
}
