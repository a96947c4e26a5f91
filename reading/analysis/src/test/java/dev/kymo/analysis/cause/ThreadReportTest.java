package dev.kymo.analysis.cause;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.analysis.names.ThreadFilter;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.reader.Recording;
import dev.kymo.testkit.KernelProgram;
import dev.kymo.testkit.KernelTracks;
import dev.kymo.testkit.RecordingBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long threads ran and waited: in each part of a recording, all of the time. */
class ThreadReportTest {
  private static final long MS = KernelProgram.MS;

  @TempDir Path directory;

  private ThreadReport report(
      RecordingBuilder recording, long from, long to, Predicate<ThreadCalls> wanted)
      throws IOException {
    try (Recording open = Recording.open(recording.write(directory.resolve("r")))) {
      return ThreadReport.of(CallPass.open(open), from, to, wanted, 3, ProgressListener.NONE);
    }
  }

  private static List<String> rows(ThreadReport report) {
    return report.rows().stream()
        .map(r ->
            "%s: %d = %d + %d + %d + %d, %d, %d %d"
                .formatted(
                    r.name(),
                    r.split().duration() / MS,
                    r.split().running() / MS,
                    r.split().runnable() / MS,
                    r.split().blocked() / MS,
                    r.split().unknown() / MS,
                    r.split().interrupted() / MS,
                    r.split().faults(),
                    r.wakeUps()))
        .toList();
  }

  private static List<String> states(List<LongState> states) {
    return states.stream()
        .map(s ->
            "%s %s %s at %d: %d, %s%s"
                .formatted(
                    s.name(),
                    s.state().type(),
                    s.state().name(),
                    s.begin() / MS,
                    s.time() / MS,
                    s.other(),
                    s.open() ? " open" : ""))
        .toList();
  }

  @Test
  void allOfTheTimeIsTold() throws IOException {
    ThreadReport report = report(KernelProgram.recording(), 0, Long.MAX_VALUE, t -> true);
    assertThat(report.recorded()).isTrue();
    assertThat(rows(report))
        .containsExactly(
            "main: 1000 = 745 + 80 + 150 + 10, 15, 3 2",
            "worker-1: 1000 = 410 + 10 + 580 + 0, 0, 0 1",
            "kworker/0:1: 465 = 85 + 0 + 0 + 380, 0, 0 0");
    assertThat(states(report.longestBlocked()))
        .containsExactly(
            "worker-1 blocked epoll_wait at 600: 400,  open",
            "worker-1 blocked futex at 300: 180, main",
            "main blocked futex at 150: 100, worker-1");
    assertThat(states(report.longestRunnable()))
        .containsExactly(
            "main runnable preempted at 400: 50, worker-1",
            "main runnable woken at 250: 30, kworker/0:1",
            "worker-1 runnable woken at 480: 10, kworker/0:1");
  }

  @Test
  void ofAPartOnlyWhatLiesInIt() throws IOException {
    ThreadReport report = report(KernelProgram.recording(), 112 * MS, 450 * MS, t -> true);
    assertThat(rows(report))
        .containsExactly(
            "worker-1: 338 = 188 + 0 + 150 + 0, 0, 0 0",
            "main: 338 = 135 + 80 + 100 + 10, 13, 1 1",
            "kworker/0:1: 20 = 20 + 0 + 0 + 0, 0, 0 0");
    assertThat(states(report.longestBlocked()).getFirst())
        .isEqualTo("worker-1 blocked futex at 300: 150, main");
  }

  @Test
  void threadsAreAskedForAsTheProgramOrTheKernelCallsThem() throws IOException {
    for (String name : List.of("main", "2001", "java")) {
      ThreadReport report =
          report(KernelProgram.recording(), 0, Long.MAX_VALUE, new ThreadFilter(List.of(name)));
      assertThat(rows(report)).as(name).hasSize(1).first().asString().startsWith("main: 1000 = ");
      assertThat(report.longestRunnable()).hasSize(2);
    }
  }

  @Test
  void lossesAreSaid() throws IOException {
    RecordingBuilder recording = new RecordingBuilder();
    KernelTracks kernel = new KernelTracks(recording, 1);
    kernel.thread(1, 5, 6, "one").thread(2, 5, 7, "two");
    kernel.state(1, 0, 10, "running", "CPU 0").state(2, 0, 5, "running", "CPU 1");
    recording.ring(1, 1, 1).lose(7);
    kernel.state(1, 30, 40, "running", "CPU 0");
    ThreadReport report = report(recording, 0, Long.MAX_VALUE, t -> true);
    assertThat(report.rows()).extracting(ThreadTimes::atLeast).containsExactly(true, false);
    assertThat(report.rows().getFirst().split().unknown()).isEqualTo(20);
  }

  @Test
  void withoutKernelEventsThereIsNothing() throws IOException {
    RecordingBuilder recording = new RecordingBuilder().process(1).thread(1, 1, "main");
    recording.method(1, 1, "a.B", "running").ring(1, 1, 1).enter(0, 1).leave(5, 1);
    ThreadReport report = report(recording, 0, Long.MAX_VALUE, t -> true);
    assertThat(report.recorded()).isFalse();
    assertThat(report.rows()).isEmpty();
  }
}
