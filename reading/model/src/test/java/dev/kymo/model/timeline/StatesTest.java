package dev.kymo.model.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.model.arrows.Arrows;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.calls.Slice;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.reader.Recording;
import dev.kymo.testkit.GrowingStream;
import dev.kymo.testkit.RecordingBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What threads waited for, on tracks of their own, with who ended it. */
class StatesTest {
  private static final Timelines.Limits LIMITS = new Timelines.Limits(200, 1 << 12, 500);

  @TempDir Path directory;

  private static Track track(Timeline timeline, int thread) {
    return timeline.tracks().stream().filter(t -> t.thread() == thread).findFirst().orElseThrow();
  }

  /** The track that an arrow from this states thread comes from, as far as it is known. */
  private static int from(Timeline timeline, int other) {
    int calls = -1;
    for (Track track : timeline.tracks()) {
      if (other != 0 && track.thread() == other) {
        return track.id();
      }
      calls = track.thread() == other - RandomStates.STATES ? track.id() : calls;
    }
    return calls;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void everyStateIsThereWithItsDetail(long seed) throws Exception {
    RandomStates written = new RandomStates(seed, 4000);
    Path path = written.builder.write(directory.resolve("states"));
    for (int opened = 0; opened < 2; opened++) { // the second time by the index
      try (Timeline timeline = Timelines.open(path, ProgressListener.NONE, LIMITS)) {
        assertThat(timeline.oddities()).isEmpty();
        checkTracks(timeline);
        checkAll(timeline, written, Long.MAX_VALUE);
        checkDetails(timeline, written, seed);
      }
    }
  }

  private static void checkTracks(Timeline timeline) {
    for (int thread = 1; thread <= RandomStates.THREADS; thread++) {
      Track calls = track(timeline, thread);
      Track states = track(timeline, RandomStates.STATES + thread);
      assertThat(calls.kind()).isEqualTo(TrackKind.CALLS);
      assertThat(calls.of()).isEqualTo(-1);
      assertThat(calls.calls()).isEqualTo(1);
      assertThat(states.kind()).isEqualTo(TrackKind.STATES);
      assertThat(states.of()).isEqualTo(calls.id());
    }
    Track jvm = track(timeline, RandomStates.JVM);
    assertThat(jvm.kind()).isEqualTo(TrackKind.JVM);
    assertThat(jvm.of()).isEqualTo(-1);
  }

  /** States that end up to a clock. */
  private static void checkAll(Timeline timeline, RandomStates written, long until) {
    for (Track track : timeline.tracks()) {
      List<String> expected =
          written.states.stream()
              .filter(s -> s.thread() == track.thread() && s.end() <= until)
              .map(s -> text(timeline, written, s))
              .toList();
      List<String> found = new ArrayList<>();
      if (track.kind() != TrackKind.CALLS) {
        timeline.calls(track.id(), 0, timeline.duration(), collector(found));
        assertThat(found).as("%s", track).containsExactlyElementsOf(expected);
      }
    }
  }

  private static String text(Timeline timeline, RandomStates written, RandomStates.State s) {
    return "%d %d-%d %d %d"
        .formatted(
            s.method() - 10,
            s.begin() - written.base - 1,
            s.end() - written.base - 1,
            s.object(),
            from(timeline, s.other()));
  }

  private static CallVisitor collector(List<String> found) {
    return new CallVisitor() {
      private int object;
      private int other = -1;

      @Override
      public void detail(int objectOfNext, int otherOfNext) {
        object = objectOfNext;
        other = otherOfNext;
      }

      @Override
      public void call(int depth, int method, long begin, long end, int flags) {
        if ((flags & Slice.OPEN_END) == 0) {
          found.add("%d %d-%d %d %d".formatted(method - 1, begin, end, object, other));
        }
        object = 0;
        other = -1;
      }
    };
  }

  private static void checkDetails(Timeline timeline, RandomStates written, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 100; i++) {
      RandomStates.State s = written.states.get(random.nextInt(written.states.size()));
      Track track = track(timeline, s.thread());
      CallDetail detail = timeline.call(track.id(), 0, s.begin() - written.base - 1).orElseThrow();
      assertThat(detail.end()).isEqualTo(s.end() - written.base - 1);
      assertThat(detail.object()).isEqualTo(s.object());
      assertThat(detail.other()).isEqualTo(from(timeline, s.other()));
    }
  }

