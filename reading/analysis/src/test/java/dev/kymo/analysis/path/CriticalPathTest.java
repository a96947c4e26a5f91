package dev.kymo.analysis.path;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.analysis.path.PathStep.Kind;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.format.Definition.TracedThread;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.testkit.KernelTracks;
import dev.kymo.testkit.RecordingBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs made around a path that is known, with waits beside it that do not matter. */
class CriticalPathTest {
  private static final int THREADS = 6;
  private static final int STEPS = 200;
  private static final int MAIN = 1;
  private static final int LOCK = 2;
  private static final int SLEEP = 3;
  private static final int KERNEL = 2;

  @TempDir Path directory;

  /** A step that the path must have. */
  private record Known(Kind kind, int thread, long begin, long end, String state) {}

  private final List<Known> path = new ArrayList<>();
  private final RecordingBuilder recording = new RecordingBuilder();
  private final KernelTracks kernel = new KernelTracks(recording.process(1), KERNEL);
  private final long[] free = new long[THREADS + 1];
  private boolean told;
  private boolean scheduled;

  /** What is told of a wait: by the program, by the kernel, or both, which is a bit earlier. */
  private void await(int thread, long begin, long end, int other, long late) {
    if (told) {
      int state = other == 0 ? SLEEP : LOCK;
      recording
          .ring(1, 10 + thread, 10 + thread)
          .enter(begin, state)
          .detail(end + late, thread, other == 0 ? 0 : 10 + other)
          .leave(end + late, state);
    }
    if (scheduled) {
      kernel.state(thread, told ? begin + 1 : begin, end, "blocked", "futex", other);
    }
  }

  private String state(int other) {
    return told ? other == 0 ? "sleep" : "lock" : "futex";
  }

  private void make(SplittableRandom random) {
    recording.method(1, MAIN, "a.Main", "main");
    recording.method(1, LOCK, "monitor", "lock").method(1, SLEEP, "sleep", "sleep");
    for (int thread = 1; thread <= THREADS; thread++) {
      recording.thread(1, thread, "t" + thread);
      if (told) {
        recording.states(1, 10 + thread, thread, "t" + thread);
      }
      if (scheduled) {
        recording.define(
            KERNEL,
            new TracedThread(thread, TracedThread.SCHEDULED, 1001, 2000 + thread, "t" + thread));
      }
      recording.ring(1, thread, thread).enter(0, MAIN);
    }
    long now = 0;
    int thread = 1 + random.nextInt(THREADS);
    for (int step = 0; step < STEPS; step++) {
      long end = now + 100 + random.nextInt(1000);
      if (random.nextInt(5) == 0) {
        long sleeps = now + 30;
        long wakes = end - 30;
        await(thread, sleeps, wakes, 0, 0);
        path.add(new Known(Kind.DID, thread, now, sleeps, ""));
        path.add(new Known(Kind.WAITED, thread, sleeps, wakes, state(0)));
        now = wakes;
      }
      int next = 1 + (thread + random.nextInt(THREADS - 1)) % THREADS;
      free[thread] = end;
      if (step == STEPS - 1) {
        path.add(new Known(Kind.DID, thread, now, end, ""));
      } else {
        path.add(new Known(Kind.DID, thread, now, end, state(thread)));
        letGo(random, thread, next, end);
        thread = next;
      }
      now = end;
    }
    for (int each = 1; each <= THREADS; each++) {
      recording.ring(1, each, each).leave(now + 1, MAIN);
    }
  }

  private void letGo(SplittableRandom random, int thread, int next, long end) {
    long since = free[next] + 10 + random.nextInt((int) Math.max(1, end - free[next] - 20));
    long before = since - free[next];
    if (before > 40 && random.nextBoolean()) { // somebody else did that, long ago
      await(next, free[next] + 10, since - 20, 1 + random.nextInt(THREADS), 0);
    }
    await(next, since, end, thread, told && scheduled ? random.nextInt(20) : 0);
  }

  @ParameterizedTest
  @CsvSource({"true,false,1", "false,true,2", "true,true,3", "true,true,4"})
  void isTheOneThatTheProgramWent(boolean asked, boolean byKernel, long seed) throws IOException {
    System.out.println("seed=" + seed);
    told = asked;
    scheduled = byKernel;
    SplittableRandom random = new SplittableRandom(seed);
    make(random);
    try (Timeline timeline =
        Timelines.open(recording.write(directory.resolve("r")), ProgressListener.NONE)) {
      long end = path.getLast().end();
      check(timeline, 0, end);
      for (int i = 0; i < 50; i++) {
        long to = 1 + random.nextLong(end);
        check(timeline, random.nextLong(to), to);
      }
    }
  }

  private void check(Timeline timeline, long from, long to) {
    List<Known> expected = new ArrayList<>();
    for (Known step : path) {
      long begin = Math.max(from, step.begin());
      long end = Math.min(to, step.end());
      if (begin < end) {
        String state = step.kind() == Kind.DID && end < step.end() ? "" : step.state();
        expected.add(new Known(step.kind(), step.thread(), begin, end, state));
      }
    }
    Known last = expected.getLast();
    CriticalPath found =
        CriticalPath.of(timeline, track(timeline, last.thread()), from, to, new Progress());
    assertThat(found.cut()).isFalse();
    assertThat(found.steps())
        .extracting(step ->
            new Known(
                step.kind(),
                timeline.tracks().get(step.track()).thread(),
                step.begin(),
                step.end(),
                step.state() < 0 ? "" : timeline.method(step.state()).name()))
        .containsExactlyElementsOf(expected);
    assertThat(found.steps())
        .allSatisfy(step -> assertThat(timeline.method(step.call()).name()).isEqualTo("main"));
  }

  private static int track(Timeline timeline, int thread) {
    return timeline.tracks().stream()
        .filter(track -> track.kind() == TrackKind.CALLS && track.thread() == thread)
        .findFirst()
        .orElseThrow()
        .id();
  }
}
