package dev.kymo.analysis.cause;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.model.timeline.Track;
import dev.kymo.testkit.KernelProgram;
import dev.kymo.testkit.KernelTracks;
import dev.kymo.testkit.RecordingBuilder;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Why calls took as long as they did, in a program every moment of which is known. */
class CallCauseTest {
  private static final long MS = KernelProgram.MS;

  @TempDir Path directory;

  private Timeline open(RecordingBuilder recording) throws Exception {
    return Timelines.open(recording.write(directory.resolve("r")), ProgressListener.NONE);
  }

  private static int track(Timeline timeline, TrackKind kind, String name) {
    return timeline.tracks().stream()
        .filter(t -> t.kind() == kind && t.name().equals(name))
        .findFirst()
        .map(Track::id)
        .orElseThrow();
  }

  private static CallCause cause(Timeline timeline, String thread, int depth, long time) {
    int track = track(timeline, TrackKind.CALLS, thread);
    return CallCause.of(timeline, timeline.call(track, depth, time).orElseThrow(), new Progress());
  }

  private static CauseSplit ms(
      long running, long interrupted, long runnable, long blocked, long unknown, long faults) {
    return new CauseSplit(
        running * MS, interrupted * MS, runnable * MS, blocked * MS, unknown * MS, faults);
  }

  private static List<String> parts(Timeline timeline, List<CausePart> parts) {
    return parts.stream()
        .map(p -> {
          TracedMethod state = timeline.method(p.method());
          String by = p.other() < 0 ? "" : " by " + timeline.tracks().get(p.other()).name();
          return "%s %s%s: %d, %d"
              .formatted(state.type(), state.name(), by, p.count(), p.time() / MS);
        })
        .toList();
  }

  @Test
  void aCallThatCrossesManyStates() throws Exception {
    try (Timeline timeline = open(KernelProgram.recording())) {
      CallCause cause = cause(timeline, "main", 1, 100 * MS);
      assertThat(cause.split()).isEqualTo(ms(195, 15, 80, 100, 10, 2));
      assertThat(cause.split().duration()).isEqualTo(400 * MS);
      assertThat(parts(timeline, cause.states()))
          .containsExactly(
              "blocked futex by worker-1: 1, 100",
              "runnable preempted by worker-1: 1, 50",
              "runnable woken by kworker/0:1: 1, 30",
              "interrupted irq virtio0-input: 1, 10",
              "interrupted timer: 1, 5",
              "fault page fault: 2, 0",
              "handed CPU by worker-1: 1, 0");
      assertThat(parts(timeline, cause.waits())).containsExactly("monitor app.Stock: 1, 105");
      assertThat(cause.waits().getFirst().object()).isEqualTo(0xbeef);
      assertThat(cause.children())
          .extracting(c -> timeline.method(c.method()).name(), c -> c.calls(), c -> c.time())
          .containsExactly(org.assertj.core.groups.Tuple.tuple("query", 1L, 100 * MS));
      assertThat(cause.self()).isEqualTo(300 * MS);
      assertThat(cause.siblings())
          .isEqualTo(new Siblings(4, 4, 3, 40 * MS, Optional.of(ms(50, 0, 0, 50, 0, 0))));
    }
  }

  @Test
  void aCallThatHasNotEnded() throws Exception {
    try (Timeline timeline = open(KernelProgram.recording())) {
      CallCause cause = cause(timeline, "worker-1", 0, 950 * MS);
      assertThat(cause.split()).isEqualTo(ms(0, 0, 0, 100, 0, 0));
      assertThat(parts(timeline, cause.states())).containsExactly("blocked epoll_wait: 1, 100");
      assertThat(cause.siblings().count()).isEqualTo(5);
      assertThat(cause.siblings().duration()).isEqualTo(100 * MS);
    }
  }

