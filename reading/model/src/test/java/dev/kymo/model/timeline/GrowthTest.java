package dev.kymo.model.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.calls.Slice;
import dev.kymo.testkit.GrowingDirectory;
import dev.kymo.testkit.RecordingBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A timeline that follows shows at each moment what has happened by then, and leaves an index. */
@Tag("slow")
class GrowthTest {
  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  @Timeout(600)
  void growsWithTheRecording(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    RandomRecording written = new RandomRecording(seed, 6000);
    Path whole = written.builder.write(directory.resolve("whole"));
    Path live = directory.resolve("live");
    try (GrowingDirectory grows = new GrowingDirectory(whole, live, random)) {
      grows.present(written.first() - 1);
      try (Timeline timeline = Timelines.follow(live, ProgressListener.NONE)) {
        assertThat(timeline.growing()).isTrue();
        assertThat(timeline.tracks()).isEmpty();
        for (int step = 1; step <= 8; step++) {
          long clock = written.first() + (written.last() - written.first()) * step / 9;
          grows.show(clock);
          awaitEvents(timeline, written.eventsUpTo(clock));
          check(timeline, written, written.nanos(clock));
        }
        grows.complete();
        while (timeline.growing()) {
          Thread.sleep(5);
        }
        check(timeline, written, Long.MAX_VALUE);
        assertThat(timeline.oddities()).isEmpty();
      }
    }
    assertThat(live.resolve(".index/contents")).exists();
    try (Timeline opened = Timelines.open(live, ProgressListener.NONE)) {
      check(opened, written, Long.MAX_VALUE);
    }
  }

  /** What has no index is there at once, as far as it was read, and can be asked meanwhile. */
  @Test
  @Timeout(600)
  void whatHasNoIndexIsReadBesideTheCaller() throws Exception {
    RandomRecording written = new RandomRecording(4, 60_000);
    Path path = written.builder.write(directory.resolve("unread"));
    AtomicBoolean seen = new AtomicBoolean();
    ProgressListener slowly =
        (done, total) -> {
          if (!seen.get()) {
            pause();
          }
        };
    try (Timeline timeline = Timelines.follow(path, slowly)) {
      while (timeline.growing() && !seen.get()) {
        boolean part = timeline.read() > 0 && timeline.read() < 1;
        seen.set(part && !timeline.tracks().isEmpty() && timeline.duration() > 0);
      }
      assertThat(seen).as("asked while it was read").isTrue();
      while (timeline.growing()) {
        Thread.sleep(5);
      }
      assertThat(timeline.read()).isEqualTo(1);
      check(timeline, written, Long.MAX_VALUE);
      assertThat(timeline.oddities()).isEmpty();
      assertThat(timeline.notKept()).isEmpty();
    }
    try (Timeline opened = Timelines.follow(path, ProgressListener.NONE)) {
      assertThat(opened.growing()).as("by its index").isFalse();
      check(opened, written, Long.MAX_VALUE);
    }
  }

  /** To end reading is not damage. */
  @Test
  @Timeout(600)
  void whoClosesWhileItIsReadHearsNothingOdd() throws Exception {
    RandomRecording written = new RandomRecording(6, 60_000);
    Path path = written.builder.write(directory.resolve("closed"));
    CompletableFuture<Timeline> opened = new CompletableFuture<>();
    CompletableFuture<Thread> closing = new CompletableFuture<>();
    ProgressListener closes =
        (done, total) -> {
          if (!opened.isDone()) {
            pause();
          } else if (!closing.isDone()) {
            Thread closer = Thread.ofPlatform().start(opened.join()::close);
            while (closer.getState() != Thread.State.WAITING) {
              Thread.onSpinWait(); // until it waits for this thread
            }
            closing.complete(closer);
          }
        };
    Timeline timeline = Timelines.follow(path, closes);
    opened.complete(timeline);
    closing.join().join();
    assertThat(timeline.oddities()).isEmpty();
    try (Timeline again = Timelines.open(path, ProgressListener.NONE)) {
      check(again, written, Long.MAX_VALUE);
    }
  }

