package dev.kymo.e2e.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The agent's jar, and nothing else of Kymo, records a program. */
class AloneTest {
  @TempDir Path folder;
  private Path agent;

  static List<Jdk> jdks() {
    return Jdk.all();
  }

  @BeforeEach
  void takeTheJar() throws IOException {
    agent = Files.copy(Kymo.AGENT, folder.resolve("kymo-agent.jar"));
  }

  private List<String> command(Jdk jdk, String options, String... program) {
    List<String> words = new ArrayList<>();
    words.add(jdk.java().toString());
    words.add("-javaagent:" + agent + "=" + options);
    words.addAll(List.of("-cp", Programs.CLASSES.toString()));
    words.addAll(Arrays.asList(program));
    return words;
  }

  private Kymo.Result run(Jdk jdk, String options, String... program) throws Exception {
    return Kymo.exec(folder, command(jdk, options, program).toArray(String[]::new));
  }

  /** The memory that the recording's rings were in. */
  private static Path memory(Path recording) throws IOException {
    return Path.of(Files.readString(recording.resolve(".rings")).strip());
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void eachCallIsRecorded(Jdk jdk) throws Exception {
    Kymo.Result result =
        run(jdk, "out=run.kymo,budget=none,when-full=block,strict", "OwnCounts", "2", "0.3", "50");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.err()).contains("kymo view " + folder.toRealPath().resolve("run.kymo"));
    try (Recorded recorded = new Recorded(folder.resolve("run.kymo"))) {
      for (String line : result.out().lines().toList()) {
        String[] words = line.split(" ");
        assertThat(recorded.calls(words[0])).as(line).isEqualTo(Long.parseLong(words[1]));
      }
      assertThat(recorded.unbalanced).isEmpty();
      assertThat(recorded.timeline.processes()).extracting("end").containsExactly("ended");
      assertThat(recorded.tracks()).noneMatch(track -> track.name().startsWith("kymo"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "out=r.kymo,budgt=3%|unknown option: budgt",
        "out=r.kymo,quiet=yes|option quiet has no value",
        "out=r.kymo,budget|option budget needs a value: budget=...",
        "budget=many|option budget: 'many' is not a budget, write for example 3% or none",
        "out=r.kymo,when-full=stop|option when-full: 'stop' is not one of discard, block, overwrite",
        "out=r.kymo,kernel=all|option kernel goes with kymo record, not with the agent alone",
        "out=r.kymo,,quiet|unknown option: ",
      })
  void aWrongOptionIsNamedAndNothingBegins(String options, String message) throws Exception {
    Kymo.Result result = run(Jdk.running(), options, "OwnCounts", "1", "0.1", "1");
    assertThat(result.err()).startsWith("kymo: " + message);
    assertThat(result.out()).isEmpty();
    assertThat(result.exit()).isEqualTo(2);
  }

  /** A program that is started again has its recording already. */
  @Test
  void whereItCannotRecordTheProgramRuns() throws Exception {
    Files.createDirectory(folder.resolve("run.kymo"));
    Kymo.Result result = run(Jdk.running(), "out=run.kymo", "OwnCounts", "1", "0.1", "1");
    assertThat(result.exit()).isZero();
    assertThat(result.out()).contains("OwnCounts.main 1");
    assertThat(result.err()).contains("runs on unrecorded: recording exists already");
    Kymo.Result named = run(Jdk.running(), "out=run-%p.kymo,quiet", "OwnCounts", "1", "0.1", "1");
    assertThat(named.err()).isEmpty();
    try (var made = Files.list(folder)) {
      assertThat(made.map(path -> path.getFileName().toString()))
          .anyMatch(name -> name.matches("run-\\d+\\.kymo"));
    }
  }

  /** What one learns of kymo record is true of the agent, or it says that it is not. */
  @Test
  void eachOptionOfTheCommandIsKnown() throws Exception {
    List<String> options =
        Pattern.compile("(?m)^ {2,6}(?:-\\w, )?--([a-z-]+)")
            .matcher(Kymo.run("record", "--help").out())
            .results()
            .map((MatchResult result) -> result.group(1))
            .toList();
    assertThat(options).hasSizeGreaterThan(40);
    for (String option : options) {
      Kymo.Result result = run(Jdk.running(), option + ",quiet=no", "OwnCounts", "1", "0.1", "1");
      assertThat(result.err()).as(option).startsWith("kymo: ").doesNotContain("unknown option");
    }
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void childrenJoin(Jdk jdk) throws Exception {
    Kymo.Result result = run(jdk, "out=run.kymo,budget=none,strict", "Parent");
    assertThat(result.out()).as(result.err()).contains("child marked\n").contains("parent 0 true");
    try (Recorded recorded = new Recorded(folder.resolve("run.kymo"))) {
      assertThat(recorded.timeline.processes()).hasSize(3);
      assertThat(recorded.calls("Parent.child")).isEqualTo(2);
    }
  }

  /** With the library in C that is in the jar. */
  @Test
  void messagesAreRecorded() throws Exception {
    assumeTrue(Files.exists(Kymo.AGENT.resolveSibling("libkymo-agent.so")), "skipped: no gcc");
    Kymo.Result result = run(Jdk.running(), "out=run.kymo,budget=none,strict,messages", "Spoken");
    assertThat(result.exit()).as(result.err()).isZero();
    try (Recorded recorded = new Recorded(folder.resolve("run.kymo"))) {
      assertThat(recorded.ownEvents().get("socket.write")).hasSize(22);
      assertThat(recorded.ownEvents().get("http.request")).hasSize(14);
    }
  }

  @Test
  void theRestOfAKilledProgramIsTakenLater() throws Exception {
    Process program =
        new ProcessBuilder(
                command(
                    Jdk.running(),
                    "out=run.kymo,budget=none,flush=1h",
                    "Steady",
                    folder.resolve("never").toString()))
            .directory(folder.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    Path memory;
    try (BufferedReader out = program.inputReader()) {
      assertThat(out.readLine()).isEqualTo("ready");
      Thread.sleep(500); // some calls
      memory = memory(folder.resolve("run.kymo"));
      assertThat(memory).exists();
    } finally {
      program.destroyForcibly().waitFor();
    }
    Kymo.Result info = Kymo.run("info", folder.resolve("run.kymo").toString());
    assertThat(info.exit()).as(info.err()).isZero();
    assertThat(info.out()).contains("the recorder was killed");
    assertThat(memory).doesNotExist();
    try (Recorded recorded = new Recorded(folder.resolve("run.kymo"))) {
      assertThat(recorded.calls("Steady.step")).isPositive();
    }
  }

  @Test
  void itEndsAtItsFullSize() throws Exception {
    Kymo.Result result =
        run(
            Jdk.running(),
            "out=run.kymo,budget=none,max-size=1M,buffer=128K",
            "OwnCounts",
            "1",
            "1",
            "1");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.err()).contains("because it reached its maximum size: max_size=1.0 MB");
    try (Recorded recorded = new Recorded(folder.resolve("run.kymo"))) {
      assertThat(recorded.timeline.processes()).extracting("end").containsExactly("stopped");
    }
  }

  /** A program that runs already, by the JDK's own tool. */
  @ParameterizedTest
  @MethodSource("jdks")
  void jcmdCanLoadIt(Jdk jdk) throws Exception {
    Path end = folder.resolve("end");
    Process program =
        new ProcessBuilder(
                jdk.java().toString(), "-cp", Programs.CLASSES.toString(), "Steady", end.toString())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    try (BufferedReader out = program.inputReader()) {
      assertThat(out.readLine()).isEqualTo("ready");
      Kymo.Result loaded =
          Kymo.exec(
              folder,
              jdk.home().resolve("bin/jcmd").toString(),
              Long.toString(program.pid()),
              "JVMTI.agent_load",
              agent.toString(),
              "\"out=run.kymo,budget=none\""); // else jcmd takes what is before = for itself
      assertThat(loaded.exit()).as(loaded.out()).isZero();
      Path recording = folder.resolve("run.kymo");
      long calls = 0;
      while (calls == 0) {
        Thread.sleep(100);
        try (Recorded recorded = new Recorded(recording)) {
          calls = recorded.calls("Steady.step");
        }
      }
      Files.createFile(end);
      assertThat(program.waitFor()).isZero();
      try (Recorded recorded = new Recorded(recording)) {
        assertThat(recorded.calls("Steady.step")).isGreaterThan(calls);
        assertThat(recorded.timeline.processes()).extracting("end").containsExactly("ended");
      }
    } finally {
      program.destroyForcibly().waitFor();
    }
  }
}