  @Test
  void aThreadOfWhichTheKernelTellsNothing() throws Exception {
    try (Timeline timeline = open(KernelProgram.recording())) {
      CallCause cause = cause(timeline, "loner", 0, 10 * MS);
      assertThat(cause.scheduled()).isEqualTo(-1);
      assertThat(cause.split()).isEqualTo(ms(0, 0, 0, 0, 40, 0));
      assertThat(cause.states()).isEmpty();
      assertThat(cause.waits()).isEmpty();
      assertThat(cause.children()).isEmpty();
      assertThat(cause.siblings().explained()).isEqualTo(4);
    }
  }

  @Test
  void aStateItselfHasCausesToo() throws Exception {
    try (Timeline timeline = open(KernelProgram.recording())) {
      int states = track(timeline, TrackKind.STATES, "main");
      CallCause cause =
          CallCause.of(timeline, timeline.call(states, 0, 160 * MS).orElseThrow(), new Progress());
      assertThat(cause.calls()).isEqualTo(track(timeline, TrackKind.CALLS, "main"));
      assertThat(cause.split()).isEqualTo(ms(0, 0, 5, 100, 0, 0));
      assertThat(cause.siblings().count()).isZero();
    }
  }

  @Test
  void aPauseOfTheMachineIsToldOfEachThread() throws Exception {
    RecordingBuilder recording = new RecordingBuilder().process(2).thread(2, 1, "main");
    recording.method(2, 1, "a.B", "run").jvm(2, 5, "Safepoints").jvm(2, 6, "GC pauses");
    recording.method(2, 8, "Safepoints", "G1CollectForAllocation").method(2, 9, "GC pauses", "G1");
    recording.ring(2, 1, 1).enter(0, 1).leave(100 * MS, 1);
    recording.ring(2, 5, 5).enter(20 * MS, 8).leave(50 * MS, 8);
    recording.ring(2, 6, 6).enter(25 * MS, 9).leave(50 * MS, 9);
    try (Timeline timeline = open(recording)) {
      CallCause cause = cause(timeline, "main", 0, 10 * MS);
      assertThat(parts(timeline, cause.waits()))
          .containsExactly("Safepoints G1CollectForAllocation: 1, 30");
    }
  }

  @Test
  void ofVeryManySiblingsASampleTellsTheSame() throws Exception {
    RecordingBuilder recording = new RecordingBuilder().process(2).thread(2, 1, "main");
    recording.method(2, 1, "a.B", "run").method(2, 2, "a.B", "part");
    KernelTracks kernel = new KernelTracks(recording, 1).thread(1, 1002, 2001, "java");
    SplittableRandom random = new SplittableRandom(5);
    long now = 0;
    for (int i = 0; i < 5000; i++) {
      // A tenth is blocked for a long time.
      int ran = 10 + random.nextInt(3);
      int blocked = i % 10 == 0 ? 1000 : 0;
      recording.ring(2, 1, 1).enter(now, 1).enter(now, 2).leave(now + ran, 2);
      recording.ring(2, 1, 1).leave(now + ran + blocked, 1);
      kernel.state(1, now, now + ran, "running", "CPU 0");
      if (blocked > 0) {
        kernel.state(1, now + ran, now + ran + blocked, "blocked", "read");
      }
      now += ran + blocked + 5;
    }
    try (Timeline timeline = open(recording)) {
      CallCause cause = cause(timeline, "main", 0, 5);
      assertThat(cause.split().blocked()).isEqualTo(1000);
      Siblings siblings = cause.siblings();
      assertThat(siblings.count()).isEqualTo(4999);
      assertThat(siblings.looked()).isEqualTo(Siblings.MOST);
      assertThat(siblings.explained()).isEqualTo(Siblings.MOST);
      assertThat(siblings.duration()).isBetween(10L, 12L);
      CauseSplit median = siblings.split().orElseThrow();
      assertThat(median.running()).isBetween(10L, 12L);
      assertThat(median.blocked()).isZero();
      assertThat(median.unknown()).isZero();
    }
  }
}
