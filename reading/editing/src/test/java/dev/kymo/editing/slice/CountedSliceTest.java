package dev.kymo.editing.slice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.CountRecord;
import dev.kymo.format.CountersLayout;
import dev.kymo.format.Definition.MethodMode;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.counts.CountedCalls;
import dev.kymo.model.definitions.ModeStep;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.CallDetail;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.model.timeline.Track;
import dev.kymo.reader.Recording;
import dev.kymo.testkit.RecordingBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was counted, steps and states in slices. */
class CountedSliceTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long BASE = 1000;

  @TempDir Path directory;

  private int slices;

  private Path slice(Path from, SliceQuery query) throws IOException {
    Path to = Files.createDirectory(directory.resolve("slice-" + slices++));
    try (Recording recording = Recording.open(from)) {
      RecordingSlice.of(recording, query, ProgressListener.NONE).write(to, ProgressListener.NONE);
    }
    return to;
  }

  private static RecordingBuilder random(SplittableRandom random) {
    RecordingBuilder r = new RecordingBuilder().packetSize(3000).at(BASE - 10).process(1);
    for (int i = 1; i <= 3; i++) {
      r.method(1, 4 * i, "a.B", "m" + i).thread(1, i, "t" + i);
    }
    r.ring(1, 1, 1).enter(BASE, 4).leave(BASE + 20 * SECOND, 4);
    long[] calls = new long[10];
    int[][] histograms = new int[10][CountersLayout.BUCKETS];
    for (int round = 1; round <= 20; round++) {
      for (int i = 0; i < 9; i++) {
        if (random.nextBoolean()) {
          long more = random.nextInt(1000);
          calls[i] += more;
          histograms[i][CountersLayout.bucket(100)] += (int) more;
          CountRecord count =
              new CountRecord(
                  1 + i % 3,
                  4 + 4 * (i / 3),
                  MethodMode.TIMED,
                  calls[i],
                  calls[i],
                  calls[i] * 90,
                  calls[i] * 100,
                  110,
                  histograms[i]);
          r.counts(1).count(BASE + round * SECOND, count);
        }
      }
    }
    return r;
  }

  private static List<String> counted(Timeline timeline, long from, long to) {
    Map<String, String> all = new TreeMap<>();
    for (Track track : timeline.tracks()) {
      timeline.counts().between(track.id(), from, to, c -> put(timeline, track, c, all));
    }
    List<String> lines = new ArrayList<>();
    all.forEach((key, value) -> lines.add(key + value));
    return lines;
  }

  private static void put(Timeline timeline, Track track, CountedCalls c, Map<String, String> all) {
    all.put(
        track.name() + " " + timeline.method(c.method()).name(),
        " calls=%d timed=%d total=%d durations=%d max=%d histogram=%d"
            .formatted(
                c.calls(),
                c.timed(),
                c.total(),
                c.durations(),
                c.max(),
                c.histogram()[CountersLayout.bucket(100)]));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void aSliceHasTheCountsOfItsRange(long seed) throws Exception {
    System.out.println("seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    Path whole = random(random).write(directory.resolve("whole"));
    try (Timeline timeline = Timelines.open(whole, ProgressListener.NONE)) {
      for (int i = 0; i < 20; i++) {
        long from = i % 5 == 0 ? 0 : random.nextLong(timeline.duration());
        long to = i % 7 == 0 ? timeline.duration() : from + random.nextLong(8 * SECOND);
        Path part = slice(whole, new SliceQuery(from, to, thread -> true));
        try (Timeline sliced = Timelines.open(part, ProgressListener.NONE)) {
          assertThat(sliced.oddities()).isEmpty();
          assertThat(counted(sliced, 0, sliced.duration()))
              .as("from=%d to=%d", from, to)
              .isEqualTo(counted(timeline, from, to));
        }
      }
      Path one = slice(whole, new SliceQuery(0, Long.MAX_VALUE, thread -> thread.thread() == 2));
      try (Timeline sliced = Timelines.open(one, ProgressListener.NONE)) {
        assertThat(sliced.tracks()).extracting(Track::name).containsExactly("t2");
        assertThat(counted(timeline, 0, timeline.duration()))
            .containsAll(counted(sliced, 0, sliced.duration()));
      }
    }
  }

  @Test
  void stepsAndStatesAreCopied() throws Exception {
    RecordingBuilder r = new RecordingBuilder().at(5).process(1).thread(1, 1, "main");
    r.thread(1, 2, "other").states(1, 11, 1, "main").states(1, 12, 2, "other");
    r.method(1, 3, "a.B", "hot").method(1, 4, "monitor", "a.C").method(1, 5, "a.B", "run");
    r.probeCost(1, 50_000, 9_000, 6_000, 400);
    r.at(50).step(1, 3, MethodMode.LEFT_OUT, MethodMode.EVENTS, "too hot");
    r.at(900).step(1, 3, MethodMode.EVENTS, MethodMode.LEFT_OUT, "cool");
    r.ring(1, 1, 1).enter(10, 5).leave(800, 5);
    r.ring(1, 2, 2).enter(20, 5).leave(700, 5);
    r.ring(1, 3, 11).enter(100, 4).detail(200, 77, 12).leave(200, 4);
    r.ring(1, 3, 11).enter(300, 4).detail(600, 78, 12).leave(600, 4);
    Path whole = r.write(directory.resolve("whole"));
    try (Timeline sliced =
        Timelines.open(slice(whole, new SliceQuery(100, 400, t -> true)), ProgressListener.NONE)) {
      assertThat(sliced.steps()).extracting(ModeStep::reason).containsExactly("too hot");
      assertThat(sliced.method(sliced.steps().getFirst().method()).name()).isEqualTo("hot");
      assertThat(sliced.probeCost(1)).isPresent();
      Track states =
          sliced.tracks().stream()
              .filter(t -> t.kind() == TrackKind.STATES)
              .findAny()
              .orElseThrow();
      assertThat(sliced.tracks().get(states.of()).name()).isEqualTo("main");
      assertThat(sliced.call(states.id(), 0, 50).orElseThrow().object()).isEqualTo(77);
      Track other =
          sliced.tracks().stream().filter(t -> t.name().equals("other")).findAny().orElseThrow();
      assertThat(sliced.arrows(0, 1000, 9).arrows())
          .singleElement()
          .satisfies(arrow -> assertThat(arrow.fromTrack()).isEqualTo(other.id()));
    }
  }

  @Test
  void whatIsOpenAtTheEndIsKnownInEverySlice() throws Exception {
    RecordingBuilder r = new RecordingBuilder().at(5).process(1).thread(1, 1, "main");
    r.thread(1, 2, "other").states(1, 11, 1, "main").states(1, 12, 2, "other");
    r.method(1, 4, "monitor", "a.C").method(1, 5, "a.B", "run");
    r.ring(1, 1, 1).enter(10, 5).leave(800, 5);
    r.ring(1, 2, 2).enter(20, 5).leave(700, 5);
    r.ring(1, 3, 11).enter(100, 4).detail(100, 77, 12);
    Path whole = r.write(directory.resolve("whole"));
    try (Timeline sliced =
        Timelines.open(slice(whole, new SliceQuery(200, 400, t -> true)), ProgressListener.NONE)) {
      Track states =
          sliced.tracks().stream().filter(t -> t.name().equals("main")).toList().getLast();
      assertThat(states.kind()).isEqualTo(TrackKind.STATES);
      CallDetail wait = sliced.call(states.id(), 0, 50).orElseThrow();
      assertThat(wait.object()).isEqualTo(77);
      assertThat(sliced.tracks().get(wait.other()).name()).isEqualTo("other");
    }
  }
}
