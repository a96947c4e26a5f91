package dev.kymo.e2e.code;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.analysis.summary.MethodSummary;
import dev.kymo.analysis.summary.Summary;
import dev.kymo.analysis.summary.SummaryQuery;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import dev.kymo.format.Definition.MethodMode;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.ModeStep;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares native programs that count their own calls with their recordings within a budget. */
@Tag("native")
class NativeBudgetTest {
  private static final Path FLOOD = Path.of("src/native/flood.c").toAbsolutePath();
  private static final Path FUNCTIONS = Path.of("src/native/functions.c").toAbsolutePath();

  /** A budget so small that a function goes down with the first records that a thread writes. */
  private static final List<String> TINY = List.of("--budget", "0.1%", "--buffer", "128K");

  @TempDir Path folder;

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  private Path recording() {
    return folder.resolve("r.kymo");
  }

  private Path compile(Path source, String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of(options));
    all.add("-finstrument-functions");
    return NativePrograms.compile(source, folder.resolve("program"), all.toArray(String[]::new));
  }

  private List<String> command(List<String> options, Path program, String... arguments) {
    List<String> all = new ArrayList<>(List.of("record", "-q", "--when-full", "block"));
    all.addAll(options);
    all.addAll(List.of("-o", recording().toString(), "--", program.toString()));
    all.addAll(List.of(arguments));
    return all;
  }

  private Map<String, Long> record(List<String> options, Path program, String... arguments)
      throws Exception {
    Kymo.Result result = Kymo.run(command(options, program, arguments).toArray(String[]::new));
    assertThat(result.err()).isEmpty();
    Map<String, Long> own = new TreeMap<>();
    for (String line : result.out().lines().toList()) {
      String[] words = line.split(" ", -1);
      if (!words[1].equals("0")) {
        own.put(words[0], Long.parseLong(words[1]));
      }
    }
    return own;
  }

  private static List<MethodSummary> rows(CallPass pass) {
    return Summary.of(pass, SummaryQuery.ALL, (done, all) -> {}).rows();
  }

  /** The sum of all processes. */
  private static Map<String, Long> calls(List<MethodSummary> rows) {
    Map<String, Long> calls = new TreeMap<>();
    for (MethodSummary row : rows) {
      calls.merge(row.method().qualifiedName(), row.calls(), Long::sum);
    }
    calls.keySet().removeAll(List.of("main", "after"));
    return calls;
  }

  private static void assertWhole(CallPass pass) {
    for (ThreadCalls thread : pass.threads()) {
      assertThat(thread.counts().unmatchedLeaves()).isZero();
      assertThat(thread.counts().missingLeaves()).isZero();
    }
    assertThat(pass.oddities()).isEmpty();
  }

  private static long size(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }

  /** 24 million calls, 384 MB as events. */
  @Test
  void aFloodIsCountedAndSlowFunctionsAreEvents() throws Exception {
    Map<String, Long> own = record(List.of("--budget", "2%"), compile(FLOOD), "threads", "1000000");
    assertThat(own)
        .containsEntry("hot", 16_000_000L)
        .containsEntry("pair", 8_000_000L)
        .containsEntry("slow", 48L);
    try (Recording recording = Recording.open(recording())) {
      CallPass pass = CallPass.open(recording);
      List<MethodSummary> rows = rows(pass);
      assertThat(calls(rows)).isEqualTo(own);
      assertThat(row(rows, "slow").counted()).isZero();
      assertThat(row(rows, "outer").counted()).isZero();
      assertThat(row(rows, "hot").counted()).isGreaterThan(15_000_000);
      assertThat(row(rows, "pair").counted()).isGreaterThan(7_000_000);
      assertThat(rows).allMatch(row -> !row.leftOut() && !row.atLeast());
      assertWhole(pass);
      assertThat(pass.steps()).isNotEmpty().allSatisfy(NativeBudgetTest::isTold);
    }
    assertThat(size(recording())).isLessThan(8_000_000);
    assertThat(Kymo.run("info", recording().toString(), "--steps").out())
        .containsPattern(
            "hot: events -> timed by sample: \\d+ calls/s( of \\d+ ns)? on thread \"program\" cost"
                + " \\d+\\.\\d\\d % of its time, budget 2\\.00 %");
  }

  private static MethodSummary row(List<MethodSummary> rows, String name) {
    return rows.stream()
        .filter(row -> row.method().qualifiedName().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("not there: " + name));
  }

  private static void isTold(ModeStep step) {
    assertThat(step.mode()).isNotEqualTo(MethodMode.LEFT_OUT);
    assertThat(step.mode()).isNotEqualTo(step.before());
    assertThat(step.reason()).endsWith("budget 2.00 %");
  }

  @Test
  void withoutABudgetEveryCallIsAnEvent() throws Exception {
    Map<String, Long> own = record(List.of("--budget", "none"), compile(FLOOD), "threads", "20000");
    try (Recording recording = Recording.open(recording())) {
      CallPass pass = CallPass.open(recording);
      List<MethodSummary> rows = rows(pass);
      assertThat(calls(rows)).isEqualTo(own);
      assertThat(rows).allMatch(row -> row.counted() == 0);
      assertThat(pass.steps()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"recursion 18", "jumps 200000", "ticks 20000"})
  void everyCallOnce(String arguments) throws Exception {
    assertExact(record(TINY, compile(FLOOD), arguments.split(" ")));
  }

  /**
   * Stacks that are switched, left by jumps out of handlers, or deeper than the part of them that
   * is kept.
   */
  @ParameterizedTest
  @CsvSource({
    "calls 300000, ''",
    "calls 300000, -O0 -no-pie",
    "jumps 20000, ''",
    "threads 200 300, ''",
    "stacks 20000, ''",
    "deep 150000 0, ''"
  })
  void everyCallOnceHoweverItEnds(String arguments, String options) throws Exception {
    Path program = compile(FUNCTIONS, options.isEmpty() ? new String[0] : options.split(" "));
    assertExact(record(TINY, program, arguments.split(" ")));
  }

  private void assertExact(Map<String, Long> own) throws Exception {
    try (Recording recording = Recording.open(recording())) {
      CallPass pass = CallPass.open(recording);
      List<MethodSummary> rows = rows(pass);
      assertThat(calls(rows)).isEqualTo(own);
      assertThat(rows).anyMatch(row -> row.counted() > 0);
      assertWhole(pass);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tsc", "monotonic"})
  void aChildBeginsWithEvents(String clock) throws Exception {
    Path program = compile(FLOOD);
    List<String> options = new ArrayList<>(TINY);
    options.addAll(List.of("--clock", clock));
    Map<String, Long> own = record(options, program, "forks", "20000");
    try (Recording recording = Recording.open(recording())) {
      CallPass pass = CallPass.open(recording);
      Map<String, Long> calls = calls(rows(pass));
      // The child goes on in a call of its parent's, which counts once for each of them, and makes
      // calls of its own.
      own.merge("around", 1L, Long::sum);
      own.merge("hot", 10 + 20L, Long::sum);
      own.merge("outer", 1L, Long::sum);
      own.merge("pair", 10L, Long::sum);
      own.merge("recursive", 15L, Long::sum);
      assertThat(calls).isEqualTo(own);
      assertThat(pass.steps()).isNotEmpty();
      assertWhole(pass);
    }
  }

  /** The program's own counts, in a file, outlive it. */
  @Test
  void nothingIsLostByKill() throws Exception {
    Path program = compile(FLOOD);
    Path counts = folder.resolve("counts");
    Process process =
        Kymo.start(
            folder,
            Map.of(),
            command(List.of("--budget", "1%"), program, "forever", "0", counts.toString())
                .toArray(String[]::new));
    try {
      while (!Files.exists(counts) || Files.size(counts) < 16 || count(counts, 0) < 5_000_000) {
        assertThat(process.isAlive()).isTrue();
        Thread.sleep(5);
      }
    } finally {
      kill(process, program);
    }
    Kymo.finish(process, "");
    try (Recording recording = Recording.open(recording())) {
      CallPass pass = CallPass.open(recording);
      List<MethodSummary> rows = rows(pass);
      // On two threads, a call that had begun may not have counted itself when the program was
      // killed.
      assertThat(row(rows, "hot").calls() - count(counts, 0)).isBetween(0L, 2L);
      assertThat(row(rows, "pair").calls() - count(counts, 1)).isBetween(0L, 2L);
      assertThat(row(rows, "hot").counted()).isGreaterThan(0);
    }
  }

  /** Three functions, two steps each, some seconds apart. */
  @Test
  void whatHasCalmedDownIsEventsAgain() throws Exception {
    Path program = compile(FLOOD);
    Path stop = folder.resolve("stop");
    List<String> command =
        command(List.of("--budget", "5%"), program, "calms", "600000", stop.toString());
    Process process = Kymo.start(folder, Map.of(), command.toArray(String[]::new));
    for (int i = 0; i < 1200 && reasons().split("calm for ", -1).length < 7; i++) {
      Thread.sleep(100);
    }
    Files.createFile(stop);
    Kymo.Result result = Kymo.finish(process, "");
    assertThat(Kymo.run("info", recording().toString(), "--steps").out())
        .containsSubsequence(
            "hot: events -> timed",
            "hot: timed by sample -> timed: calm for ",
            "hot: timed -> events");
    try (Recording recording = Recording.open(recording())) {
      CallPass pass = CallPass.open(recording);
      List<MethodSummary> rows = rows(pass);
      for (String name : List.of("hot", "pair", "recursive")) {
        assertThat(result.out()).contains(name + " " + row(rows, name).calls() + "\n");
      }
      assertThat(rows).noneMatch(MethodSummary::atLeast);
      assertWhole(pass);
    }
  }

  /** The contents of the definitions while they are written, texts among them. */
  private String reasons() throws IOException {
    Path definitions = recording().resolve("p1-definitions");
    return Files.exists(definitions)
        ? Files.readString(definitions, StandardCharsets.ISO_8859_1)
        : "";
  }

  private static void kill(Process recorder, Path program) {
    recorder
        .descendants()
        .filter(child -> child.info().command().orElse("").equals(program.toString()))
        .forEach(ProcessHandle::destroyForcibly);
  }

  private static long count(Path counts, int function) throws IOException {
    byte[] bytes = Files.readAllBytes(counts);
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(8 * function);
  }
}