  /** Longer than what is read is kept from those who ask. */
  private static void pause() {
    try {
      Thread.sleep(60);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Methods are numbered as they are met: with several processes that is in no simple order. */
  @Test
  @Timeout(600)
  void methodsHaveTheSameNamesWhenItIsOpenedAgain() throws Exception {
    Path live = directory.resolve("names");
    RecordingBuilder r = new RecordingBuilder().process(1).process(2);
    r.thread(1, 1, "one").method(1, 7, "a", "one").closeDefinitions(1);
    r.thread(2, 1, "two").method(2, 7, "b", "two").closeDefinitions(2);
    r.ring(1, 1, 1).enter(10, 7).leave(20_010, 7).enter(30_010, 3).leave(50_010, 3);
    r.ring(2, 1, 1).enter(10, 7).leave(20_010, 7); // long enough to be kept
    r.write(live);
    Files.createFile(live.resolve(".rings"));
    List<String> names = new ArrayList<>();
    try (FileChannel rings = FileChannel.open(live.resolve(".rings"), StandardOpenOption.WRITE)) {
      rings.lock();
      present(live, 15);
      try (Timeline timeline = Timelines.follow(live, ProgressListener.NONE)) {
        r.method(1, 3, "a", "three").write(live);
        Files.delete(live.resolve(".rings"));
        while (timeline.growing()) {
          Thread.sleep(5);
        }
        addNames(timeline, names);
      }
    }
    List<String> again = new ArrayList<>();
    try (Timeline opened = Timelines.open(live, ProgressListener.NONE)) {
      addNames(opened, again);
    }
    assertThat(names)
        .containsExactlyInAnyOrder("one a.one", "one a.three", "two b.two")
        .isEqualTo(again);
  }

  private static void addNames(Timeline timeline, List<String> names) {
    for (Track track : timeline.tracks()) {
      timeline.slices(
          track.id(),
          0,
          timeline.duration(),
          0,
          (depth, method, begin, end, calls, flags) ->
              names.add(track.name() + " " + timeline.method(method).qualifiedName()));
    }
    names.sort(null);
  }

  @Test
  void ofAKilledRecorderItSaysSo() throws Exception {
    Path live = new RandomRecording(5, 600).builder.write(directory.resolve("killed"));
    Files.createFile(live.resolve(".rings"));
    try (FileChannel rings = FileChannel.open(live.resolve(".rings"), StandardOpenOption.WRITE)) {
      rings.lock();
      present(live, Long.MAX_VALUE / 4);
      try (Timeline timeline = Timelines.follow(live, ProgressListener.NONE)) {
        assertThat(timeline.growing()).isTrue();
        rings.close();
        while (timeline.growing()) {
          Thread.sleep(20);
        }
        assertThat(timeline.oddities())
            .containsExactly(
                "the recorder was killed: the end of the recording is missing until it is opened"
                    + " again");
        assertThat(timeline.tracks()).isNotEmpty();
      }
    }
  }

  private static void present(Path live, long clock) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, clock);
    Files.write(live.resolve(".present"), bytes.array());
  }

  private static void awaitEvents(Timeline timeline, long events) throws InterruptedException {
    while (timeline.tracks().stream().mapToLong(Track::events).sum() < events) {
      Thread.sleep(5);
    }
  }

  /** Everything up to a time, in nanoseconds; calls that end later are running. */
  private static void check(Timeline timeline, RandomRecording written, long now) {
    for (Track track : timeline.tracks()) {
      List<RandomRecording.Call> expected = new ArrayList<>();
      for (RandomRecording.Call c : written.calls) {
        if (c.thread() == track.thread() && c.begin() <= now) {
          boolean running = c.end() > now;
          long end = running ? timeline.duration() : c.end();
          int flags = running ? Slice.OPEN_END : c.flags();
          expected.add(
              new RandomRecording.Call(c.thread(), c.depth(), c.method(), c.begin(), end, flags));
        }
      }
      List<RandomRecording.Call> calls = new ArrayList<>();
      timeline.calls(
          track.id(),
          0,
          timeline.duration(),
          (depth, method, begin, end, flags) ->
              calls.add(
                  new RandomRecording.Call(
                      track.thread(), depth, method, begin, end, flags & Slice.ALL)));
      assertThat(calls).as("%s at %d", track, now).containsExactlyInAnyOrderElementsOf(expected);
      List<RandomRecording.Call> slices = new ArrayList<>();
      timeline.slices(
          track.id(),
          0,
          timeline.duration(),
          0,
          (depth, method, begin, end, count, flags) ->
              slices.add(
                  new RandomRecording.Call(track.thread(), depth, method, begin, end, flags)));
      assertThat(slices).as("%s at %d", track, now).containsExactlyInAnyOrderElementsOf(expected);
      for (RandomRecording.Call call : expected) {
        if (call.flags() == Slice.OPEN_END) {
          CallDetail detail =
              timeline.call(track.id(), call.depth(), timeline.duration()).orElseThrow();
          assertThat(detail.begin()).isEqualTo(call.begin());
          assertThat(detail.callers()).hasSize(call.depth());
        }
      }
    }
  }
}
