package dev.kymo.e2e.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import dev.kymo.e2e.kit.Programs;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Events of real programs on standard output, while they are recorded. */
@Timeout(600)
class StandardOutputTest {
  private static final int ROUNDS = 30_000;
  private static final Pattern ENTER = Pattern.compile("\\S+ \\S+ .* enter (\\S+)");
  private static final Pattern LOST = Pattern.compile("\\S+ \\S+ .* lost \\d+");

  @TempDir Path folder;

  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void endAll() {
    for (Process process : started) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private Path go() {
    return folder.resolve("go");
  }

  private Process record(List<String> options, List<String> program) throws Exception {
    List<String> words = new ArrayList<>(List.of("record", "-q", "-o", "-", "--delay", "0"));
    words.addAll(options);
    words.add("--");
    words.addAll(program);
    Process process = Kymo.start(folder, Map.of(), words.toArray(String[]::new));
    started.add(process);
    return process;
  }

  private List<String> java(String... more) {
    List<String> words = new ArrayList<>(List.of(Jdk.running().java().toString(), "-cp"));
    words.addAll(List.of(Programs.CLASSES.toString(), "Stepwise", go().toString()));
    words.addAll(List.of(more));
    return words;
  }

  private List<String> compiled(String... more) throws Exception {
    Path program =
        NativePrograms.compile(
            Path.of("src/native/stepwise.c").toAbsolutePath(),
            folder.resolve("stepwise"),
            "-finstrument-functions");
    List<String> words = new ArrayList<>(List.of(program.toString(), go().toString()));
    words.addAll(List.of(more));
    return words;
  }

  /** The calls of both functions. */
  private static int both(Map<String, Integer> calls) {
    return calls.getOrDefault("even", 0) + calls.getOrDefault("odd", 0);
  }

  /** Where the temporary recording of a recorder is: it holds a lock there. */
  private static Path scratch(Process record) throws IOException {
    try (var files = Files.list(Path.of("/proc/" + record.pid() + "/fd"))) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Path name = Files.readSymbolicLink(file);
        if (name.toString().contains("/kymo-console-") && name.endsWith(".alive")) {
          return Objects.requireNonNull(name.getParent());
        }
      }
    }
    throw new AssertionError("it has none");
  }

  private static String said(Process process) throws IOException {
    return new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  /** Counts lines up to one that has this text, or to the end. */
  private static void count(BufferedReader from, String text, Map<String, Integer> calls)
      throws IOException {
    String line = from.readLine();
    while (line != null && !line.contains(text)) {
      Matcher enter = ENTER.matcher(line);
      if (enter.matches()) {
        calls.merge(enter.group(1), 1, Integer::sum);
      } else if (LOST.matcher(line).matches()) {
        calls.merge("lost", 1, Integer::sum);
      }
      line = from.readLine();
    }
  }

  @Test
  void javaWithItsOwnOutputApart() throws Exception {
    Process record = record(List.of("--waits", "off", "--jvm-events", "off"), java("own output"));
    BufferedReader out = record.inputReader(StandardCharsets.UTF_8);
    Map<String, Integer> calls = new HashMap<>();
    count(out, "enter Stepwise.halfway", calls);
    assertThat(record.isAlive()).isTrue();
    Path scratch = scratch(record);
    assertThat(scratch.resolve("run.kymo/metadata")).exists();
    assertThat(calls).doesNotContainKey("Stepwise.done").containsEntry("Stepwise.work", 1);
    Files.createFile(go());
    count(out, "no such line", calls);
    assertThat(calls).containsEntry("Stepwise.work", 2).containsEntry("Stepwise.done", 1);
    assertThat(calls.keySet()).allMatch(name -> name.startsWith("Stepwise."));
    assertThat(said(record)).isEqualTo("own output\n");
    assertThat(record.waitFor()).isZero();
    assertThat(scratch).doesNotExist();
  }

  @Test
  void whatWasPrintedTakesNoSpace() throws Exception {
    Process record =
        record(
            List.of("--when-full", "block", "--spool-size", "1M"),
            compiled("own output", Integer.toString(ROUNDS)));
    BufferedReader out = record.inputReader(StandardCharsets.UTF_8);
    Map<String, Integer> calls = new HashMap<>();
    count(out, "enter halfway", calls);
    Path scratch = scratch(record);
    while (kilobytes(scratch) > 3072) { // 14 MB were recorded
      TimeUnit.MILLISECONDS.sleep(20);
    }
    assertThat(record.isAlive()).isTrue();
    Files.createFile(go());
    count(out, "no such line", calls);
    assertThat(both(calls)).isEqualTo(2 * 3 * callsOfAThread());
    assertThat(said(record)).isEqualTo("own output\n");
    assertThat(record.waitFor()).isZero();
    assertThat(scratch).doesNotExist();
  }

  private static int callsOfAThread() {
    int calls = 0;
    for (int i = 0; i < ROUNDS; i++) {
      calls += 1 + i % 9;
    }
    return calls;
  }

  private static long kilobytes(Path directory) throws Exception {
    return Long.parseLong(Kymo.exec(directory, "du", "-sk", ".").out().split("\\s+")[0]);
  }

  @Test
  void aReaderThatSleepsCostsEventsNotTime() throws Exception {
    Process record =
        record(
            List.of("--buffer", "128K", "--spool-size", "1M"),
            compiled("own output", Integer.toString(ROUNDS)));
    Files.createFile(go());
    Path scratch = scratchOnce(record);
    while (record
        .children()
        .anyMatch(child -> child.info().command().orElse("").endsWith("stepwise"))) {
      TimeUnit.MILLISECONDS.sleep(20); // it comes to its end, though nobody reads
    }
    Map<String, Integer> calls = new HashMap<>();
    count(record.inputReader(StandardCharsets.UTF_8), "no such line", calls);
    assertThat(calls.get("lost")).isPositive();
    assertThat(both(calls)).isBetween(1, 2 * 3 * callsOfAThread() - 1);
    assertThat(said(record)).isEqualTo("wn output\n");
    assertThat(record.waitFor()).isZero();
    assertThat(scratch).doesNotExist();
  }

  /** It says its first line when it has been started. */
  private static Path scratchOnce(Process record) throws IOException {
    assertThat(record.getErrorStream().read()).isEqualTo('o');
    return scratch(record);
  }

  @Test
  void aReaderThatHasSeenEnough() throws Exception {
    Process record = record(List.of(), compiled("own output"));
    BufferedReader out = record.inputReader(StandardCharsets.UTF_8);
    count(out, "enter halfway", new HashMap<>());
    Path scratch = scratch(record);
    out.close();
    Files.createFile(go());
    assertThat(said(record)).isEqualTo("own output\n");
    assertThat(record.waitFor()).as("the program's own").isZero();
    assertThat(scratch).doesNotExist();
  }

  @Test
  void nothingToRecord() throws Exception {
    Process record = record(List.of(), List.of("sh", "-c", "echo words; exit 5"));
    assertThat(record.getInputStream().readAllBytes()).isEmpty();
    assertThat(said(record)).startsWith("words\nkymo: nothing recorded: ");
    assertThat(record.waitFor()).isEqualTo(5);
  }

  @Test
  void oneLineAnEventForPrograms() throws Exception {
    Files.createFile(go());
    Process record =
        record(List.of("--format", "json", "--include", "Stepwise#done"), java("own output"));
    String out = new String(record.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(out.lines().filter(line -> line.contains("Stepwise.done")))
        .hasSize(2)
        .allMatch(line -> line.startsWith("{\"time\":") && line.endsWith("}"));
    assertThat(record.waitFor()).isZero();
  }
}
