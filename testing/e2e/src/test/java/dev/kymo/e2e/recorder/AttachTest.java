package dev.kymo.e2e.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Records a running program twice, and leaves it as it was. */
class AttachTest {
  /** The directory of a session of root's is open to all, so that they can join. */
  private static final String JOIN =
      "chmod 1733 $KYMO_SESSION && chmod 644 $KYMO_SESSION/session && exec runuser -u nobody -- \"$@\"";

  @TempDir Path folder;

  static List<Jdk> jdks() {
    return Jdk.all();
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void twiceForAWhile(Jdk jdk) throws Exception {
    Path end = folder.resolve("end");
    Process server = server(jdk, end);
    try {
      BufferedReader out = server.inputReader(StandardCharsets.UTF_8);
      assertThat(out.readLine()).isEqualTo("ready");
      for (int time = 0; time < 2; time++) {
        Path recording = folder.resolve(time + ".kymo");
        Kymo.Result result =
            Kymo.run(
                "record",
                "-q",
                "--strict",
                "--waits",
                "off",
                "-o",
                recording.toString(),
                "--pid",
                Long.toString(server.pid()),
                "--duration",
                time == 0 ? "400ms" : "250ms"); // the probes are measured at that time
        assertThat(result).isEqualTo(new Kymo.Result(0, "", ""));
        try (Recorded recorded = new Recorded(recording)) {
          assertThat(recorded.calls("Server.serve")).isPositive();
          assertThat(recorded.calls.keySet())
              .isSubsetOf("Server.serve", "Server.step", "Server.shift");
          assertThat(recorded.calls("Server.step"))
              .isBetween(
                  100 * (recorded.calls("Server.serve") - 2),
                  100 * (recorded.calls("Server.serve") + 1));
          assertThat(recorded.timeline.processes()).extracting("end").containsExactly("stopped");
        }
      }
      Files.createFile(end);
      assertThat(out.readLine()).isEqualTo("fine");
      assertThat(out.readLine()).as("threads left behind").isNull();
      assertThat(server.waitFor(600, TimeUnit.SECONDS)).isTrue();
      assertThat(server.exitValue()).isZero();
      assertThat(folder.resolve("err")).isEmptyFile();
      assertThat(Kymo.sharedMemory(folder)).isEmpty();
    } finally {
      server.destroyForcibly();
    }
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void aSecondRecorderIsToldOfTheFirst(Jdk jdk) throws Exception {
    Path end = folder.resolve("end");
    Process server = server(jdk, end);
    Process first = null;
    try {
      assertThat(server.inputReader(StandardCharsets.UTF_8).readLine()).isEqualTo("ready");
      String pid = Long.toString(server.pid());
      Path recording = folder.resolve("first.kymo");
      first =
          Kymo.start(folder, Map.of(), "record", "-q", "-o", recording.toString(), "--pid", pid);
      Kymo.awaitFile(recording.resolve("p1-ring-1"), first);
      Path second = folder.resolve("second.kymo");
      Kymo.Result result = Kymo.run("record", "-o", second.toString(), "--pid", pid);
      assertThat(result.exit()).isEqualTo(1);
      assertThat(result.err().lines())
          .containsExactly(
              "kymo: the agent did not start: pid="
                  + pid
                  + " reason=this process is recorded already: recording="
                  + recording);
      assertThat(second).doesNotExist();
      first.toHandle().destroy();
      assertThat(Kymo.finish(first, "").err()).isEmpty();
      Files.createFile(end);
      assertThat(server.waitFor(600, TimeUnit.SECONDS)).isTrue();
      assertThat(server.exitValue()).isZero();
      assertThat(folder.resolve("err")).isEmptyFile();
      assertThat(Kymo.sharedMemory(folder)).isEmpty();
    } finally {
      server.destroyForcibly();
      if (first != null) {
        first.destroyForcibly();
      }
    }
  }

  /** Otherwise the program has probes for nobody, and the recorder stays for ever. */
  @ParameterizedTest
  @MethodSource("jdks")
  void aRecordingThatIsGoneEndsByItself(Jdk jdk) throws Exception {
    Path more = folder.resolve("more");
    Path end = folder.resolve("end");
    List<String> words = List.of(jdk.java().toString(), "-cp", Programs.CLASSES.toString());
    List<String> command = new ArrayList<>(words);
    command.addAll(List.of("OneMore", more.toString(), end.toString()));
    Process program =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    Process recorder = null;
    try {
      BufferedReader out = program.inputReader(StandardCharsets.UTF_8);
      assertThat(out.readLine()).isEqualTo("ready");
      Path recording = folder.resolve("run.kymo");
      String pid = Long.toString(program.pid());
      recorder =
          Kymo.start(folder, Map.of(), "record", "-q", "-o", recording.toString(), "--pid", pid);
      Kymo.awaitFile(recording.resolve("p1-ring-1"), recorder);
      Files.move(recording, folder.resolve("elsewhere"));
      Files.createFile(more); // its thread needs a file
      Kymo.Result result = Kymo.finish(recorder, "");
      assertThat(result.err()).contains("the recording is not there any more");
      assertThat(result.exit()).isEqualTo(1);
      assertThat(program.isAlive()).isTrue();
      Files.createFile(end);
      assertThat(out.readLine()).isEqualTo("fine");
      assertThat(program.waitFor(600, TimeUnit.SECONDS)).isTrue();
      assertThat(program.exitValue()).isZero();
      assertThat(Kymo.sharedMemory(folder)).isEmpty();
    } finally {
      program.destroyForcibly();
      if (recorder != null) {
        recorder.destroyForcibly();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void rootRecordsAProgramThatRunsAsAnotherUser(Jdk jdk) throws Exception {
    assumeNobodyCanRun();
    Path classes = Files.createTempDirectory("kymo-other-user"); // the test's own folder is closed
    try {
      Files.setPosixFilePermissions(classes, PosixFilePermissions.fromString("rwxr-xr-x"));
      Programs.copy("Beside", classes);
      Path recording = folder.resolve("other.kymo");
      Kymo.Result result =
          Kymo.run(
              "record",
              "-q",
              "-o",
              recording.toString(),
              "--",
              "sh",
              "-c",
              JOIN,
              "sh",
              jdk.java().toString(),
              "-cp",
              classes.toString(),
              "Beside");
      assertThat(result.out()).isEqualTo("program 49\n");
      assertThat(result.exit()).isZero();
      try (Recorded recorded = new Recorded(recording)) {
        assertThat(recorded.calls("Beside.square")).isEqualTo(1);
      }
      assertThat(Kymo.sharedMemory(folder)).isEmpty();
    } finally {
      Files.deleteIfExists(classes.resolve("Beside.class"));
      Files.delete(classes);
    }
  }

  @Test
  void anOrdinaryUserRecordsAProgramOfItsOwn() throws Exception {
    assumeNobodyCanRun();
    Path place = Files.createTempDirectory("kymo-ordinary"); // the test's own folder is closed
    try {
      Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwxrwxrwx"));
      Programs.copy("Server", place);
      List<String> words = new ArrayList<>(List.of("runuser", "-u", "nobody", "--", "sh", "-c"));
      words.add(
          """
          java=$1; shift
          : >out # it is looked for at once
          "$java" -XX:+EnableDynamicAgentLoading -cp . Server end >out & program=$!
          until grep -q ready out; do sleep 0.1; done
          "$@" record -q -o r.kymo --pid $program --duration 300ms; status=$?
          touch end; wait $program && exit $status
          """);
      words.addAll(List.of("sh", Jdk.running().java().toString()));
      words.addAll(Kymo.command());
      assertThat(Kymo.exec(place, words.toArray(String[]::new)))
          .isEqualTo(new Kymo.Result(0, "", ""));
      try (Recorded recorded = new Recorded(place.resolve("r.kymo"))) {
        assertThat(recorded.calls("Server.serve")).isPositive();
      }
    } finally {
      Kymo.exec(folder, "rm", "-rf", place.toString());
    }
  }

  /** Skips the test unless root can run what is installed as nobody. */
  private void assumeNobodyCanRun() throws Exception {
    assumeTrue(
        System.getProperty("user.name").equals("root")
            && Files.isExecutable(Path.of("/usr/sbin/runuser")),
        "needs root and runuser");
    assumeTrue(
        Kymo.exec(folder, "runuser", "-u", "nobody", "--", "cat", Kymo.AGENT.toString()).exit()
            == 0,
        "needs an installation that user nobody can read");
  }

  private Process server(Jdk jdk, Path end) throws Exception {
    List<String> command =
        List.of(
            jdk.java().toString(),
            "-XX:+EnableDynamicAgentLoading",
            "-cp",
            Programs.CLASSES.toString(),
            "Server",
            end.toString());
    return new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.to(folder.resolve("err").toFile()))
        .start();
  }
}