  /** One directly behind the other, as the kernel's are. */
  @Test
  void whatAStateTellsIsToldWhereverAWindowEnds() throws Exception {
    int states = 30_000;
    long length = 1_000_000;
    RecordingBuilder recording = new RecordingBuilder().process(1).thread(1, 1, "main");
    recording.states(1, 2, 1, "main").method(1, 1, "monitor", "a.Lock");
    recording.ring(1, 1, 1).enter(0, 1).leave(1, 1);
    for (int i = 0; i < states; i++) {
      long end = (i + 1) * length;
      recording.ring(1, 2, 2).enter(i * length, 1).detail(end, i + 1, 2).leave(end, 1);
    }
    Path path = recording.write(directory.resolve("adjacent"));
    try (Timeline timeline = Timelines.open(path, ProgressListener.NONE)) {
      for (int i = 0; i < 20; i++) {
        List<String> found = new ArrayList<>();
        long at = i * length + length / 2;
        timeline.calls(1, at, at, collector(found));
        assertThat(found)
            .containsExactly(
                "%d %d-%d %d %d".formatted(-1, i * length, (i + 1) * length, i + 1, 1));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {3, 4})
  void arrowsAreThoseOfTheLongestWaits(long seed) throws Exception {
    RandomStates written = new RandomStates(seed, 4000);
    Path path = written.builder.write(directory.resolve("arrows"));
    SplittableRandom random = new SplittableRandom(seed);
    for (int opened = 0; opened < 2; opened++) {
      try (Timeline timeline = Timelines.open(path, ProgressListener.NONE)) {
        for (int i = 0; i < 100; i++) {
          long from = random.nextLong(timeline.duration());
          long to = from + (1L << random.nextInt(30));
          checkArrows(timeline, written, from, to, 1 + random.nextInt(200));
        }
        checkArrows(timeline, written, 0, Long.MAX_VALUE, Integer.MAX_VALUE);
        assertThat(timeline.arrows(0, Long.MAX_VALUE, 0).arrows()).isEmpty();
      }
    }
  }

  private static void checkArrows(
      Timeline timeline, RandomStates written, long from, long to, int max) {
    List<Arrows.Arrow> all =
        written.states.stream()
            .filter(s -> s.end() - written.base > from && s.end() - written.base - 1 <= to)
            .filter(s -> from(timeline, s.other()) >= 0)
            .map(s -> arrow(timeline, written, s))
            .sorted(Comparator.comparingLong(Arrows.Arrow::waited).reversed())
            .toList();
    Arrows found = timeline.arrows(from, to, max);
    assertThat(found.longestOnly()).isEqualTo(all.size() > max);
    assertThat(found.arrows())
        .hasSize(Math.min(max, all.size()))
        .isSubsetOf(all)
        .isSortedAccordingTo(Comparator.comparingLong(Arrows.Arrow::time));
    assertThat(found.arrows().stream().map(Arrows.Arrow::waited).sorted().toList())
        .isEqualTo(all.stream().limit(max).map(Arrows.Arrow::waited).sorted().toList());
  }

  private static Arrows.Arrow arrow(Timeline timeline, RandomStates written, RandomStates.State s) {
    return new Arrows.Arrow(
        s.end() - written.base - 1,
        s.end() - s.begin(),
        from(timeline, s.other()),
        track(timeline, s.thread()).id(),
        s.method() - 9);
  }

  @Test
  void anArrowComesFromTheCallsOfAThreadThatNeverWaited() throws Exception {
    RecordingBuilder r = new RecordingBuilder().process(1).method(1, 1, "lock", "a.B");
    r.thread(1, 1, "one").thread(1, 2, "two").states(1, 11, 1, "one").states(1, 12, 2, "two");
    r.ring(1, 1, 1).enter(10, 1).leave(90, 1);
    r.ring(1, 2, 2).enter(20, 1).leave(80, 1);
    r.ring(1, 3, 11).enter(30, 1).detail(40, 7, 12).leave(40, 1);
    try (Timeline timeline =
        Timelines.open(r.write(directory.resolve("one")), ProgressListener.NONE)) {
      int calls = track(timeline, 2).id();
      int states = track(timeline, 11).id();
      assertThat(timeline.arrows(0, 100, 10).arrows())
          .containsExactly(new Arrows.Arrow(30, 10, calls, states, 0));
      assertThat(timeline.call(states, 0, 25).orElseThrow().other()).isEqualTo(calls);
    }
  }

  /** Its detail comes with its begin, or long after it, and lies between those of others. */
  @Test
  void whatIsOpenAtTheEndHasItsDetail() throws Exception {
    RecordingBuilder r = new RecordingBuilder().process(1).method(1, 1, "monitor", "a.B");
    r.thread(1, 1, "one").thread(1, 2, "two").states(1, 11, 1, "one").states(1, 12, 2, "two");
    r.states(1, 13, 3, "three").ring(1, 1, 1).enter(10, 1).leave(190, 1);
    r.ring(1, 2, 2).enter(20, 1).leave(180, 1);
    r.ring(1, 3, 11).enter(30, 1).detail(30, 7, 12);
    r.ring(1, 4, 12).enter(40, 1).switchTo(50, 13).enter(50, 1).detail(60, 9, 11).leave(60, 1);
    r.ring(1, 5, 12).detail(100, 8, 11);
    Path path = r.write(directory.resolve("open"));
    for (int opened = 0; opened < 2; opened++) { // also from the index
      try (Timeline timeline = Timelines.open(path, ProgressListener.NONE)) {
        assertThat(found(timeline, 11)).isEqualTo("20-180 7 " + track(timeline, 12).id() + " open");
        assertThat(found(timeline, 12)).isEqualTo("30-180 8 " + track(timeline, 11).id() + " open");
        assertThat(found(timeline, 13)).isEqualTo("40-50 9 " + track(timeline, 11).id());
        CallDetail detail = timeline.call(track(timeline, 11).id(), 0, 170).orElseThrow();
        assertThat(detail.object()).isEqualTo(7);
        assertThat(detail.other()).isEqualTo(track(timeline, 12).id());
        assertThat(timeline.arrows(0, 200, 10).arrows()).hasSize(1);
      }
    }
  }

  private static String found(Timeline timeline, int thread) {
    StringBuilder found = new StringBuilder();
    timeline.calls(
        track(timeline, thread).id(),
        0,
        timeline.duration(),
        new CallVisitor() {
          private String detail = "";

          @Override
          public void detail(int object, int other) {
            detail = " " + object + " " + other;
          }

          @Override
          public void call(int depth, int method, long begin, long end, int flags) {
            String open = (flags & Slice.OPEN_END) == 0 ? "" : " open";
            found.append(begin).append('-').append(end).append(detail).append(open);
          }
        });
    return found.toString();
  }

  /** The stream of states lags behind the others and behind what is said to be complete. */
  @ParameterizedTest
  @ValueSource(longs = {5, 6, 7})
  @Timeout(600)
  void statesMayComeLate(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    RandomStates written = new RandomStates(seed, 2000);
    Path whole = written.builder.write(directory.resolve("whole"));
    Path live = Files.createDirectory(directory.resolve("live"));
    List<GrowingStream> rings = new ArrayList<>();
    GrowingStream late = null;
    try (var files = Files.list(whole)) {
      for (Path file : files.toList()) {
        Path to = live.resolve(String.valueOf(file.getFileName()));
        GrowingStream stream =
            file.toString().contains("-ring-")
                ? new GrowingStream(to, Files.readAllBytes(file), 2048, random)
                : null;
        if (stream == null) {
          Files.copy(file, to);
        } else if (file.endsWith("p1-ring-" + RandomStates.STATES_RING)) {
          late = stream;
        } else {
          rings.add(stream);
        }
      }
    }
    assertThat(late).isNotNull();
    follow(live, written, rings, late, random);
    try (Timeline opened = Timelines.open(live, ProgressListener.NONE)) {
      checkAll(opened, written, Long.MAX_VALUE);
      checkArrows(opened, written, 0, Long.MAX_VALUE, 50);
    }
  }

  @Test
  void thePassInTheOrderOfTimeHasTheDetails() throws Exception {
    RandomStates written = new RandomStates(8, 4000);
    List<String> found = new ArrayList<>();
    CallSink sink =
        call -> {
          if (call.hasDetail()) {
            int thread = call.thread().thread();
            found.add(
                "%d %d at %d: %d %d"
                    .formatted(call.begin(), thread, call.end(), call.object(), call.other()));
          }
        };
    try (Recording recording = Recording.open(written.builder.write(directory.resolve("pass")))) {
      CallPass pass = CallPass.open(recording);
      pass.runMerged(sink, thread -> true);
      assertThat(pass.oddities()).isEmpty();
    }
    assertThat(found)
        .containsExactlyInAnyOrderElementsOf(
            written.states.stream()
                .filter(RandomStates.State::hasDetail)
                .map(s ->
                    "%d %d at %d: %d %d"
                        .formatted(s.begin(), s.thread(), s.end(), s.object(), s.other()))
                .toList());
  }

  @Test
  @Timeout(600)
  void whatComesLateMayHaveBeenBeforeTheFirstEvent() throws Exception {
    RecordingBuilder r = new RecordingBuilder().process(1).method(1, 1, "", "pause");
    r.thread(1, 1, "main").jvm(1, 2, "GC").packetSize(4000);
    r.ring(1, 1, 1).enter(1000, 1).leave(3000, 1);
    r.ring(1, 2, 2).enter(100, 1).leave(200, 1).enter(900, 1).leave(1500, 1);
    Path whole = r.write(directory.resolve("whole"));
    Path live = Files.createDirectory(directory.resolve("live"));
    for (String file : List.of("metadata", "p0-definitions", "p1-definitions", "p1-ring-1")) {
      Files.copy(whole.resolve(file), live.resolve(file));
    }
    try (FileChannel lock =
        FileChannel.open(
            live.resolve(".rings"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      lock.lock();
      present(live, 4000);
      try (Timeline timeline = Timelines.follow(live, ProgressListener.NONE)) {
        assertThat(timeline.tracks()).hasSize(1);
        Files.copy(whole.resolve("p1-ring-2"), live.resolve("p1-ring-2"));
        Files.delete(live.resolve(".rings"));
        while (timeline.growing()) {
          Thread.sleep(5);
        }
        assertThat(timeline.oddities()).isEmpty();
        // Events had to be moved: an index of that is not kept, and in nobody's way.
        assertThat(live.resolve(".index/contents")).doesNotExist();
        Timelines.index(live, ProgressListener.NONE);
        assertThat(live.resolve(".index/contents")).exists();
        List<String> moved = new ArrayList<>();
        timeline.calls(track(timeline, 2).id(), 0, 5000, collector(moved));
        assertThat(moved).containsExactly("-1 0-0 0 -1", "-1 0-500 0 -1");
      }
    }
    assertThat(live.resolve(".index/contents")).exists();
    try (Timeline timeline = Timelines.open(live, ProgressListener.NONE)) {
      List<String> found = new ArrayList<>();
      timeline.calls(track(timeline, 2).id(), 0, 5000, collector(found));
      assertThat(found).containsExactly("-1 0-100 0 -1", "-1 800-1400 0 -1");
    }
  }

  private static void follow(
      Path live,
      RandomStates written,
      List<GrowingStream> rings,
      GrowingStream late,
      SplittableRandom random)
      throws Exception {
    try (FileChannel lock =
        FileChannel.open(
            live.resolve(".rings"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      lock.lock();
      present(live, written.base - 1);
      try (Timeline timeline = Timelines.follow(live, ProgressListener.NONE)) {
        long length = written.end - written.base;
        long lateClock = 0;
        for (int step = 0; step <= 8; step++) {
          long clock = written.base + 10 + length * step / 9;
          for (GrowingStream ring : rings) {
            ring.show(clock);
          }
          present(live, clock);
          lateClock = Math.max(lateClock, clock - random.nextLong(length / 4));
          late.show(lateClock);
          awaitStates(timeline, written, lateClock);
          checkAll(timeline, written, lateClock);
          checkArrows(timeline, written, 0, lateClock - written.base - 1, 50);
        }
        for (GrowingStream ring : rings) {
          ring.showAll();
        }
        late.showAll();
        Files.delete(live.resolve(".rings"));
        while (timeline.growing()) {
          Thread.sleep(5);
        }
        assertThat(timeline.oddities()).isEmpty();
        checkTracks(timeline);
        checkAll(timeline, written, Long.MAX_VALUE);
      }
    }
  }

  private static void awaitStates(Timeline timeline, RandomStates written, long clock)
      throws InterruptedException {
    long states = written.states.stream().filter(s -> s.end() <= clock).count();
    long found = -1;
    while (found < states) {
      Thread.sleep(5);
      found = 0;
      for (Track track : timeline.tracks()) {
        found += track.kind() == TrackKind.CALLS ? 0 : track.calls();
      }
    }
  }

  private static void present(Path live, long clock) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, clock);
    Files.write(live.resolve(".present"), bytes.array());
  }
}
