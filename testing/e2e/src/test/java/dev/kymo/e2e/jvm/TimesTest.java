package dev.kymo.e2e.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.analysis.costs.CorrectedTimes;
import dev.kymo.analysis.summary.MethodSummary;
import dev.kymo.analysis.summary.Summary;
import dev.kymo.analysis.summary.SummaryQuery;
import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.reader.Recording;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares a program that knows the times of its methods with its recording within a budget. */
class TimesTest {
  private static final String MILLIS = "800";

  /** However wide the bound is, nothing takes much longer than the program's clock says. */
  private static final double MOST = 1.5;

  private static final long BOTH_CLOCKS = 20_000_000;

  @TempDir Path folder;

  /** Nanoseconds. */
  private record Range(long least, long most) {}

  static List<Jdk> jdks() {
    return Jdk.all();
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void totalsAreTheProgramsOwn(Jdk jdk) throws Exception {
    Map<String, Range> own = record(jdk);
    try (Recording recording = Recording.open(folder.resolve("r.kymo"))) {
      CallPass pass = CallPass.open(recording);
      Map<String, MethodSummary> rows = new HashMap<>();
      for (MethodSummary row : Summary.of(pass, SummaryQuery.ALL, (done, all) -> {}).rows()) {
        rows.put(row.method().qualifiedName(), row);
      }
      assertThat(rows.values()).as("nothing was counted").anyMatch(row -> row.counted() > 1000);
      own.forEach((method, range) -> {
        MethodSummary row = rows.get(method);
        assertThat(row).as(method).isNotNull();
        long error = BOTH_CLOCKS + row.corrected().map(CorrectedTimes::error).orElse(0L);
        long most = (long) Math.min(range.most * MOST, (double) range.most + error);
        assertThat(row.total()).as("%s of %s", method, own).isLessThanOrEqualTo(most);
        assertThat(row.self()).as(method).isLessThanOrEqualTo(most);
        if (!row.timeAtLeast()) {
          assertThat(row.total()).as("%s of %s", method, own).isGreaterThan(range.least - error);
        }
      });
    }
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void whatThreadsDidThemselvesIsNotMoreThanThereWas(Jdk jdk) throws Exception {
    record(jdk);
    try (Recording recording = Recording.open(folder.resolve("r.kymo"))) {
      CallPass pass = CallPass.open(recording);
      SummaryQuery query = new SummaryQuery(0, Long.MAX_VALUE, thread -> true, true);
      Map<ThreadCalls, Long> sums = new HashMap<>();
      for (MethodSummary row : Summary.of(pass, query, (done, all) -> {}).rows()) {
        sums.merge(row.thread().orElseThrow(), row.self(), Long::sum);
      }
      sums.forEach((thread, self) -> {
        long length =
            pass.nanoClock().nanos(thread.last()) - pass.nanoClock().nanos(thread.first());
        assertThat(self).as("%s", thread).isLessThan((long) (length * 1.1) + BOTH_CLOCKS);
      });
      assertThat(sums).isNotEmpty();
    }
  }

  private Map<String, Range> record(Jdk jdk) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of("record", "-q", "--strict", "--when-full", "block", "--budget", "2%", "-o"));
    command.add(folder.resolve("r.kymo").toString());
    command.addAll(List.of("--", jdk.java().toString(), "-cp", Programs.CLASSES.toString()));
    command.addAll(List.of("Times", MILLIS));
    if (Jdk.withVirtualThreads().contains(jdk)) {
      command.add("virtual");
    }
    Kymo.Result result = Kymo.run(command.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isZero();
    Map<String, Range> own = new HashMap<>();
    for (String line : result.out().lines().toList()) {
      String[] parts = line.split(" ");
      own.put(parts[0], new Range(Long.parseLong(parts[1]), Long.parseLong(parts[2])));
    }
    return own;
  }
}
