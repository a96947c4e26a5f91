package dev.kymo.editing.slice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.editing.clocks.ClockDrift;
import dev.kymo.format.Clock;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Gap;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.model.timeline.Track;
import dev.kymo.reader.Recording;
import dev.kymo.testkit.GrowingDirectory;
import dev.kymo.testkit.HoppingThreads;
import dev.kymo.testkit.RecordingBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Recordings that are shown as one while they are written become what a merge of them is. */
class GrowingMergeTest {
  private static final long STEP = 3_000_000;

  @TempDir Path folder;
  private final List<String> complaints = new ArrayList<>();

  private static RecordingMerge.Source source(Recording recording, long offset, long error) {
    OptionalLong known = error == 0 ? OptionalLong.empty() : OptionalLong.of(error);
    return new RecordingMerge.Source(
        recording, ClockDrift.constant(offset), known, "as the test says");
  }

  /** The second has begun later than the first, by its clock; the third comes late. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  @Timeout(600)
  void becomesWhatAMergeIs(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    List<Recording> wholes = new ArrayList<>();
    List<GrowingDirectory> grow = new ArrayList<>();
    List<Recording> live = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Path whole =
          HoppingThreads.recording(seed, 2000, i == 1).write(folder.resolve("r" + i + ".kymo"));
      wholes.add(Recording.open(whole));
      Path at = Files.createDirectory(folder.resolve("live" + i)).resolve("r" + i + ".kymo");
      grow.add(new GrowingDirectory(whole, at, random));
      live.add(Recording.open(at));
    }
    Path together = Files.createDirectory(folder.resolve("together.kymo"));
    Path merged = Files.createDirectory(folder.resolve("merged.kymo"));
    try (GrowingMerge merge = new GrowingMerge(together, live.getFirst(), complaints::add)) {
      merge.add(source(live.get(0), 0, 0));
      merge.add(source(live.get(1), 1_000_000_000, 0));
      long end = 0xFFFF_8000L;
      for (int step = 1; step <= 10; step++) {
        end += STEP * random.nextInt(1, 3000);
        if (step == 4) {
          merge.add(source(live.get(2), 2_000_000_000, 0));
        }
        for (GrowingDirectory one : grow) {
          one.show(end);
        }
        assertThat(merge.poll()).isTrue();
      }
      for (GrowingDirectory one : grow) {
        one.complete();
        one.close();
      }
      assertThat(merge.poll()).isFalse();
    }
    List<RecordingMerge.Source> sources = new ArrayList<>();
    for (Recording whole : wholes) {
      sources.add(source(whole, sources.size() * 1_000_000_000L, 0));
    }
    RecordingMerge.of(sources).write(merged, ProgressListener.NONE);
    assertThat(contents(together)).hasSizeGreaterThan(2000).isEqualTo(contents(merged));
    wholes.forEach(Recording::close);
    live.forEach(Recording::close);
  }

  /** Threads, calls and losses. */
  private static List<String> contents(Path recording) throws IOException {
    List<String> all = new ArrayList<>();
    try (Timeline timeline = Timelines.open(recording, ProgressListener.NONE)) {
      assertThat(timeline.oddities().stream().filter(odd -> !odd.contains("lost"))).isEmpty();
      for (Track track : timeline.tracks()) {
        String name = track.process() + " " + track.name() + ": ";
        timeline.calls(
            track.id(),
            0,
            Long.MAX_VALUE,
            (depth, method, begin, end, flags) ->
                all.add(
                    name
                        + timeline.method(method).qualifiedName()
                        + " "
                        + begin
                        + "-"
                        + end
                        + " "
                        + depth
                        + " "
                        + flags));
        for (Gap gap : timeline.gaps(track.id(), 0, Long.MAX_VALUE)) {
          all.add(name + gap);
        }
      }
    }
    all.sort(null);
    return all;
  }

