package dev.kymo.e2e.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.analysis.summary.MethodSummary;
import dev.kymo.analysis.summary.Summary;
import dev.kymo.analysis.summary.SummaryQuery;
import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.format.Definition.MethodMode;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.ModeStep;
import dev.kymo.reader.Recording;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A program that is recorded again begins in the state of the end of the run before. */
class MemoryTest {
  /** What one run has kept, for tests that begin with the second. */
  @TempDir static Path kept;

  @TempDir Path folder;

  private Path cache;
  private Path classes = Programs.CLASSES;
  private int runs;

  /** What a recording says, and what the program prints about itself. */
  private record Run(
      Path recording,
      Map<String, Long> own,
      Map<String, MethodSummary> recorded,
      List<ModeStep> steps,
      Map<Integer, String> names,
      List<String> notices) {

    /** Methods that began with the mode of the run before, and that mode. */
    Map<String, Integer> remembered() {
      Map<String, Integer> modes = new HashMap<>();
      for (ModeStep step : steps) {
        if (MethodMode.rateBefore(step.reason()) >= 0) {
          modes.put(names.get(step.method()), step.mode());
        }
      }
      return modes;
    }
  }

  static List<Jdk> jdks() {
    return Jdk.all();
  }

  @BeforeEach
  void choosePlace() {
    cache = folder.resolve("cache");
  }

