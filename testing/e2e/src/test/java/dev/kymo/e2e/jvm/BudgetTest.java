package dev.kymo.e2e.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.analysis.summary.MethodSummary;
import dev.kymo.analysis.summary.Summary;
import dev.kymo.analysis.summary.SummaryQuery;
import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.format.Definition;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.ModeStep;
import dev.kymo.reader.Recording;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares a program that counts its own calls with its recording within a budget. */
class BudgetTest {
  private static final String SECONDS = "3";

  @TempDir Path folder;

  static List<Jdk> jdks() {
    return Jdk.all();
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void whatIsNotLeftOutIsExact(Jdk jdk) throws Exception {
    Map<String, Long> own = record(jdk, "5%");
    try (Recording recording = Recording.open(folder.resolve("r.kymo"))) {
      CallPass pass = CallPass.open(recording);
      Map<String, MethodSummary> recorded = recorded(pass);
      own.forEach((method, calls) -> {
        MethodSummary row = recorded.get(method);
        if (row == null) {
          assertThat(method).isIn("OwnCounts.main"); // may have begun before the agent existed
        } else if (row.leftOut()) {
          assertThat(row.calls()).as(method).isLessThanOrEqualTo(calls);
          assertThat(row.atLeast()).as(method).isTrue();
        } else {
          assertThat(row.calls()).as(method).isEqualTo(calls);
        }
      });
      assertBalanced(pass);
      assertStepsAreFew(pass.steps(), pass.nanoClock().nanos(pass.end()));
    }
  }

  @Test
  void withoutABudgetEverythingIsAnEvent() throws Exception {
    Map<String, Long> own = record(Jdk.running(), "none");
    try (Recording recording = Recording.open(folder.resolve("r.kymo"))) {
      CallPass pass = CallPass.open(recording);
      Map<String, MethodSummary> recorded = recorded(pass);
      own.forEach((method, calls) ->
          assertThat(Objects.requireNonNull(recorded.get(method), method).calls())
              .as(method)
              .isEqualTo(calls));
      assertThat(recorded.values()).allMatch(row -> row.counted() == 0 && !row.atLeast());
      assertThat(pass.steps()).isEmpty();
      assertBalanced(pass);
    }
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void everythingIsKeptIfThatIsWanted(Jdk jdk) throws Exception {
    Map<String, Long> own = record(jdk, "0.5%", List.of("--keep-all"), "OwnCounts", "2", "3", "50");
    try (Recording recording = Recording.open(folder.resolve("r.kymo"))) {
      CallPass pass = CallPass.open(recording);
      assertThat(pass.steps())
          .isNotEmpty()
          .noneMatch(step -> step.mode() == Definition.MethodMode.LEFT_OUT);
      Map<String, MethodSummary> recorded = recorded(pass);
      own.forEach((method, calls) -> {
        MethodSummary row = recorded.get(method);
        if (row == null) {
          assertThat(method).isIn("OwnCounts.main"); // may have begun before the agent existed
        } else {
          assertThat(row.calls()).as(method).isEqualTo(calls);
          assertThat(row.leftOut()).as(method).isFalse();
        }
      });
    }
  }

  /** When a class is woven again, Java interprets its running calls until they end. */
  @ParameterizedTest
  @MethodSource("jdks")
  void aClassIsNotWovenAnewWhileALoopOfItRuns(Jdk jdk) throws Exception {
    Map<String, Long> own = record(jdk, "1%", "Loop", "4");
    try (Recording recording = Recording.open(folder.resolve("r.kymo"))) {
      CallPass pass = CallPass.open(recording);
      assertThat(pass.steps())
          .isNotEmpty()
          .noneMatch(step -> step.mode() == Definition.MethodMode.LEFT_OUT);
      MethodSummary next = Objects.requireNonNull(recorded(pass).get("Loop.next"));
      assertThat(next.calls()).isEqualTo(own.get("Loop.next"));
      assertThat(next.atLeast()).isFalse();
    }
  }

  private Map<String, Long> record(Jdk jdk, String budget) throws Exception {
    return record(jdk, budget, "OwnCounts", "2", budget.equals("none") ? "0.5" : SECONDS, "50");
  }

  private Map<String, Long> record(Jdk jdk, String budget, String... program) throws Exception {
    return record(jdk, budget, List.of(), program);
  }

  private Map<String, Long> record(Jdk jdk, String budget, List<String> options, String... program)
      throws Exception {
    List<String> command = new ArrayList<>(List.of("record", "-q", "--strict"));
    command.addAll(List.of("--when-full", "block", "--budget", budget));
    command.addAll(options);
    command.addAll(List.of("-o", folder.resolve("r.kymo").toString(), "--"));
    command.addAll(List.of(jdk.java().toString(), "-cp", Programs.CLASSES.toString()));
    command.addAll(List.of(program));
    Kymo.Result result = Kymo.run(command.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isZero();
    Map<String, Long> own = new HashMap<>();
    for (String line : result.out().lines().toList()) {
      long calls = Long.parseLong(line.split(" ")[1]);
      if (calls > 0) { // on a busy machine it does not come to all of them
        own.put(line.split(" ")[0], calls);
      }
    }
    return own;
  }

  private static Map<String, MethodSummary> recorded(CallPass pass) {
    Map<String, MethodSummary> rows = new HashMap<>();
    for (MethodSummary row : Summary.of(pass, SummaryQuery.ALL, (done, all) -> {}).rows()) {
      rows.put(row.method().qualifiedName(), row);
    }
    return rows;
  }

  private static void assertBalanced(CallPass pass) {
    for (ThreadCalls thread : pass.threads()) {
      assertThat(thread.counts().unmatchedLeaves()).isZero();
      assertThat(thread.counts().missingLeaves()).isZero();
    }
    assertThat(pass.oddities()).isEmpty();
  }

  /** Hot phases come and go every 100 ms; the governor must not follow them. */
  private static void assertStepsAreFew(List<ModeStep> steps, long nanos) {
    assertThat(steps).isNotEmpty();
    Map<Integer, Integer> up = new HashMap<>();
    for (ModeStep step : steps) {
      assertThat(step.reason()).isNotEmpty();
      if (step.before() != Definition.MethodMode.EVENTS
          && rank(step.mode()) < rank(step.before())) {
        up.merge(step.method(), 1, Integer::sum);
      }
    }
    // At least two seconds pass before each step up.
    assertThat(up.values()).allMatch(count -> count <= 1 + nanos / 2_000_000_000L);
  }

  private static int rank(int mode) {
    return mode == Definition.MethodMode.LEFT_OUT ? 4 : mode;
  }
}
