package dev.kymo.analysis.difference.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.analysis.selection.PlacedCall;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.format.Clock;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.CallDetail;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every call finds the one with its number among all calls by its path, which a test looks at. */
class CallMatchTest {
  private static final List<String> METHODS = List.of("run", "left", "right", "leaf");

  @TempDir Path directory;

  /** Threads of two roles that call at random; methods are numbered from {@code first} on. */
  private Timeline record(String name, long seed, int first, int calls) throws IOException {
    RecordingBuilder recording = new RecordingBuilder().process(1);
    recording.clock(new Clock(Clock.MONOTONIC, 1_000_000_000L, 7));
    METHODS.forEach(each -> recording.method(1, first + METHODS.indexOf(each), "a.App", each));
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 4; i++) {
      String thread = i == 3 ? "other" : "worker-" + (i + 1);
      recording.thread(1, i + 1, thread);
      StreamWriter ring = recording.ring(1, i, i + 1);
      long now = 100L + i;
      ring.enter(now, first);
      for (int call = 0; call < calls; call++) {
        int outer = first + 1 + random.nextInt(2);
        ring.enter(now += 1 + random.nextInt(90), outer);
        for (int leaf = random.nextInt(4); leaf > 0; leaf--) {
          ring.enter(now += 1 + random.nextInt(50), first + 3);
          ring.leave(now += random.nextInt(20), first + 3);
        }
        ring.leave(now += 1 + random.nextInt(9), outer);
      }
      ring.leave(now + 50, first);
    }
    return Timelines.open(recording.write(directory.resolve(name)), ProgressListener.NONE);
  }

  private static String path(Timeline timeline, CallDetail call) {
    StringBuilder path = new StringBuilder(call.track() == 3 ? "other" : "worker");
    call.callers().forEach(caller -> path.append(timeline.method(caller.method()).name()));
    return path.append(timeline.method(call.method()).name()).toString();
  }

  /** All calls by a path, in the order of their begins. */
  private static List<PlacedCall> all(Timeline timeline, String wanted) {
    List<PlacedCall> all = new ArrayList<>();
    for (int track = 0; track < 4; track++) {
      int of = track;
      timeline.calls(
          track,
          0,
          timeline.duration(),
          (depth, method, begin, end, flags) -> {
            CallDetail call = timeline.call(of, depth, begin).orElseThrow();
            if (call.begin() == begin && path(timeline, call).equals(wanted)) {
              all.add(new PlacedCall(of, depth, begin, end - begin));
            }
          });
    }
    all.sort(PlacedCall.BY_PLACE);
    return all;
  }

  private static CallMatch match(Timeline from, CallDetail call, Timeline to) {
    return CallMatch.of(from, call, to, "", new Progress());
  }

  @Test
  void theNumberCountsAndOfFewerTheLast() throws IOException {
    try (Timeline base = record("base", 1, 1, 60);
        Timeline fresh = record("new", 2, 40, 50)) {
      SplittableRandom random = new SplittableRandom(3);
      for (int i = 0; i < 30; i++) {
        int track = random.nextInt(4);
        CallDetail call = base.call(track, i % 3, random.nextLong(base.duration())).orElse(null);
        if (call == null) {
          continue;
        }
        String path = path(base, call);
        List<PlacedCall> own = all(base, path);
        List<PlacedCall> others = all(fresh, path);
        PlacedCall place =
            new PlacedCall(track, call.depth(), call.begin(), call.end() - call.begin());
        CallMatch match = match(base, call, fresh);
        assertThat(match.number()).as(path).isEqualTo(own.indexOf(place));
        assertThat(match.count()).isEqualTo(own.size());
        assertThat(match.otherCount()).isEqualTo(others.size());
        assertThat(match.otherNumber()).isEqualTo(Math.min(match.number(), others.size() - 1));
        assertThat(match.other()).contains(others.get((int) match.otherNumber()));
        assertThat(match.role().text()).isEqualTo(track == 3 ? "other" : "worker-#");
      }
    }
  }

  @Test
  void ofManyCallsTheTimeIsDivided() throws IOException {
    try (Timeline base = record("base", 1, 1, 800);
        Timeline fresh = record("new", 2, 1, 800)) {
      List<PlacedCall> others = all(fresh, "workerrunleftleaf");
      assertThat(others).hasSizeGreaterThan(1_500);
      PlacedCall place = all(base, "workerrunleftleaf").get(1_000);
      CallDetail call = base.call(place.track(), 2, place.begin()).orElseThrow();
      assertThat(match(base, call, fresh).other()).contains(others.get(1_000));
    }
  }

  @Test
  void threadsMayHaveAnotherName() throws IOException {
    try (Timeline base = record("base", 1, 1, 50);
        Timeline fresh = record("new", 2, 1, 50)) {
      CallDetail call = base.call(0, 0, 200).orElseThrow();
      CallMatch match = CallMatch.of(base, call, fresh, "other", new Progress());
      assertThat(match.otherCount()).isEqualTo(1);
      assertThat(match.other().map(PlacedCall::track)).contains(3);
      CallMatch none = CallMatch.of(base, call, fresh, "nobody", new Progress());
      assertThat(none.otherCount()).isZero();
      assertThat(none.other()).isEmpty();
    }
  }

  @Test
  void endsWhenNobodyWaitsAnyMore() throws IOException {
    try (Timeline base = record("base", 1, 1, 50)) {
      Progress progress = new Progress();
      progress.giveUp();
      CallDetail call = base.call(0, 0, 200).orElseThrow();
      assertThatThrownBy(() -> CallMatch.of(base, call, base, "", progress))
          .isInstanceOf(CancellationException.class);
    }
  }
}