  /** Begins with what a first run has kept. */
  private void afterAFirstRun() throws Exception {
    Path first = kept.resolve("first");
    if (!Files.exists(first)) {
      record(Jdk.running());
      Files.move(cache, first);
    }
    try (var files = Files.walk(first)) {
      for (Path file : files.toList()) {
        Files.copy(file, cache.resolve(first.relativize(file).toString()));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void theSecondRunBeginsAsTheFirstEnded(Jdk jdk) throws Exception {
    Run first = record(jdk);
    assertThat(first.remembered()).isEmpty();
    Map<String, Set<Integer>> before = new HashMap<>();
    for (ModeStep step : first.steps) {
      before
          .computeIfAbsent(first.names.get(step.method()), name -> new HashSet<>())
          // Methods that were about to lose their probes begin without them.
          .addAll(List.of(step.mode(), MethodMode.LEFT_OUT));
    }
    Run second = record(jdk);
    Map<String, Integer> remembered = second.remembered();
    assertThat(remembered).isNotEmpty();
    remembered.forEach((method, mode) -> assertThat(before.get(method)).as(method).contains(mode));
    second.own.forEach((method, calls) -> {
      MethodSummary row = second.recorded.get(method);
      if (remembered.getOrDefault(method, MethodMode.EVENTS) == MethodMode.LEFT_OUT) {
        assertThat(row == null || row.atLeast()).as(method).isTrue();
      } else if (row != null && !row.leftOut()) {
        assertThat(row.calls()).as(method).isEqualTo(calls);
      }
    });
  }

  @Tag("memory")
  @Test
  void reportAndInfoSayIt() throws Exception {
    afterAFirstRun();
    Run second = record(Jdk.running());
    assertThat(second.remembered()).containsValue(MethodMode.LEFT_OUT);
    assertThat(Kymo.run("info", second.recording.toString()).out())
        .containsPattern("remembered +\\d+ methods began as in the run before: .* left out");
    assertThat(Kymo.run("report", second.recording.toString()).out())
        .containsPattern(
            "left out from the beginning, as in the run before .*OwnCounts\\.\\w+ \\(");
  }

  @Test
  void onlyIfItIsWanted() throws Exception {
    record(Jdk.running(), "--no-memory");
    assertThat(cache).doesNotExist();
    afterAFirstRun();
    assertThat(record(Jdk.running(), "--no-memory").remembered()).isEmpty();
    assertThat(record(Jdk.running(), "--budget", "none").remembered()).isEmpty();
    assertThat(record(Jdk.running(), "--exclude", "Nothing").remembered()).isEmpty();
    assertThat(record(Jdk.running()).remembered()).isNotEmpty();
    assertThat(forget("Nobody")).contains("no such program");
    assertThat(memories()).isNotEmpty();
    assertThat(forget("OwnCounts")).contains("forgotten: OwnCounts");
    assertThat(memories()).isEmpty();
  }

  @Tag("memory")
  @Test
  void aClassThatHasChangedBeginsAnew() throws Exception {
    classes = Files.createDirectory(folder.resolve("classes"));
    Programs.compile(Programs.SOURCES.resolve("OwnCounts.java"), 17, classes);
    record(Jdk.running());
    Path changed = folder.resolve("OwnCounts.java");
    String source = Files.readString(Programs.SOURCES.resolve("OwnCounts.java"));
    Files.writeString(changed, source.replace("extends Thread {", "extends Thread { int more;"));
    Programs.compile(changed, 17, classes);
    assertThat(record(Jdk.running()).remembered()).isEmpty();
    assertThat(record(Jdk.running()).remembered()).isNotEmpty();
  }

  @Tag("memory")
  @Test
  void damagedMemoryIsAsNone() throws Exception {
    afterAFirstRun();
    for (Path file : memories()) {
      byte[] bytes = Files.readAllBytes(file);
      bytes[bytes.length / 2] ^= 1;
      Files.write(file, bytes);
    }
    assertThat(record(Jdk.running()).remembered()).isEmpty();
    assertThat(record(Jdk.running()).remembered()).isNotEmpty();
  }

  @Tag("memory")
  @Test
  void whereNothingCanBeKeptTheProgramRunsOn() throws Exception {
    cache = Files.createFile(folder.resolve("file"));
    assertThat(record(Jdk.running()).notices)
        .anyMatch(notice -> notice.startsWith("what this run has found out is not kept"));
    assertThat(record(Jdk.running()).remembered()).isEmpty();
  }

  @Tag("memory")
  @Test
  void twoAtOnce() throws Exception {
    afterAFirstRun();
    Process other = start(folder.resolve("other.kymo"), Jdk.running());
    Run run = record(Jdk.running());
    assertThat(Kymo.finish(other, "").exit()).isZero();
    assertThat(run.remembered()).isNotEmpty();
    assertThat(record(Jdk.running()).remembered()).isNotEmpty();
    assertThat(memories()).hasSize(1);
  }

  private List<Path> memories() throws Exception {
    try (var files = Files.list(cache.resolve("kymo/memory"))) {
      return files.toList();
    }
  }

  private String forget(String name) throws Exception {
    return Kymo.runIn(folder, Map.of("XDG_CACHE_HOME", cache.toString()), "", "forget", name).out();
  }

  private Process start(Path output, Jdk jdk, String... options) throws Exception {
    List<String> command = new ArrayList<>(List.of("record", "-q", "--strict"));
    command.addAll(List.of(options));
    if (!command.contains("--budget")) {
      command.addAll(List.of("--budget", "1%"));
    }
    command.addAll(List.of("--when-full", "block", "-o", output.toString(), "--"));
    command.addAll(List.of(jdk.java().toString(), "-cp", classes.toString(), "OwnCounts"));
    command.addAll(List.of("1", command.contains("none") ? "0.3" : "2", "50"));
    // The same program begun elsewhere is another one.
    return Kymo.start(
        kept, Map.of("XDG_CACHE_HOME", cache.toString()), command.toArray(String[]::new));
  }

  private Run record(Jdk jdk, String... options) throws Exception {
    Path recording = folder.resolve("r%d.kymo".formatted(++runs));
    Kymo.Result result = Kymo.finish(start(recording, jdk, options), "");
    assertThat(result.exit()).as(result.err()).isZero();
    Map<String, Long> own = new HashMap<>();
    for (String line : result.out().lines().toList()) {
      own.put(line.split(" ")[0], Long.parseLong(line.split(" ")[1]));
    }
    try (Recording open = Recording.open(recording)) {
      CallPass pass = CallPass.open(open);
      assertBalanced(pass);
      Map<String, MethodSummary> rows = new HashMap<>();
      for (MethodSummary row : Summary.of(pass, SummaryQuery.ALL, (done, all) -> {}).rows()) {
        rows.put(row.method().qualifiedName(), row);
      }
      Map<Integer, String> names = new HashMap<>();
      for (ModeStep step : pass.steps()) {
        names.put(step.method(), pass.definitions().methods().get(step.method()).qualifiedName());
      }
      List<String> notices =
          pass.definitions().notices().stream().map(notice -> notice.text()).toList();
      return new Run(recording, own, rows, List.copyOf(pass.steps()), names, notices);
    }
  }

  private static void assertBalanced(CallPass pass) {
    for (ThreadCalls thread : pass.threads()) {
      assertThat(thread.counts().unmatchedLeaves()).isZero();
      assertThat(thread.counts().missingLeaves()).isZero();
    }
    assertThat(pass.oddities()).isEmpty();
  }
}
