package dev.kymo.e2e.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What differs between runs of a real program: numbers of calls, which no slow machine changes. */
class DiffTest {
  private static final String GATE = "--gate=Changing.write calls +1%";

  @TempDir Path folder;

  private String record(String writes, String threads) throws Exception {
    String recording = folder.resolve(writes + threads + ".kymo").toString();
    Kymo.Result result =
        Kymo.run(
            "record",
            "-q",
            "--budget",
            "none",
            "--when-full",
            "block",
            "-o",
            recording,
            "--",
            Jdk.running().java().toString(),
            "-cp",
            Programs.CLASSES.toString(),
            "Changing",
            writes,
            threads);
    assertThat(result.exit()).as(result.err()).isZero();
    return recording;
  }

  @Test
  void moreCallsAreFoundAndBreakAGate() throws Exception {
    String old = record("5", "worker");
    Kymo.Result same = Kymo.run("diff", old, "--with", record("5", "job"), GATE);
    assertThat(same.exit()).as(same.out() + same.err()).isZero();
    assertThat(same.out()).contains("job-#: in base called worker-#").doesNotContain("more calls");
    Kymo.Result more = Kymo.run("diff", old, "--with", record("8", "worker"), GATE);
    assertThat(more.exit()).as(more.out() + more.err()).isEqualTo(3);
    assertThat(more.out())
        .contains("Changing.store under Changing.request < Changing.lambda$main$0  [worker-#]")
        .contains("3 more calls of Changing.write: 5 → 8 (exact)")
        .containsPattern("gate .*: is broken");
  }
}
