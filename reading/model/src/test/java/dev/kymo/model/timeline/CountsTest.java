package dev.kymo.model.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kymo.format.CountRecord;
import dev.kymo.format.CountersLayout;
import dev.kymo.format.Definition.MethodMode;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.counts.CountLog;
import dev.kymo.model.counts.CountedCalls;
import dev.kymo.model.counts.Counts;
import dev.kymo.model.definitions.ModeStep;
import dev.kymo.reader.Recording;
import dev.kymo.testkit.RecordingBuilder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counted calls: the whole is exact, parts add up to it, and lie where they were counted. */
class CountsTest {
  private static final long SECOND = 1_000_000_000L;

  @TempDir Path directory;

  /** What a random program has counted, with all readings. */
  private static final class Random {
    final RecordingBuilder builder = new RecordingBuilder().packetSize(3000).at(90);
    final Map<String, long[]> sums = new HashMap<>();
    final int threads = 4;
    final int methods = 6;
    final long end;
    private final SplittableRandom random;

    Random(long seed, int rounds) {
      random = new SplittableRandom(seed);
      builder.process(1);
      for (int method = 1; method <= methods; method++) {
        builder.method(1, method, "a.B", "m" + method);
      }
      for (int thread = 1; thread <= threads; thread++) {
        builder.thread(1, thread, "t" + thread);
      }
      builder.ring(1, 1, 1).enter(100, 1).leave(200, 1); // the others have counts only
      long now = 100;
      for (int round = 0; round < rounds; round++) {
        now += round == rounds - 1 ? SECOND / 4 : SECOND;
        read(now);
      }
      end = now;
    }

    private void read(long now) {
      for (int thread = 1; thread <= threads; thread++) {
        for (int method = 1; method <= methods; method++) {
          for (int mode = MethodMode.TIMED; mode <= MethodMode.SAMPLED; mode++) {
            if (random.nextInt(3) == 0) {
              grow(now, thread, method, mode);
            }
          }
        }
      }
    }

    private void grow(long now, int thread, int method, int mode) {
      long[] sum =
          sums.computeIfAbsent(
              thread + "/" + method + "/" + mode, k -> new long[5 + CountersLayout.BUCKETS]);
      for (int i = random.nextInt(20); i >= 0; i--) {
        long ticks = 1L << random.nextInt(30);
        sum[0] += mode == MethodMode.SAMPLED ? 1 + random.nextInt(100_000) : 1;
        sum[1]++;
        sum[2] += random.nextInt(4) == 0 ? 0 : ticks;
        sum[3] += ticks;
        sum[4] = Math.max(sum[4], ticks);
        sum[5 + CountersLayout.bucket(ticks)]++;
      }
      int[] histogram = new int[CountersLayout.BUCKETS];
      for (int i = 0; i < histogram.length; i++) {
        histogram[i] = (int) sum[5 + i];
      }
      builder
          .counts(1)
          .count(
              now,
              new CountRecord(
                  thread, method, mode, sum[0], sum[1], sum[2], sum[3], sum[4], histogram));
    }

