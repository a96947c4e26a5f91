package dev.kymo.e2e.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.analysis.path.CriticalPath;
import dev.kymo.analysis.path.PathStep;
import dev.kymo.analysis.path.PathStep.Kind;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.summary.MethodSummary;
import dev.kymo.analysis.summary.Summary;
import dev.kymo.analysis.summary.SummaryQuery;
import dev.kymo.cli.words.CallId;
import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.reader.Recording;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A thread waits for a thread that waits for a lock whose holder sleeps. */
class CriticalPathTest {
  private static final long MS = 1_000_000;

  @TempDir Path folder;

  static List<Jdk> jdks() {
    return Jdk.all();
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void leadsToWhoSlept(Jdk jdk) throws Exception {
    Path file = folder.resolve("r.kymo");
    Kymo.Result result =
        Kymo.run(
            "record",
            "-q",
            "--strict",
            "--waits",
            "on",
            "-o",
            file.toString(),
            "--",
            jdk.java().toString(),
            "-cp",
            Programs.CLASSES.toString(),
            "Chain");
    assertThat(result.exit()).as(result.err()).isZero();
    long waited = Long.parseLong(result.out().trim());
    MethodSummary order = order(file);
    List<String> threads = new ArrayList<>();
    long slept = 0;
    try (Timeline timeline = Timelines.open(file, ProgressListener.NONE)) {
      long begin = order.longest().orElseThrow().begin();
      long end = begin + order.total();
      int main = order.longest().orElseThrow().thread().thread();
      int track =
          timeline.tracks().stream().filter(t -> t.thread() == main).findFirst().orElseThrow().id();
      for (PathStep step : CriticalPath.of(timeline, track, begin, end, new Progress()).steps()) {
        String name = timeline.tracks().get(step.track()).name();
        if (threads.isEmpty() || !threads.getLast().equals(name)) {
          threads.add(name);
        }
        boolean sleeps = step.kind() == Kind.WAITED;
        slept += sleeps && timeline.method(step.state()).type().equals("sleep") ? step.time() : 0;
      }
    }
    assertThat(threads).endsWith("holder", "worker", "main");
    assertThat(slept).isBetween(200 * MS, waited);
    Kymo.Result why =
        Kymo.run("why", "--path", file.toString(), CallId.text(order.longest().orElseThrow()));
    assertThat(why.exit()).as(why.err()).isZero();
    assertThat(why.out())
        .contains("worker", ": asleep")
        .containsPattern("holder \\d+: .*; then worker \\d+ goes on, which waited for monitor")
        .containsPattern("worker \\d+: .*; then main \\d+ goes on, which waited for park");
  }

  private static MethodSummary order(Path file) throws Exception {
    try (Recording recording = Recording.open(file)) {
      CallPass pass = CallPass.open(recording);
      return Summary.of(pass, SummaryQuery.ALL, (done, all) -> {}).rows().stream()
          .filter(row -> row.method().qualifiedName().equals("Chain.order"))
          .findFirst()
          .orElseThrow();
    }
  }
}
