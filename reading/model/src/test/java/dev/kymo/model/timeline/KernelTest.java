package dev.kymo.model.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.Definition;
import dev.kymo.format.Definition.TracedThread;
import dev.kymo.model.arrows.ArrowKind;
import dev.kymo.model.arrows.Arrows;
import dev.kymo.model.arrows.ArrowsAndCounters;
import dev.kymo.model.arrows.WaitArrows;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.testkit.KernelTracks;
import dev.kymo.testkit.RecordingBuilder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the kernel did with threads: whose it is, and who woke whom. */
class KernelTest {
  @TempDir Path directory;

  private final RecordingBuilder recording = new RecordingBuilder();

  private Timeline open() throws Exception {
    return Timelines.open(recording.write(directory.resolve("r")), ProgressListener.NONE);
  }

  private static Track track(Timeline timeline, int process, int thread) {
    return timeline.tracks().stream()
        .filter(t -> t.process() == process && t.thread() == thread)
        .findFirst()
        .orElseThrow();
  }

  /**
   * Number of the thread of process 2 whose states a thread of the kernel process has; 0 = none.
   */
  private static int owner(Timeline timeline, int thread) {
    int of = track(timeline, 1, thread).of();
    return of < 0 ? 0 : timeline.tracks().get(of).thread();
  }

  private void javaThread(int thread, int kind, int tid, long begin, long end) {
    recording.define(2, new TracedThread(thread, kind, 10L + thread, tid, "t" + thread));
    recording.ring(2, thread, thread).enter(begin, 1).leave(end, 1);
  }

  @Test
  void belongsToThePlatformThreadThatWasThereAtTheTime() throws Exception {
    KernelTracks kernel = new KernelTracks(recording, 1);
    recording.process(2).method(2, 1, "a.B", "run");
    javaThread(1, TracedThread.PLATFORM, 77, 100, 300);
    javaThread(2, TracedThread.PLATFORM, 77, 500, 900);
    javaThread(3, TracedThread.VIRTUAL, 0, 100, 900);
    javaThread(4, TracedThread.PLATFORM, 78, 100, 900);
    javaThread(5, TracedThread.PLATFORM, 79, 600, 900);
    kernel.thread(1, 1002, 77, "one").state(1, 90, 310, "running", "CPU 0");
    kernel.thread(2, 1002, 77, "two").state(2, 490, 910, "running", "CPU 0");
    kernel.thread(3, 1002, 77, "three").state(3, 920, 950, "running", "CPU 0");
    kernel.thread(4, 4711, 78, "other process").state(4, 90, 950, "running", "CPU 0");
    kernel.thread(5, 1002, 79, "ended before").state(5, 90, 500, "running", "CPU 0");
    kernel.thread(6, 1002, 80, "no calls").state(6, 90, 500, "running", "CPU 0");
    kernel.thread(7, 0, 0, "idle").state(7, 90, 500, "running", "CPU 0");
    kernel.cpu(8, 0).state(8, 90, 910, "thread", "one 77");
    for (int opened = 0; opened < 2; opened++) {
      try (Timeline timeline = open()) {
        assertThat(timeline.oddities()).isEmpty();
        assertThat(owner(timeline, 1)).isEqualTo(1);
        assertThat(owner(timeline, 2)).isEqualTo(2);
        assertThat(owner(timeline, 3)).isZero();
        assertThat(owner(timeline, 4)).isZero();
        assertThat(owner(timeline, 5)).isEqualTo(5);
        assertThat(owner(timeline, 6)).isZero();
        assertThat(owner(timeline, 7)).isZero();
        assertThat(track(timeline, 1, 1).kind()).isEqualTo(TrackKind.SCHEDULED);
        assertThat(track(timeline, 1, 1).javaId()).isEqualTo(1002);
        assertThat(track(timeline, 1, 8).kind()).isEqualTo(TrackKind.CPU);
        assertThat(track(timeline, 1, 8).of()).isEqualTo(-1);
      }
    }
  }