  /** Who looks at it sees the events of both as soon as they are there. */
  @Test
  @Timeout(600)
  void isSeenWhileItGrows() throws Exception {
    List<GrowingDirectory> grow = new ArrayList<>();
    List<Recording> live = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      RecordingBuilder r = new RecordingBuilder().process(1);
      r.clock(new Clock(Clock.MONOTONIC, 1_000_000_000L, 1_700_000_000_000_000_000L));
      r.thread(1, 1, "t" + i).method(1, 7, "a.B", "m");
      r.ring(1, 1, 1).enter(100 + i, 7).leave(200, 7).enter(300, 7).leave(400, 7);
      Path whole = r.write(folder.resolve("whole" + i));
      grow.add(new GrowingDirectory(whole, folder.resolve("r" + i), new SplittableRandom(i)));
      live.add(Recording.open(grow.get(i).path()));
      grow.get(i).show(200);
    }
    Path together = Files.createDirectory(folder.resolve("together.kymo"));
    AtomicBoolean done = new AtomicBoolean();
    GrowingMerge merge = new GrowingMerge(together, live.getFirst(), complaints::add);
    merge.add(source(live.get(0), 0, 0));
    merge.add(source(live.get(1), 0, 0));
    try (Timeline timeline =
        Timelines.follow(
            together,
            () -> {
              if (!done.get() && !merge.poll()) {
                done.set(true);
                merge.close();
              }
            })) {
      assertThat(timeline.growing()).isTrue();
      assertThat(timeline.importing()).isFalse();
      assertThat(timeline.tracks()).extracting(Track::name).containsExactly("t0", "t1");
      assertThat(timeline.duration()).isEqualTo(100);
      for (GrowingDirectory one : grow) {
        one.complete();
      }
      while (timeline.growing()) {
        Thread.sleep(5);
      }
      assertThat(timeline.duration()).isEqualTo(300);
      assertThat(timeline.oddities()).isEmpty();
    }
    for (int i = 0; i < 2; i++) {
      grow.get(i).close();
      live.get(i).close();
    }
    assertThat(together.resolve(".rings")).doesNotExist();
  }

  /** Later readings say more of how a clock runs; nothing goes back, and the error is said. */
  @Test
  void whatBecomesKnownOfAClockCountsFromThenOn() throws Exception {
    RecordingBuilder r = new RecordingBuilder().process(1).thread(1, 1, "t").method(1, 7, "a", "m");
    r.clock(new Clock(Clock.MONOTONIC, 1_000_000_000L, 1_700_000_000_000_000_000L));
    r.ring(1, 1, 1).enter(100_000, 7).leave(200_000, 7).enter(300_000, 7).leave(400_000, 7);
    Path whole = r.write(folder.resolve("whole"));
    Path together = Files.createDirectory(folder.resolve("together.kymo"));
    try (GrowingDirectory grows =
            new GrowingDirectory(whole, folder.resolve("r"), new SplittableRandom(1));
        Recording live = Recording.open(grows.path());
        GrowingMerge merge = new GrowingMerge(together, live, complaints::add)) {
      merge.add(source(live, 0, 5));
      grows.show(200_000);
      merge.poll();
      merge.relate(0, source(live, -150_000, 25)); // 300 000 would be before 200 000
      grows.complete();
      merge.poll();
    }
    assertThat(contents(together))
        .containsExactly("1 t: a.m 0-100000 0 0", "1 t: a.m 100000-150000 0 0");
    try (Recording recording = Recording.open(together);
        Timeline timeline = Timelines.open(together, ProgressListener.NONE)) {
      assertThat(timeline.processes().getFirst().clockError()).isEqualTo(25);
      assertThat(recording.isGrowing()).isFalse();
    }
  }

  @Test
  void kernelEventsComeWhenARecordingIsComplete() throws Exception {
    Path together = Files.createDirectory(folder.resolve("together.kymo"));
    List<Recording> open = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      open.add(Recording.open(RecordingMergeTest.kernel(i).write(folder.resolve("r" + i))));
    }
    try (GrowingMerge merge = new GrowingMerge(together, open.getFirst(), complaints::add)) {
      for (Recording recording : open) {
        merge.add(source(recording, 0, 0));
      }
      assertThat(merge.poll()).isFalse();
    }
    open.forEach(Recording::close);
    assertThat(RecordingMergeTest.kernelEvents(together))
        .containsExactly("1010 note 0 text 0", "1011 note 1 text 1");
    try (Recording recording = Recording.open(together)) {
      assertThat(recording.oddities()).isEmpty();
    }
  }

  /** The others go on. */
  @Test
  void whatIsGoneIsSaidOnce() throws Exception {
    Path together = Files.createDirectory(folder.resolve("together.kymo"));
    List<GrowingDirectory> grow = new ArrayList<>();
    List<Recording> live = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      RecordingBuilder r = new RecordingBuilder().process(1).thread(1, 1, "t" + i);
      r.method(1, 7, "a.B", "m").ring(1, 1, 1).enter(100, 7).leave(200, 7);
      Path whole = r.write(folder.resolve("whole" + i));
      grow.add(new GrowingDirectory(whole, folder.resolve("r" + i), new SplittableRandom(i)));
      grow.get(i).show(200);
      live.add(Recording.open(grow.get(i).path()));
    }
    try (GrowingMerge merge = new GrowingMerge(together, live.getFirst(), complaints::add)) {
      merge.add(source(live.get(0), 0, 0));
      merge.add(source(live.get(1), 0, 0));
      Files.delete(folder.resolve("r0/metadata"));
      assertThat(merge.poll()).isTrue();
      assertThat(merge.poll()).isTrue();
      grow.get(1).complete();
      assertThat(merge.poll()).isFalse();
    }
    for (int i = 0; i < 2; i++) {
      grow.get(i).close();
      live.get(i).close();
    }
    assertThat(complaints).containsExactly("recording is gone: path=" + folder.resolve("r0"));
    assertThat(contents(together)).containsExactly("1 t1: a.B.m 0-100 0 0");
  }
}
