package dev.kymo.analysis.summary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.analysis.names.ThreadFilter;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.reader.Recording;
import dev.kymo.testkit.RecordingBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SummaryTest {
  @TempDir Path directory;

  private final RecordingBuilder recording =
      new RecordingBuilder()
          .process(1)
          .thread(1, 1, "main")
          .thread(1, 2, "other")
          .method(1, 1, "a.B", "outer")
          .method(1, 2, "a.B", "inner");

  private Summary summary(SummaryQuery query) throws IOException {
    try (Recording open = Recording.open(recording.write(directory.resolve("r")))) {
      return Summary.of(CallPass.open(open), query, ProgressListener.NONE);
    }
  }

  private static MethodSummary row(Summary summary, String name) {
    return summary.rows().stream()
        .filter(r -> r.method().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void totalIncludesWhatWasCalledAndSelfDoesNot() throws IOException {
    recording
        .ring(1, 0, 1)
        .enter(100, 1)
        .enter(110, 2)
        .leave(140, 2)
        .enter(150, 2)
        .leave(160, 2)
        .leave(200, 1);
    Summary summary = summary(SummaryQuery.ALL);
    MethodSummary outer = row(summary, "outer");
    assertThat(outer.calls()).isEqualTo(1);
    assertThat(outer.total()).isEqualTo(100);
    assertThat(outer.self()).isEqualTo(60);
    MethodSummary inner = row(summary, "inner");
    assertThat(inner.calls()).isEqualTo(2);
    assertThat(inner.total()).isEqualTo(40);
    assertThat(inner.average()).isEqualTo(20);
    assertThat(inner.p50()).isEqualTo(10);
    assertThat(inner.p99()).isEqualTo(30);
    assertThat(inner.max()).isEqualTo(30);
    assertThat(summary.atLeast()).isFalse();
  }

  @Test
  void recursionCountsItsTimeOnce() throws IOException {
    recording
        .ring(1, 0, 1)
        .enter(0, 1)
        .enter(10, 2)
        .enter(20, 1)
        .leave(80, 1)
        .leave(90, 2)
        .leave(100, 1);
    MethodSummary outer = row(summary(SummaryQuery.ALL), "outer");
    assertThat(outer.calls()).isEqualTo(2);
    assertThat(outer.total()).isEqualTo(100);
    assertThat(outer.self()).isEqualTo(80);
    assertThat(outer.average()).isEqualTo(80);
  }

  @Test
  void threadsAndTimeRangeSelect() throws IOException {
    recording
        .ring(1, 0, 1)
        .enter(0, 1)
        .enter(10, 2)
        .leave(30, 2)
        .enter(50, 2)
        .leave(70, 2)
        .leave(100, 1);
    recording.ring(1, 1, 2).enter(0, 1).leave(1000, 1);
    ThreadFilter main = new ThreadFilter(List.of("ma*"));
    Summary range = summary(new SummaryQuery(20, 60, main, false));
    assertThat(row(range, "outer").total()).isEqualTo(40);
    assertThat(row(range, "outer").self()).isEqualTo(20);
    assertThat(row(range, "inner").calls()).isEqualTo(2);
    assertThat(row(range, "inner").total()).isEqualTo(20);
    Summary other =
        summary(new SummaryQuery(0, Long.MAX_VALUE, new ThreadFilter(List.of("2")), true));
    assertThat(other.rows()).hasSize(1);
    assertThat(other.rows().getFirst().total()).isEqualTo(1000);
    assertThat(other.rows().getFirst().thread().orElseThrow().definition().name())
        .isEqualTo("other");
  }

  @Test
  void lossesMakeLowerBounds() throws IOException {
    recording.ring(1, 0, 1).enter(0, 1).leave(10, 1);
    recording.ring(1, 1, 2).enter(0, 2).lose(5).leave(100, 2);
    Summary perThread = summary(new SummaryQuery(0, Long.MAX_VALUE, t -> true, true));
    assertThat(perThread.atLeast()).isTrue();
    assertThat(row(perThread, "outer").atLeast()).isFalse();
    assertThat(row(perThread, "inner").atLeast()).isTrue();
    assertThat(row(summary(SummaryQuery.ALL), "outer").atLeast()).isTrue();
    Summary before =
        summary(new SummaryQuery(0, Long.MAX_VALUE, new ThreadFilter(List.of("main")), false));
    assertThat(before.atLeast()).isFalse();
  }

  @Test
  void lossesOfThreadsWithoutRingMakeLowerBounds() throws IOException {
    recording.ring(1, 0, 1).enter(0, 1).leave(10, 1);
    recording.end(1, 7);
    assertThat(row(summary(SummaryQuery.ALL), "outer").atLeast()).isTrue();
  }

  /** A ring holds what its thread waited for, too: what it lost, both have lost. */
  @Test
  void aWaitWhoseBeginWasLostDoesNotReachBackToTheOneBefore() throws IOException {
    recording.states(1, 3, 1, "main").method(1, 3, "mutex", "mutex");
    recording
        .ring(1, 0, 1)
        .switchTo(100, 3)
        .enter(100, 3)
        .leave(150, 3)
        .switchTo(150, 1)
        .enter(160, 1)
        .leave(170, 1)
        .lose(9)
        .enter(390, 1)
        .leave(400, 1)
        .switchTo(400, 3)
        .leave(400, 3)
        .switchTo(400, 1);
    Summary waits =
        summary(new SummaryQuery(0, Long.MAX_VALUE, t -> true, TrackKind.STATES, false));
    MethodSummary mutex = row(waits, "mutex");
    assertThat(mutex.calls()).isEqualTo(2);
    assertThat(mutex.max()).isEqualTo(50);
    assertThat(mutex.atLeast()).isTrue();
    assertThat(mutex.total()).isLessThanOrEqualTo(50 + 400 - 390);
  }
}
