package dev.kymo.e2e.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A program exits when it wants to: the recorder does not delay it. */
class ExitTest {
  /** Exits at random moments, in each of two series; more of them with {@code -Dkymo.exits=}. */
  private static final int EXITS = Integer.getInteger("kymo.exits", 5);

  /**
   * Starts several times a program that loads the agent itself and exits at the same time; prints
   * how each run ended. Arguments: java, class path, times, thread that the exit follows, and
   * within how many microseconds.
   */
  private static final String LOOP =
      """
      agent=${JAVA_TOOL_OPTIONS#-javaagent:}
      unset JAVA_TOOL_OPTIONS
      export KYMO_SESSION= # else a program that is started gets what it lacks
      seed=$$
      for i in $(seq $2); do
        seed=$(( (seed * 1103515245 + 12345) % 2147483648 ))
        timeout -s KILL 120 $0 -XX:+EnableDynamicAgentLoading -Djdk.attach.allowAttachSelf=true \\
          -cp $1 Exiting ${agent%%=*} ${agent#*=} "$3" $((seed / 256 % $4)) 2>&1
        echo exit $?
      done
      """;

  @TempDir Path folder;

  static List<Jdk> jdks() {
    return Jdk.all();
  }

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  /** The virtual machine waits three tenths of a second for threads that are in system calls. */
  @ParameterizedTest
  @MethodSource("jdks")
  void theThreadThatWaitsForCommandsEndsWithTheProgram(Jdk jdk) throws Exception {
    Kymo.Result result =
        Kymo.run(
            "record",
            "-q",
            "-o",
            folder.resolve("leaving.kymo").toString(),
            "--",
            jdk.java().toString(),
            "-cp",
            Programs.CLASSES.toString(),
            "Leaving",
            "kymo control");
    assertThat(result.out()).as(result.err()).isEqualTo("ended\n");
  }

  /** The flight recorder is held by a thread that never lets it go. */
  @ParameterizedTest
  @MethodSource("jdks")
  void doesNotWaitForAFlightRecorderThatNeverAnswers(Jdk jdk) throws Exception {
    Path recording = folder.resolve("jammed.kymo");
    Kymo.Result result =
        Kymo.run(
            "record",
            "-q",
            "--jvm-events",
            "on",
            "-o",
            recording.toString(),
            "--",
            "timeout",
            "-s",
            "KILL",
            "100",
            jdk.java().toString(),
            "--add-opens",
            "jdk.jfr/jdk.jfr=ALL-UNNAMED",
            "-Djava.io.tmpdir=" + folder, // where the flight recorder leaves its files
            "-cp",
            Programs.CLASSES.toString(),
            "Jammed");
    assertThat(result.exit()).as("137: it hung, and was killed").isEqualTo(3);
    assertThat(result.out()).isEqualTo("exits\n");
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.calls("Jammed.main")).isEqualTo(1);
      assertThat(recorded.timeline.processes()).extracting("end").containsExactly("ended");
    }
    assertThat(Kymo.run("info", recording.toString()).out())
        .contains("the last of what threads waited for is missing: an exit waits for it for at");
  }

  @Tag("survival")
  @ParameterizedTest
  @MethodSource("jdks")
  void atAnyMomentOfTheStart(Jdk jdk) throws Exception {
    exit(jdk, "kymo waits", 800_000);
    exit(jdk, "kymo events", 150_000);
  }

  private void exit(Jdk jdk, String thread, int micros) throws Exception {
    Path recording = folder.resolve(thread.replace(' ', '-') + ".kymo");
    Kymo.Result result =
        Kymo.run(
            "record",
            "-q",
            "--no-index",
            "--waits",
            "on",
            "--jvm-events",
            "on",
            "-o",
            recording.toString(),
            "--",
            "sh",
            "-c",
            LOOP,
            jdk.java().toString(),
            Programs.CLASSES.toString(),
            Integer.toString(EXITS),
            thread,
            Integer.toString(micros));
    assertThat(result.out().lines()).hasSize(EXITS).containsOnly("exit 3");
    assertThat(result.exit()).isZero();
    assertThat(Kymo.run("info", recording.toString()).out()).contains("oddities     0");
  }
}
