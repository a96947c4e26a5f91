package dev.kymo.e2e.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.reader.Recording;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real programs are printed while they are recorded: what they did before they wait is there while
 * they wait, and in the end it is what {@code kymo print} prints of the recording.
 */
@Timeout(600)
class FollowedPrintTest {
  private static final String CLOCK = "monotonic"; // its frequency is known from the beginning

  @TempDir Path folder;

  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void endAll() throws Exception {
    if (!Files.exists(go())) {
      Files.createFile(go()); // a program may have lost its recorder
    }
    for (Process process : started) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private Path recording() {
    return folder.resolve("run.kymo");
  }

  private Path go() {
    return folder.resolve("go");
  }

  private Process start(String... arguments) throws Exception {
    Process process = Kymo.start(folder, Map.of(), arguments);
    started.add(process);
    return process;
  }

  /** Begins to record a program that waits; it is there when the recording is. */
  private Process record(List<String> options, List<String> program) throws Exception {
    List<String> words = new ArrayList<>(List.of("record", "-q", "--clock", CLOCK));
    words.addAll(options);
    words.addAll(List.of("-o", recording().toString(), "--"));
    words.addAll(program);
    Process record = start(words.toArray(String[]::new));
    while (!Recording.isRecording(recording())) {
      assertThat(record.isAlive()).isTrue();
      TimeUnit.MILLISECONDS.sleep(5);
    }
    return record;
  }

  private List<String> java() {
    return List.of(
        Jdk.running().java().toString(),
        "-cp",
        Programs.CLASSES.toString(),
        "Stepwise",
        go().toString());
  }

  private List<String> compiled() throws Exception {
    Path program =
        NativePrograms.compile(
            Path.of("src/native/stepwise.c").toAbsolutePath(),
            folder.resolve("stepwise"),
            "-finstrument-functions");
    return List.of(program.toString(), go().toString());
  }

  private Process follow(String... options) throws Exception {
    List<String> words = new ArrayList<>(List.of("print", "--follow"));
    words.addAll(List.of(options));
    words.add(recording().toString());
    return start(words.toArray(String[]::new));
  }

  /** Reads lines up to the first that has this text. */
  private static String upTo(BufferedReader from, String text) throws Exception {
    StringBuilder all = new StringBuilder();
    String line;
    do {
      line = from.readLine();
      assertThat(line).as("it ended, and %s was not in\n%s", text, all).isNotNull();
      all.append(line).append('\n');
    } while (!line.contains(text));
    return all.toString();
  }

  private static BufferedReader lines(Process process) {
    return process.inputReader(StandardCharsets.UTF_8);
  }

  private static String rest(BufferedReader from) throws Exception {
    StringBuilder all = new StringBuilder();
    for (String line = from.readLine(); line != null; line = from.readLine()) {
      all.append(line).append('\n');
    }
    return all.toString();
  }

  private static void ended(Process process) throws Exception {
    String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(said).isEmpty();
    assertThat(process.waitFor()).isZero();
  }

  /**
   * Follows a program to its end.
   *
   * @param begin of the names of its functions in lines
   */
  private void sameLines(Process record, String begin, String... options) throws Exception {
    Process print = follow(options);
    BufferedReader out = lines(print);
    String first = upTo(out, begin + "halfway");
    assertThat(record.isAlive()).as("the program waits").isTrue();
    assertThat(first).doesNotContain(begin + "done");
    Files.createFile(go());
    String all = first + rest(out);
    ended(print);
    ended(record);
    List<String> whole = new ArrayList<>(List.of("print"));
    whole.addAll(List.of(options));
    whole.removeAll(List.of("--delay", "0"));
    whole.add(recording().toString());
    Kymo.Result printed = Kymo.run(whole.toArray(String[]::new));
    assertThat(printed.err()).isEmpty();
    assertThat(all).isEqualTo(printed.out()).contains(begin + "done");
  }

  private Process recordJava() throws Exception {
    return record(List.of("--waits", "off", "--jvm-events", "off", "--when-full", "block"), java());
  }

  private Process recordNative() throws Exception {
    return record(List.of("--when-full", "block"), compiled());
  }

  @Test
  void javaThreads() throws Exception {
    sameLines(recordJava(), "enter Stepwise.", "--delay", "0");
  }

  @Test
  void definitionsWithTheUsualDelay() throws Exception {
    sameLines(recordJava(), "enter Stepwise.", "--definitions");
  }

  @Test
  void nativeThreads() throws Exception {
    sameLines(recordNative(), "enter ", "--delay", "0");
  }

  @Test
  void chosenEventsAsJson() throws Exception {
    sameLines(
        recordNative(),
        "\"subject\":\"",
        "--json",
        "--delay",
        "0",
        "--event",
        "halfway",
        "--event",
        "done",
        "--event",
        "work",
        "--process",
        "1");
  }

  @Test
  void whatIsKnownLateIsThereAsWell() throws Exception {
    Process record = record(List.of("--waits", "on", "--jvm-events", "on"), java());
    Process print = follow("--delay", "0");
    BufferedReader out = lines(print);
    String first = upTo(out, "enter Stepwise.halfway");
    Files.createFile(go());
    List<String> all = withoutTimes(first + rest(out));
    ended(print);
    ended(record);
    List<String> whole = withoutTimes(Kymo.run("print", recording().toString()).out());
    assertThat(all).containsExactlyInAnyOrderElementsOf(whole).anyMatch(l -> l.contains("sleep"));
  }

  private static List<String> withoutTimes(String lines) {
    return lines.lines().map(line -> line.replaceFirst("^\\S+", "")).toList();
  }

  @Test
  void aKilledRecorderLosesNothing() throws Exception {
    Process record = recordJava();
    Process print = follow("--delay", "0");
    BufferedReader out = lines(print);
    String first = upTo(out, "leave Stepwise.halfway");
    record.destroyForcibly().waitFor();
    String all = first + rest(out);
    ended(print);
    Files.createFile(go());
    Kymo.Result printed = Kymo.run("print", recording().toString());
    assertThat(printed.err()).isEmpty();
    assertThat(all).isEqualTo(printed.out()).contains("halfway").doesNotContain("done");
    record.descendants().forEach(ProcessHandle::destroyForcibly);
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  @Test
  void aReaderThatHasSeenEnough() throws Exception {
    Process record = recordNative();
    Process print = follow("--delay", "0");
    BufferedReader out = lines(print);
    upTo(out, "enter halfway");
    out.close();
    Files.createFile(go());
    assertThat(print.waitFor()).isZero();
    assertThat(print.getErrorStream().readAllBytes()).isEmpty();
    ended(record);
  }

  @Test
  void aFlightRecorderHasNothingBeforeItsEnd() throws Exception {
    Process record = record(List.of("--when-full", "overwrite"), compiled());
    Process print = follow();
    BufferedReader out = lines(print);
    BufferedReader said = print.errorReader(StandardCharsets.UTF_8);
    assertThat(said.readLine())
        .isEqualTo(
            "kymo: this recording keeps the newest events, and has none before it ends: path="
                + recording());
    Files.createFile(go());
    assertThat(rest(out))
        .contains("enter done")
        .isEqualTo(Kymo.run("print", recording().toString()).out());
    assertThat(print.waitFor()).isZero();
    ended(record);
  }
}
