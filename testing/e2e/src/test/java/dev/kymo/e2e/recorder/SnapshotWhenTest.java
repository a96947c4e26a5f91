package dev.kymo.e2e.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots that rules take: programs that hang until their snapshot is there. */
@Timeout(600)
class SnapshotWhenTest {
  private static final String NO_HANG = "no call of Hanging.work over 1 s";

  @TempDir Path folder;

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  private Kymo.Result record(String what, String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of("record", "-q", "--when-full", "overwrite"));
    all.addAll(List.of("--budget", "none", "-o", folder.resolve("run.kymo").toString()));
    all.addAll(List.of(options));
    all.addAll(List.of("--", Jdk.running().java().toString(), "-cp", Programs.CLASSES.toString()));
    all.addAll(List.of("Hanging", what, snapshot(1).toString()));
    return Kymo.run(all.toArray(String[]::new));
  }

  private Path snapshot(int number) {
    return folder.resolve("run-" + number + ".kymo");
  }

  @Test
  void aCallThatHangsTakesOneWhileItHangs() throws Exception {
    Kymo.Result result = record("hang", "--snapshot-when", NO_HANG);
    assertThat(result.out()).isEqualTo("fine\n");
    assertThat(result.err().lines().toList()).hasSize(2);
    assertThat(result.err())
        .contains("snapshot written: run-1.kymo", NO_HANG + ": for ", "main (1/", "has not ended")
        .contains("; kymo view run-1.kymo --at 1/");
    assertThat(Files.exists(snapshot(2))).isFalse();
    try (Recorded recorded = new Recorded(snapshot(1))) {
      assertThat(recorded.calls("Hanging.work")).isEqualTo(5001);
      assertThat(recorded.timeline.oddities()).isEmpty();
    }
    assertThat(Kymo.run("info", snapshot(1).toString()).out()).contains("notice       " + NO_HANG);
  }

  @Test
  void aWaitForAMonitorTakesOne() throws Exception {
    String rule = "no wait for monitor over 200 ms in thread waiting";
    Kymo.Result result = record("monitor", "--waits", "on", "--snapshot-when", rule);
    assertThat(result.out()).isEqualTo("fine\n");
    assertThat(result.err()).contains(rule + ": ", "waiting (1/", ": monitor.java.lang.Object");
  }

  @Test
  void whatKeepsTheRulesTakesNone() throws Exception {
    Kymo.Result result = record("quick", "--snapshot-when", "no call of Hanging.work over 900 s");
    assertThat(result).isEqualTo(new Kymo.Result(0, "fine\n", ""));
    assertThat(Files.exists(snapshot(1))).isFalse();
  }

  @Test
  void rulesThatNeedMoreAreRefusedBeforeTheProgramRuns() throws Exception {
    Kymo.Result result = record("quick", "--snapshot-when", "p99 of Hanging.work below 5 ms");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains("while recording, only 'no call of'");
  }
}
