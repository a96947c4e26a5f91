package dev.kymo.cli.query.spark;

import dev.kymo.cli.terminal.Terminal;
import dev.kymo.model.index.Scratch;
import dev.kymo.query.ask.Questions;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks Spark, in a process of its own, which ends when this one does. How they talk is told there,
 * by the class {@code dev.kymo.spark.Driver}.
 */
public final class Spark implements AutoCloseable {
  /** What Spark needs for itself, megabytes. */
  private static final long OWN_MEGABYTES = 768;

  private static final long PATIENCE_SECONDS = 10;
  private static final int LAST_LINES = 3;

  /** Of how they talk; {@code dev.kymo.spark.Opening} has it, too. */
  private static final String VERSION = "1";

  private static final String DRIVER = "dev.kymo.spark.Driver";
  private static final String SAY = "say ";
  private static final String ERROR = "error";

  /** An interrupt from the terminal ends a question, not Spark. */
  private static final List<String> UNINTERRUPTED =
      List.of("/bin/sh", "-c", "trap '' INT; exec \"$@\"", "sh");

  private final Path room;
  private final Terminal terminal;
  private final Process process;
  private final BufferedReader out;
  private final BufferedWriter in;
  private final Set<String> written = new HashSet<>();
  private Map<String, Long> gaps = Map.of();
  private List<String> tables = List.of();
  private @Nullable Path last;
  private int number;

  private Spark(Path room, Terminal terminal, Process process) {
    this.room = room;
    this.terminal = terminal;
    this.process = process;
    this.out = process.inputReader(StandardCharsets.UTF_8);
    this.in = process.outputWriter(StandardCharsets.UTF_8);
  }

  /** How questions are answered. */
  public record Settings(EngineOptions options, boolean unsafe, long megabytes) {}

  /**
   * Starts Spark.
   *
   * @param room an empty directory for files
   * @throws dev.kymo.cli.terminal.UsageException if it is not there
   * @throws NoAnswerException if it cannot be reached, or a directory of tables cannot be read
   */
  public static Spark open(
      Settings settings, AskedRecordings recorded, Path room, Terminal terminal)
      throws IOException, NoAnswerException {
    SparkFiles files = SparkFiles.find(System.getenv());
    Exchanged opening = new Exchanged();
    opening.put("version", VERSION);
    opening.put("master", settings.options.master());
    opening.put("unsafe", settings.unsafe);
    settings.options.settings().forEach((name, value) -> opening.put("setting." + name, value));
    opening.put("recording", recorded.recordings());
    opening.put("table", recorded.tables());
    opening.put("directory", recorded.directories());
    opening.write(room.resolve("opening"));
    Files.createDirectory(room.resolve("tables"));
    List<String> command = new ArrayList<>(UNINTERRUPTED);
    command.addAll(command(files, room, settings.megabytes));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(settings.options.environment());
    Process process =
        builder.redirectError(room.resolve("log").toFile()).directory(room.toFile()).start();
    Spark spark = new Spark(room, terminal, process);
    terminal.cleanup().add(spark::close);
    spark.await(room);
    Exchanged opened = Exchanged.read(room.resolve("opened"));
    spark.gaps = opened.numbers("gaps.");
    spark.tables = opened.list("table");
    return spark;
  }

  private static List<String> command(SparkFiles files, Path room, long megabytes)
      throws IOException {
    Path temporary = Files.createDirectory(room.resolve("tmp"));
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx%dm".formatted(OWN_MEGABYTES + megabytes),
        "-Djava.io.tmpdir=" + temporary,
        "@" + files.options(),
        "-cp",
        files.classPath(),
        DRIVER,
        room.toString());
  }

  /** How many losses the recordings of directories have, by their names. */
  public Map<String, Long> gaps() {
    return gaps;
  }

  /** The names of tables that directories have. */
  public List<String> tables() {
    return tables;
  }

  /**
   * Asks a question.
   *
   * @param questions about the recordings that are read here
   * @param rows how many rows of the answer are wanted at most
   * @return a question to these, whose answer is Spark's; until the next question is asked
   */
  public String ask(Questions questions, String sql, long rows)
      throws IOException, SQLException, NoAnswerException {
    if (last != null) {
      Scratch.delete(last);
    }
    Path place = Files.createDirectory(room.resolve(Integer.toString(number++)));
    last = place;
    List<Questions.Written> tablesOf = questions.writeNamed(sql, room.resolve("tables"), written);
    Exchanged request = new Exchanged();
    request.put("sql", sql);
    request.put("rows", rows);
    request.put("table.group", tablesOf.stream().map(Questions.Written::group).toList());
    request.put("table.name", tablesOf.stream().map(Questions.Written::name).toList());
    request.put(
        "table.file",
        tablesOf.stream().map(table -> AskedRecordings.address(table.file())).toList());
    request.write(place.resolve("request"));
    send(place.getFileName().toString());
    await(place);
    Exchanged answer = Exchanged.read(place.resolve("answer"));
    return Questions.given(place.resolve("rows"), answer.list("name"), answer.list("type"));
  }

  /** Ends the question that is being answered. */
  public void cancel() {
    try {
      send("cancel");
    } catch (IOException e) {
      // it has ended already
    }
  }

  private synchronized void send(String line) throws IOException {
    in.write(line + '\n');
    in.flush();
  }

  /** Waits until it has done something, and passes on what it says meanwhile. */
  private void await(Path place) throws IOException, NoAnswerException {
    String line = out.readLine();
    while (line != null && line.startsWith(SAY)) {
      terminal.warn(line.substring(SAY.length()));
      line = out.readLine();
    }
    for (Path each : List.of(place, room)) {
      Path error = each.resolve(ERROR);
      if (Files.exists(error)) {
        throw new NoAnswerException(Files.readString(error));
      }
    }
    if (line == null) {
      throw new NoAnswerException(
          "Spark has ended without an answer: last=\"%s\"".formatted(lastWords()));
    }
  }

  private String lastWords() throws IOException {
    List<String> lines =
        Files.readAllLines(room.resolve("log")).stream().filter(each -> !each.isBlank()).toList();
    return String.join("; ", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException e) {
      // it has ended already
    }
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
