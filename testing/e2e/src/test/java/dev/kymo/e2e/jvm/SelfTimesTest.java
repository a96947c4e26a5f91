package dev.kymo.e2e.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.analysis.costs.SelfTime;
import dev.kymo.analysis.summary.MethodSummary;
import dev.kymo.analysis.summary.Summary;
import dev.kymo.analysis.summary.SummaryQuery;
import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.format.Definition.ProcessorTime;
import dev.kymo.model.calls.CallPass;
import dev.kymo.reader.Recording;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A program that waits, runs and loads classes, and what a report says about its self time. */
class SelfTimesTest {
  @TempDir Path folder;

  static List<Jdk> jdks() {
    return Jdk.all();
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void selfTimeIsToldByWhatItWas(Jdk jdk) throws Exception {
    String file = folder.resolve("r.kymo").toString();
    Kymo.Result result =
        Kymo.run(
            "record",
            "-q",
            "--strict",
            "--waits",
            "on",
            "--jvm-events",
            "on",
            "-o",
            file,
            "--",
            jdk.java().toString(),
            "-cp",
            Programs.CLASSES.toString(),
            "SelfTimes");
    assertThat(result.exit()).as(result.err()).isZero();
    long slept = Long.parseLong(result.out().trim());
    Map<String, MethodSummary> rows = new HashMap<>();
    try (Recording recording = Recording.open(Path.of(file))) {
      CallPass pass = CallPass.open(recording);
      ProcessorTime time = pass.definitions().processorTime(1).orElseThrow();
      assertThat(time.all()).as("it ran for 50 ms at least").isGreaterThanOrEqualTo(20_000_000);
      assertThat(time.compiling()).isBetween(1L, time.all() + 10_000_000);
      for (MethodSummary row : Summary.of(pass, SummaryQuery.ALL, (done, all) -> {}).rows()) {
        rows.put(row.method().qualifiedName(), row);
      }
    }
    SelfTime sleeps = row(rows, "SelfTimes.sleeps").selfTime();
    assertThat(sleeps.waiting()).isBetween(140_000_000L, slept);
    assertThat(row(rows, "SelfTimes.runs").selfTime().waiting()).isZero();
    MethodSummary loads = row(rows, "SelfTimes.loads");
    assertThat(loads.selfTime().weaving()).isBetween(1L, loads.self());
    long without = loads.selfTime().weaving();
    assertThat(loads.selfTime().loading()).isBetween(1L, loads.self() - without);
    assertThat(row(rows, "SelfTimes.runs").selfTime().loading()).isZero();
    loads // not known if the program ends before its probes are measured
        .corrected()
        .ifPresent(times -> {
          assertThat(times.self()).isLessThanOrEqualTo(loads.self() - without);
          assertThat(times.total()).isLessThanOrEqualTo(loads.total() - without);
        });
  }

  private static MethodSummary row(Map<String, MethodSummary> rows, String method) {
    return Objects.requireNonNull(rows.get(method), method);
  }
}
