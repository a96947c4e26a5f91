package dev.kymo.model.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.calls.Slice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Any window of random recordings, against the calls that were written. */
class WindowTest {
  private static final Comparator<RandomRecording.Call> BY_PLACE =
      Comparator.comparingInt(RandomRecording.Call::depth)
          .thenComparingLong(RandomRecording.Call::begin)
          .thenComparingLong(RandomRecording.Call::end)
          .thenComparingInt(RandomRecording.Call::method);

  @TempDir Path directory;

  record Got(int depth, int method, long begin, long end, long calls, int flags) {}

  /** How much may stay in memory and in the finest level decides which way answers take. */
  @ParameterizedTest
  @CsvSource({
    "1, 600, 1000000, 1000000",
    "2, 6000, 1000000, 1000000",
    "3, 6000, 100, 1000000",
    "4, 12000, 700, 0",
    "5, 9000, 1, 0",
    "6, 20000, 2000, 0",
    "7, 20000, 2000, 1000000"
  })
  void windowsHoldWhatWasWritten(long seed, int events, long buffered, long small)
      throws Exception {
    System.out.println("seed=" + seed);
    RandomRecording written = new RandomRecording(seed, events);
    Path path = written.builder.write(directory.resolve("random"));
    Timelines.Limits limits = new Timelines.Limits(200, small, buffered);
    try (Timeline made = Timelines.open(path, ProgressListener.NONE, limits)) {
      check(made, written, new SplittableRandom(seed));
    }
    FileTime before = Files.getLastModifiedTime(path.resolve(".index/contents"));
    try (Timeline opened = Timelines.open(path, ProgressListener.NONE, limits)) {
      check(opened, written, new SplittableRandom(seed));
    }
    assertThat(Files.getLastModifiedTime(path.resolve(".index/contents"))).isEqualTo(before);
  }

  private static void check(Timeline timeline, RandomRecording written, SplittableRandom random) {
    assertThat(timeline.oddities()).isEmpty();
    long all = timeline.tracks().stream().mapToLong(Track::events).sum();
    assertThat(LongStream.of(timeline.overview().events()).sum()).isEqualTo(all);
    for (Track track : timeline.tracks()) {
      List<RandomRecording.Call> calls = new ArrayList<>(written.calls);
      calls.removeIf(c -> c.thread() != track.thread());
      calls.sort(BY_PLACE);
      assertThat(track.calls()).isEqualTo(calls.size());
      check(timeline, track, calls, 0, timeline.duration(), 0);
      checkCalls(timeline, track, calls, 0, timeline.duration());
      for (int i = 0; i < 60; i++) {
        long from = random.nextLong(timeline.duration());
        long width = 1L << random.nextInt(34);
        long resolution = random.nextInt(3) == 0 ? 0 : width >> random.nextInt(12);
        check(timeline, track, calls, from, from + width, resolution);
        checkCalls(timeline, track, calls, from, from + width);
      }
      for (int i = 0; i < 30 && !calls.isEmpty(); i++) {
        checkCall(timeline, track, calls, calls.get(random.nextInt(calls.size())));
      }
    }
  }