  @Test
  void arrowsOfEachKindAreAskedForByThemselves() throws Exception {
    KernelTracks kernel = new KernelTracks(recording, 1);
    recording.process(2).thread(2, 1, "main").method(2, 1, "lock", "a.B").states(2, 2, 1, "main");
    recording.ring(2, 2, 2).enter(0, 1).detail(50, 3, 2).leave(50, 1);
    kernel.thread(1, 1002, 2001, "main").thread(2, 7, 8, "kworker");
    kernel.state(2, 0, 200, "running", "CPU 1");
    kernel.state(1, 10, 100, "blocked", "futex", 2).state(1, 100, 130, "runnable", "woken", 2);
    kernel.enter(1, 130, "running", "CPU 1").state(1, 130, 130, "handed", "CPU", 2);
    kernel.state(1, 140, 140, "fault", "page fault").leave(1, 150, "running", "CPU 1");
    kernel.state(1, 150, 200, "blocked", "sleep", 0);
    for (int opened = 0; opened < 2; opened++) {
      try (Timeline timeline = open()) {
        int main = track(timeline, 1, 1).id();
        int waker = track(timeline, 1, 2).id();
        assertThat(arrows(timeline, ArrowKind.WAKE_UP))
            .containsExactly("100: 90 ns, %d to %d, blocked futex".formatted(waker, main));
        assertThat(arrows(timeline, ArrowKind.SWITCH))
            .containsExactly("130: 30 ns, %d to %d, runnable woken".formatted(waker, main));
        assertThat(arrows(timeline, ArrowKind.HAND_OFF))
            .containsExactly("130: 0 ns, %d to %d, handed CPU".formatted(waker, main));
        assertThat(timeline.arrows(0, 1000, 9).arrows()).hasSize(1);
        assertThat(timeline.call(main, 0, 20).orElseThrow().other()).isEqualTo(waker);
        assertThat(timeline.call(main, 1, 130).orElseThrow().other()).isEqualTo(waker);
        assertThat(timeline.call(main, 0, 160).orElseThrow().other()).isEqualTo(-1);
      }
    }
  }

  private static List<String> arrows(Timeline timeline, ArrowKind kind) {
    List<String> found = new ArrayList<>();
    for (Arrows.Arrow a : timeline.arrows(kind, 0, 1000, 9).arrows()) {
      TracedMethod state = timeline.method(a.method());
      found.add(
          "%d: %d ns, %d to %d, %s %s"
              .formatted(
                  a.time(), a.waited(), a.fromTrack(), a.toTrack(), state.type(), state.name()));
    }
    return found;
  }

  @Test
  void aThreadWithoutTrackIsShownByItsCalls() throws Exception {
    KernelTracks kernel = new KernelTracks(recording, 1);
    recording.process(2).thread(2, 1, "main").method(2, 1, "a.B", "run");
    recording.ring(2, 1, 1).enter(0, 1).leave(500, 1);
    kernel.thread(1, 7, 8, "one").thread(2, 1002, 2001, "java");
    kernel.state(1, 10, 100, "blocked", "futex", 2);
    try (Timeline timeline = open()) {
      int calls = track(timeline, 2, 1).id();
      assertThat(timeline.call(track(timeline, 1, 1).id(), 0, 20).orElseThrow().other())
          .isEqualTo(calls);
    }
  }

  /** None is longer than another: when there are too many, some are kept of all times. */
  @Test
  void ofVeryManyHandOffsSomeAreKeptOfAllTimes() {
    ArrowsAndCounters waits = new ArrowsAndCounters();
    int count = 600_000;
    for (int i = 0; i < count; i++) {
      waits.add(ArrowKind.HAND_OFF, i, i, i & 3, 1, 2);
    }
    int[] tenths = new int[10];
    boolean more =
        waits
            .of(ArrowKind.HAND_OFF)
            .read(
                0,
                count,
                1000,
                new WaitArrows.Taker() {
                  @Override
                  public boolean has(int thread, int other) {
                    return true;
                  }

                  @Override
                  public void take(long end, long length, int thread, int other, int method) {
                    tenths[(int) (end * 10 / count)]++;
                  }
                });
    assertThat(more).isTrue();
    for (int inTenth : tenths) {
      assertThat(inTenth).isBetween(60, 140);
    }
  }

  @Test
  void processNumbersThatAreNotKnownFitAll() throws Exception {
    KernelTracks kernel = new KernelTracks(recording, 1);
    recording.define(2, new Definition.TracedProcess(2, 0, 0, "java", ""));
    recording.thread(2, 1, "main").method(2, 1, "a.B", "run");
    recording.ring(2, 1, 1).enter(0, 1).leave(500, 1);
    kernel.thread(1, 7, 2001, "one").state(1, 10, 100, "blocked", "futex");
    try (Timeline timeline = open()) {
      assertThat(owner(timeline, 1)).isEqualTo(1);
    }
  }
}