    String key(Track track, CountedCalls c) {
      return track.thread() + "/" + (c.method() + 1) + "/" + c.mode();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void theWholeIsExact(long seed) throws Exception {
    Random written = new Random(seed, 20);
    Path path = written.builder.write(directory.resolve("counts"));
    for (int opened = 0; opened < 2; opened++) { // the second time by the index
      try (Timeline timeline = Timelines.open(path, ProgressListener.NONE)) {
        assertThat(timeline.oddities()).isEmpty();
        assertThat(timeline.duration()).isEqualTo(written.end - 100);
        checkWhole(timeline, written);
      }
    }
  }

  private static void checkWhole(Timeline timeline, Random written) {
    assertThat(timeline.tracks()).hasSize(written.threads);
    Map<String, List<Long>> found = new HashMap<>();
    Map<String, List<Long>> expected = new HashMap<>();
    for (Track track : timeline.tracks()) {
      timeline
          .counts()
          .between(
              track.id(), 0, timeline.duration(), c -> found.put(written.key(track, c), all(c)));
      long calls =
          written.sums.entrySet().stream()
              .filter(e -> e.getKey().startsWith(track.thread() + "/"))
              .mapToLong(e -> e.getValue()[0])
              .sum();
      assertThat(track.counted()).isEqualTo(calls);
      assertThat(
              timeline.counts().periods(track.id(), 0, timeline.duration()).stream()
                  .mapToLong(Counts.Period::calls)
                  .sum())
          .isEqualTo(calls);
    }
    written.sums.forEach((key, sum) -> expected.put(key, boxed(sum)));
    assertThat(found).isEqualTo(expected);
  }

  private static List<Long> boxed(long[] sum) {
    List<Long> all = new ArrayList<>();
    for (long number : sum) {
      all.add(number);
    }
    return all;
  }

  private static List<Long> all(CountedCalls c) {
    List<Long> all =
        new ArrayList<>(List.of(c.calls(), c.timed(), c.total(), c.durations(), c.max()));
    all.addAll(boxed(c.histogram()));
    return all;
  }

  @Test
  void partsAddUpToTheWhole() throws Exception {
    Random written = new Random(9, 30);
    SplittableRandom random = new SplittableRandom(9);
    Path path = written.builder.write(directory.resolve("parts"));
    try (Timeline timeline = Timelines.open(path, ProgressListener.NONE)) {
      for (int i = 0; i < 50; i++) {
        long a = random.nextLong(timeline.duration());
        long b = a + random.nextLong(timeline.duration() - a);
        int track = random.nextInt(written.threads);
        long[] whole = new long[3];
        long[] parts = new long[3];
        add(timeline, track, 0, timeline.duration(), whole);
        add(timeline, track, 0, a, parts);
        add(timeline, track, a, b, parts);
        add(timeline, track, b, timeline.duration(), parts);
        assertThat(parts).isEqualTo(whole);
      }
    }
  }

  private static void add(Timeline timeline, int track, long from, long to, long[] sums) {
    timeline
        .counts()
        .between(
            track,
            from,
            to,
            c -> {
              sums[0] += c.calls();
              sums[1] += c.durations();
              for (long timed : c.histogram()) {
                sums[2] += timed;
              }
            });
  }

  private static CountRecord counted(int thread, int method, long calls, long nanos) {
    int[] histogram = new int[CountersLayout.BUCKETS];
    histogram[CountersLayout.bucket(nanos)] = (int) calls;
    return new CountRecord(
        thread,
        method,
        MethodMode.TIMED,
        calls,
        calls,
        calls * nanos,
        calls * nanos,
        nanos,
        histogram);
  }

  private static RecordingBuilder simple() {
    RecordingBuilder r = new RecordingBuilder().process(1).method(1, 1, "a.B", "one");
    r.method(1, 2, "a.B", "two").thread(1, 1, "main").thread(1, 2, "other");
    r.ring(1, 1, 1).enter(0, 1).leave(10, 1);
    return r;
  }

  @Test
  void nothingIsCountedBeforeItWas() throws Exception {
    RecordingBuilder r = simple();
    CountRecord known = counted(1, 1, 100, 10);
    var spent = new CountRecord.Spent(1000, 600, 4, 100, 0, 30 * SECOND);
    r.counts(1)
        .count(
            36 * SECOND,
            new CountRecord(
                1, 1, MethodMode.TIMED, 100, 100, 1000, 1000, 10, known.histogram(), spent));
    try (Timeline timeline =
        Timelines.open(r.write(directory.resolve("late")), ProgressListener.NONE)) {
      Counts counts = timeline.counts();
      assertThat(counts.periods(0, 0, timeline.duration()))
          .containsExactly(new Counts.Period(30 * SECOND, 36 * SECOND, 100));
      List<CountedCalls> half = new ArrayList<>();
      counts.between(0, 0, 30 * SECOND, half::add);
      assertThat(half).isEmpty();
      counts.between(0, 33 * SECOND, 36 * SECOND, half::add);
      assertThat(half.getFirst().calls()).isEqualTo(50);
      assertThat(half.getFirst().spent())
          .isEqualTo(new CountedCalls.Spent(500, 300, 2 * 1024.0 * 1024, 100, 0));
    }
  }

  @Test
  void whatDidNotGrowWasReadAllTheSame() throws Exception {
    RecordingBuilder r = simple();
    r.counts(1).count(SECOND, counted(1, 1, 100, 10));
    for (int round = 2; round < 10; round++) {
      r.counts(1).count(round * SECOND, counted(2, 1, 10L * round, 5));
    }
    r.counts(1).count(10 * SECOND + 1000, counted(1, 1, 300, 20));
    try (Timeline timeline =
        Timelines.open(r.write(directory.resolve("idle")), ProgressListener.NONE)) {
      Counts counts = timeline.counts();
      assertThat(counts.periods(0, 0, timeline.duration()))
          .containsExactly(
              new Counts.Period(0, SECOND, 100),
              new Counts.Period(9 * SECOND, 10 * SECOND + 1000, 200));
      counts.between(0, SECOND, 9 * SECOND, c -> assertThat(c).isNull());
      List<CountedCalls> half = new ArrayList<>();
      counts.between(0, 0, SECOND / 2, half::add);
      assertThat(half).singleElement().satisfies(c -> assertThat(c.calls()).isEqualTo(50));
      assertThat(half.getFirst().max()).isEqualTo(10);
    }
  }

  @Test
  void aThreadThatHasEndedIsReadByItself() throws Exception {
    RecordingBuilder r = simple();
    r.counts(1).count(SECOND, counted(1, 1, 100, 10));
    r.counts(1).count(SECOND * 19 / 10, counted(2, 2, 7, 10));
    r.counts(1).count(2 * SECOND, counted(1, 1, 200, 10));
    try (Timeline timeline =
        Timelines.open(r.write(directory.resolve("ended")), ProgressListener.NONE)) {
      List<CountedCalls> middle = new ArrayList<>();
      timeline.counts().between(0, SECOND, SECOND * 3 / 2, middle::add);
      assertThat(middle).hasSize(1);
      assertThat(middle.getFirst().calls()).isCloseTo(50, within(6L));
    }
  }

  @Test
  void ofVeryManyReadingsTheSumsStayExact() throws Exception {
    Random written = new Random(4, 200);
    Path path = written.builder.write(directory.resolve("many"));
    try (Recording recording = Recording.open(path)) {
      CallPass pass = CallPass.open(recording);
      CountLog log =
          new CountLog(pass.definitions().methods(), recording.metadata().clock(), 20_000);
      log.read(recording, pass.diagnostics());
      int[] readings = new int[1];
      Map<String, Long> calls = new HashMap<>();
      for (CountLog.Owner owner : log.owners()) {
        log.read(
            owner,
            0,
            (series, begin, end, was, is) -> {
              readings[0]++;
              assertThat(end).isGreaterThanOrEqualTo(begin);
              calls.put(owner.thread() + "/" + (series.method() + 1) + "/" + series.mode(), is[0]);
            });
      }
      assertThat(readings[0]).isLessThan(1000);
      written.sums.forEach((key, sum) -> assertThat(calls).containsEntry(key, sum[0]));
    }
  }

  @Test
  void theSinglePassHasThemToo() throws Exception {
    RecordingBuilder r = simple();
    r.at(5).step(1, 2, MethodMode.TIMED, MethodMode.EVENTS, "hot: calls=9");
    r.probeCost(1, 50_000, 9_000, 6_000, 400);
    r.counts(1).count(SECOND, counted(2, 2, 100, 10)).count(SECOND, counted(77, 66, 3, 10));
    try (Recording recording = Recording.open(r.write(directory.resolve("pass")))) {
      CallPass pass = CallPass.open(recording);
      pass.run(CallSink.NONE, thread -> true, ProgressListener.NONE);
      assertThat(pass.threads()).hasSize(3);
      assertThat(pass.counts().calls(1)).isEqualTo(100);
      assertThat(pass.threads().get(2).definition().name()).isEqualTo("thread 77");
      pass.counts()
          .between(
              2,
              0,
              SECOND,
              c ->
                  assertThat(pass.definitions().methods().get(c.method()).name())
                      .isEqualTo("method 66"));
      assertThat(pass.steps())
          .containsExactly(
              new ModeStep(5, 1, 1, MethodMode.TIMED, MethodMode.EVENTS, "hot: calls=9"));
      assertThat(pass.probeCost(1).orElseThrow().inside()).isEqualTo(9_000);
      assertThat(pass.ownCosts()).isEmpty();
    }
  }

  /** Its counters are read up to a second after it, and others' go on. */
  @Test
  void noCallsAreCountedAfterAThreadHasEnded() throws Exception {
    RecordingBuilder builder = new RecordingBuilder().process(1).thread(1, 1, "t").at(90);
    builder.thread(1, 2, "open").method(1, 1, "a.B", "m").method(1, 2, "a.B", "n");
    builder.ring(1, 1, 1).enter(100, 1).leave(3 * SECOND / 2, 1);
    builder.ring(1, 2, 2).enter(100, 1);
    for (int thread = 1; thread <= 2; thread++) {
      for (int second = 1; second <= 2; second++) {
        builder.counts(1).count(second * SECOND, counted(thread, 2, 10L * second, 10));
      }
    }
    try (Timeline timeline =
        Timelines.open(builder.write(directory.resolve("r")), ProgressListener.NONE)) {
      for (int track = 0; track < 2; track++) {
        long end = (track == 0 ? 3 * SECOND / 2 : 2 * SECOND) - 100;
        assertThat(timeline.tracks().get(track).end()).isEqualTo(end);
        List<Counts.Period> periods = timeline.counts().periods(track, 0, 9 * SECOND);
        assertThat(periods.getLast().to()).isEqualTo(end);
        List<CountedCalls> counted = new ArrayList<>();
        timeline.counts().between(track, 0, end, counted::add);
        assertThat(counted).extracting(CountedCalls::calls).containsExactly(20L);
        timeline.counts().between(track, end, 9 * SECOND, c -> assertThat(c).isNull());
      }
    }
  }

  @Test
  void aRecordingOfNothingButCountsHasTracks() throws Exception {
    RecordingBuilder r = new RecordingBuilder().at(50).process(1).method(1, 1, "a.B", "one");
    r.thread(1, 1, "main").counts(1).count(SECOND, counted(1, 1, 9, 10));
    Path path = r.write(directory.resolve("only"));
    for (int opened = 0; opened < 2; opened++) {
      try (Timeline timeline = Timelines.open(path, ProgressListener.NONE)) {
        Track main = timeline.tracks().getFirst();
        assertThat(main.counted()).isEqualTo(9);
        assertThat(main.events()).isZero();
        assertThat(main.begin()).isZero();
        assertThat(main.end()).isEqualTo(SECOND - 50);
        assertThat(timeline.call(0, 0, 10)).isEmpty();
        timeline.calls(
            0, 0, SECOND, (depth, method, begin, end, flags) -> assertThat(method).isNull());
        timeline.slices(
            0,
            0,
            SECOND,
            0,
            (depth, method, begin, end, calls, flags) -> assertThat(depth).isNull());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {5, 6})
  @Timeout(600)
  void growWithTheRecording(long seed) throws Exception {
    Random written = new Random(seed, 12);
    Path whole = written.builder.write(directory.resolve("whole"));
    Path live = Files.createDirectory(directory.resolve("live"));
    for (String file : List.of("metadata", "p0-definitions", "p1-definitions", "p1-ring-1")) {
      Files.copy(whole.resolve(file), live.resolve(file));
    }
    byte[] counts = Files.readAllBytes(whole.resolve("p1-counts"));
    try (FileChannel lock =
        FileChannel.open(
            live.resolve(".rings"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      lock.lock();
      Files.write(
          live.resolve(".present"),
          ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, 300).array());
      try (Timeline timeline = Timelines.follow(live, ProgressListener.NONE)) {
        Path file = live.resolve("p1-counts");
        Files.write(file, java.util.Arrays.copyOf(counts, counts.length / 2)); // cuts a packet
        while (timeline.tracks().stream().mapToLong(Track::counted).sum() == 0) {
          Thread.sleep(5);
        }
        Files.write(
            file,
            java.util.Arrays.copyOfRange(counts, counts.length / 2, counts.length),
            StandardOpenOption.APPEND);
        Files.delete(live.resolve(".rings"));
        while (timeline.growing()) {
          Thread.sleep(5);
        }
        assertThat(timeline.oddities()).isEmpty();
        checkWhole(timeline, written);
      }
    }
    try (Timeline opened = Timelines.open(live, ProgressListener.NONE)) {
      checkWhole(opened, written);
    }
  }
}
