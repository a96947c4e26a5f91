package dev.kymo.e2e.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Input, output, signals and exit code belong to the program. */
class PassThroughTest {
  private static final Map<String, Integer> NUMBERS = Map.of("TERM", 15, "HUP", 1, "INT", 2);

  @TempDir Path folder;

  @Test
  void inputAndBothOutputs() throws Exception {
    Kymo.Result result =
        Kymo.runIn(
            folder,
            Map.of(),
            "abc\nxyz\n",
            "record",
            "-q",
            "-o",
            "echo.kymo",
            "--",
            Jdk.running().java().toString(),
            "-cp",
            Programs.CLASSES.toString(),
            "Echo");
    assertThat(result)
        .isEqualTo(new Kymo.Result(0, "cba\nzyx\nfarewell\n", "error abc\nerror xyz\n"));
  }

  @Test
  void aSignalReachesTheProgramAndItsExitCodeComesBack() throws Exception {
    for (String signal : signalsThatAreNotIgnored()) {
      Path recording = folder.resolve(signal + ".kymo");
      Process process =
          Kymo.start(
              folder,
              Map.of(),
              "record",
              "-q",
              "-o",
              recording.toString(),
              "--",
              Jdk.running().java().toString(),
              "-cp",
              Programs.CLASSES.toString(),
              "Echo");
      BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
      Writer in = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
      in.write("ready\n");
      in.flush();
      assertThat(out.readLine()).isEqualTo("ydaer");
      Kymo.exec(folder, "kill", "-" + signal, Long.toString(process.pid()));
      assertThat(out.readLine()).isEqualTo("farewell");
      assertThat(process.waitFor(600, TimeUnit.SECONDS)).isTrue();
      int expected = 128 + NUMBERS.getOrDefault(signal, 0);
      assertThat(process.exitValue()).as(signal).isEqualTo(expected);
      try (Recorded recorded = new Recorded(recording)) {
        assertThat(recorded.calls("Echo.turn")).isEqualTo(1);
      }
    }
  }

  @Test
  void signalsThatOnlyTheProgramKnowsReachIt() throws Exception {
    for (String signal : List.of("USR1", "USR2", "ALRM")) {
      Process process =
          Kymo.start(
              folder,
              Map.of(),
              "record",
              "--",
              "sh",
              "-c",
              "trap 'echo got; exit 7' " + signal + "; echo ready; while :; do sleep 0.05; done");
      BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
      assertThat(out.readLine()).isEqualTo("ready");
      Kymo.exec(folder, "kill", "-" + signal, Long.toString(process.pid()));
      assertThat(out.readLine()).as(signal).isEqualTo("got");
      assertThat(process.waitFor(600, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(7);
    }
  }

  @Test
  void aQuitFromTheTerminalDoesNotPrintKymosThreads() throws Exception {
    Process process =
        Kymo.start(
            folder, Map.of(), "record", "--", "sh", "-c", "echo ready; read line; echo $line");
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    assertThat(out.readLine()).isEqualTo("ready");
    Kymo.exec(folder, "kill", "-QUIT", Long.toString(process.pid()));
    try (Writer in = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8)) {
      in.write("end\n");
    }
    assertThat(out.readLine()).isEqualTo("end");
    assertThat(out.readLine()).isNull();
    assertThat(process.waitFor(600, TimeUnit.SECONDS)).isTrue();
  }

  /**
   * Children inherit ignored signals, like all processes that a shell has put in the background.
   */
  private static List<String> signalsThatAreNotIgnored() throws IOException {
    String status = Files.readString(Path.of("/proc/self/status"));
    long ignored = Long.parseUnsignedLong(status.replaceAll("(?s).*SigIgn:\\s*(\\w+).*", "$1"), 16);
    List<String> signals = new ArrayList<>();
    for (var signal : NUMBERS.entrySet()) {
      if ((ignored >> (signal.getValue() - 1) & 1) == 0) {
        signals.add(signal.getKey());
      } else {
        System.out.println("skipped: SIG" + signal.getKey() + " is ignored where this test runs");
      }
    }
    return signals;
  }
}
