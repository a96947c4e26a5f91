package dev.kymo.e2e.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Probes take some of a thread's stack, and the program must not feel it. */
class StackTest {
  /** Not many fewer than what the stack holds without Kymo, all of them interpreted. */
  private static final String NEARLY_ALL = "7000";

  @TempDir Path folder;

  static List<Jdk> jdks() {
    return Jdk.all();
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void itHoldsAsManyCallsAsWithout(Jdk jdk) throws Exception {
    Kymo.Result plain =
        Kymo.exec(
            folder,
            jdk.java().toString(),
            "-Xint",
            "-cp",
            Programs.CLASSES.toString(),
            "Deep",
            NEARLY_ALL);
    assertThat(plain.out()).isNotEqualTo("overflow\n");
    assertThat(record(jdk, "-Xint", NEARLY_ALL)).isEqualTo(plain);
    try (Recorded recorded = new Recorded(folder.resolve("run.kymo"))) {
      assertThat(recorded.calls("Deep.sum")).isEqualTo(7001);
    }
    assertThat(info()).doesNotContain("stack");
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void whatIsAskedForStays(Jdk jdk) throws Exception {
    Kymo.Result result = record(jdk, "-Xss512k", "100000000");
    assertThat(result.out()).isEqualTo("overflow\n");
    assertThat(result.exit()).isZero();
    assertThat(info()).contains("a thread's stack came to its end");
  }

  private String info() throws Exception {
    return Kymo.run("info", folder.resolve("run.kymo").toString()).out();
  }

  private Kymo.Result record(Jdk jdk, String option, String calls) throws Exception {
    List<String> words = new ArrayList<>(List.of("record", "-q", "--when-full", "block", "-o"));
    words.addAll(List.of(folder.resolve("run.kymo").toString(), "--", jdk.java().toString()));
    words.addAll(List.of(option, "-cp", Programs.CLASSES.toString(), "Deep", calls));
    return Kymo.run(words.toArray(String[]::new));
  }
}