  private static void check(
      Timeline timeline,
      Track track,
      List<RandomRecording.Call> calls,
      long from,
      long to,
      long resolution) {
    List<RandomRecording.Call> expected = new ArrayList<>(calls);
    expected.removeIf(c -> c.end() < from || c.begin() > to);
    List<Got> got = new ArrayList<>();
    timeline.slices(
        track.id(),
        from,
        to,
        resolution,
        (depth, method, begin, end, count, flags) ->
            got.add(new Got(depth, method, begin, end, count, flags)));
    String where =
        "track=%d from=%d to=%d resolution=%d".formatted(track.id(), from, to, resolution);
    List<RandomRecording.Call> singles = new ArrayList<>(expected);
    singles.removeIf(c -> c.end() - c.begin() < resolution);
    List<RandomRecording.Call> gotSingles = new ArrayList<>();
    for (Got g : got) {
      if (g.calls == 1 && g.end - g.begin >= resolution) {
        gotSingles.add(
            new RandomRecording.Call(track.thread(), g.depth, g.method, g.begin, g.end, g.flags));
      }
    }
    for (Got run : got) {
      if (run.calls > 1) {
        long methods =
            calls.stream()
                .filter(c -> c.depth() == run.depth)
                .filter(c -> c.begin() >= run.begin && c.end() <= run.end)
                .mapToInt(RandomRecording.Call::method)
                .distinct()
                .count();
        assertThat((run.flags & Slice.SAME_METHOD) != 0).as(where).isEqualTo(methods == 1);
      }
    }
    gotSingles.sort(BY_PLACE);
    assertThat(gotSingles).as(where).isEqualTo(singles);
    checkOrder(got, where);
    for (RandomRecording.Call call : expected) {
      assertThat(got)
          .as(where)
          .anyMatch(g -> g.depth == call.depth() && g.begin <= call.begin() && g.end >= call.end());
    }
    long inside = expected.stream().filter(c -> c.begin() >= from && c.end() <= to).count();
    assertThat(got.stream().mapToLong(Got::calls).sum()).as(where).isGreaterThanOrEqualTo(inside);
  }

  private static void checkCalls(
      Timeline timeline, Track track, List<RandomRecording.Call> calls, long from, long to) {
    List<RandomRecording.Call> expected = new ArrayList<>(calls);
    expected.removeIf(c -> c.end() < from || c.begin() > to);
    List<RandomRecording.Call> got = new ArrayList<>();
    timeline.calls(
        track.id(),
        from,
        to,
        (depth, method, begin, end, flags) -> {
          if (!got.isEmpty()) {
            RandomRecording.Call last = got.getLast();
            assertThat(
                    last.end() < end
                        || (last.end() == end && last.depth() >= depth)
                        || last.end() <= begin)
                .isTrue();
          }
          got.add(
              new RandomRecording.Call(
                  track.thread(), depth, method, begin, end, flags & Slice.ALL));
        });
    got.sort(BY_PLACE);
    assertThat(got).as("track=%d from=%d to=%d", track.id(), from, to).isEqualTo(expected);
  }

  private static void checkOrder(List<Got> got, String where) {
    for (int i = 1; i < got.size(); i++) {
      Got a = got.get(i - 1);
      Got b = got.get(i);
      assertThat(a.depth < b.depth || a.end <= b.begin).as("%s %s %s", where, a, b).isTrue();
    }
  }

  private static void checkCall(
      Timeline timeline, Track track, List<RandomRecording.Call> calls, RandomRecording.Call call) {
    long time = call.begin() + (call.end() - call.begin()) / 2;
    CallDetail detail = timeline.call(track.id(), call.depth(), time).orElseThrow();
    List<RandomRecording.Call> children = new ArrayList<>(calls);
    children.removeIf(
        c -> c.depth() != call.depth() + 1 || c.begin() < call.begin() || c.end() > call.end());
    assertThat(detail.method()).isEqualTo(call.method());
    assertThat(detail.begin()).isEqualTo(call.begin());
    assertThat(detail.end()).isEqualTo(call.end());
    assertThat(detail.flags()).isEqualTo(call.flags());
    assertThat(detail.children()).isEqualTo(children.size());
    long time2 = children.stream().mapToLong(c -> c.end() - c.begin()).sum();
    assertThat(detail.childTime()).isBetween(time2 - children.size(), time2 + children.size());
    assertThat(detail.callers()).hasSize(call.depth());
    for (int depth = 0; depth < call.depth(); depth++) {
      CallDetail.Caller caller = detail.callers().get(depth);
      int above = depth;
      assertThat(calls)
          .anyMatch(c ->
              c.depth() == above
                  && c.method() == caller.method()
                  && c.begin() == caller.begin()
                  && c.end() == caller.end()
                  && c.begin() <= call.begin()
                  && c.end() >= call.end());
    }
  }
}
