package dev.kymo.editing.activity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.analysis.activity.DeclaredActivities;
import dev.kymo.format.Definition;
import dev.kymo.format.EventKind;
import dev.kymo.model.arrows.ArrowKind;
import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.reader.Recording;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Activities as tracks: lanes, what leads where, and that nothing else changes. */
class ActivityTracksTest {
  private static final int ACCEPT = 10;
  private static final int WORK = 11;
  private static final int REPLY = 12;

  @TempDir Path folder;

  private static RecordingBuilder recording() {
    RecordingBuilder r = new RecordingBuilder();
    for (int process = 1; process <= 2; process++) {
      r.process(process).method(process, 1, "a.Server", "serve");
      r.define(process, new Definition.Subsystem(1, 1, "shop", "", ""));
      define(r, process, ACCEPT, "ACCEPT");
      define(r, process, WORK, "WORK");
      define(r, process, REPLY, "REPLY");
    }
    return r.thread(1, 1, "door").thread(2, 1, "desk");
  }

  private static void define(RecordingBuilder to, int process, int number, String name) {
    int kind = EventKind.INSTANT.number();
    to.define(process, new Definition.Event(number, 1, number, kind, name, "", "u64 id;"));
  }

  private ActivityTracks.Written write(Path from, Path to) throws IOException {
    Files.createDirectory(to);
    String request = "request: begin=shop.ACCEPT step=shop.WORK end=shop.REPLY key=id";
    try (Recording recording = Recording.open(from)) {
      DeclaredActivities rule = DeclaredActivities.of(List.of(request));
      return ActivityTracks.write(recording, rule, to, ProgressListener.NONE);
    }
  }

  /** Calls of the process with the activities: lane, name, begin and end. */
  private static List<String> activities(Path path, int process) throws IOException {
    List<String> found = new ArrayList<>();
    try (Recording recording = Recording.open(path)) {
      CallPass pass = CallPass.open(recording);
      CallSink sink =
          call -> {
            if (call.thread().process() == process) {
              found.add(text(pass, call));
            }
          };
      pass.run(sink, thread -> true, ProgressListener.NONE);
      assertThat(pass.oddities()).isEmpty();
    }
    return found;
  }

  private static String text(CallPass pass, CallCursor call) {
    return "%s: %s %d-%d"
        .formatted(
            call.thread().definition().name(),
            pass.definitions().methods().get(call.method()).qualifiedName(),
            call.begin() - pass.base(),
            call.end() - pass.base());
  }

  @Test
  void lanesAndArrows() throws Exception {
    RecordingBuilder r = recording();
    r.ring(1, 0, 1).own(1000, ACCEPT, 1).own(1040, ACCEPT, 2).enter(1045, 1).own(1050, ACCEPT, 3);
    r.ring(2, 0, 1)
        .own(1060, WORK, 1)
        .own(1070, WORK, 2)
        .own(1100, REPLY, 2)
        .enter(1290, 1)
        .own(1300, REPLY, 1)
        .own(1310, REPLY, 9)
        .leave(1320, 1);
    Path from = r.write(folder.resolve("run.kymo"));
    Path to = folder.resolve("tracks.kymo");
    ActivityTracks.Written written = write(from, to);
    assertThat(written.activities()).isEqualTo(3);
    assertThat(written.crowdedOut()).isZero();
    assertThat(written.odd().unbegun()).isEqualTo(1);
    assertThat(activities(to, 3))
        .containsExactlyInAnyOrder(
            "request: activity.request 0-300",
            "request 2: activity.request 40-100",
            "request 3: activity.request (left open) 50-50");
    assertThat(activities(to, 2)).isEqualTo(activities(from, 2));
    assertThat(Files.getAttribute(to.resolve("p1-ring-0"), "unix:nlink")).isEqualTo(2);
    try (Timeline timeline = Timelines.open(to, ProgressListener.NONE)) {
      assertThat(
              timeline.arrows(ArrowKind.MESSAGE, 0, 1000, 100).arrows().stream()
                  .map(arrow ->
                      "%s > %s at %d"
                          .formatted(
                              timeline.tracks().get(arrow.fromTrack()).name(),
                              timeline.tracks().get(arrow.toTrack()).name(),
                              arrow.time())))
          .containsExactlyInAnyOrder(
              "request > door at 0",
              "request > desk at 60",
              "request > desk at 300",
              "request 2 > door at 40",
              "request 2 > desk at 70",
              "request 2 > desk at 100",
              "request 3 > door at 50");
      assertThat(timeline.oddities()).isEmpty();
    }
    assertThat(Stream.of(from, to).map(ActivityTracksTest::events)).containsExactly(11L, 11L);
  }

  /** Events of the processes that were recorded. */
  private static long events(Path path) {
    long[] events = {0};
    try (Recording recording = Recording.open(path)) {
      CallPass.open(recording)
          .events(batch -> events[0] += batch.process() < 3 ? batch.count() : 0);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return events[0];
  }

  @Test
  void moreThanAreSortedAtATimeAndMoreThanHaveLanes() throws Exception {
    long seed = 20261125;
    Random random = new Random(seed);
    RecordingBuilder r = recording();
    StreamWriter door = r.ring(1, 0, 1);
    List<Integer> open = new ArrayList<>();
    int requests = 70_000;
    int most = 0;
    int begun = 0;
    long clock = 1000;
    while (begun < requests || !open.isEmpty()) {
      boolean crowd = begun > 60_000 && begun < 60_200;
      int wanted = crowd ? 100 : 5;
      if (begun < requests && open.size() < wanted && (crowd || random.nextBoolean())) {
        door.own(clock++, ACCEPT, begun);
        open.add(begun++);
      } else if (!open.isEmpty()) {
        int any = random.nextInt(open.size());
        int first = open.set(any, open.getLast());
        open.removeLast();
        door.own(clock++, first % 3 == 0 ? WORK : REPLY, first);
        if (first % 3 == 0) {
          door.own(clock++, REPLY, first);
        }
      }
      most = Math.max(most, open.size());
    }
    assertThat(most).isEqualTo(100);
    Path to = folder.resolve("tracks.kymo");
    ActivityTracks.Written written = write(r.write(folder.resolve("run.kymo")), to);
    assertThat(to.resolve("p3-ring-1")).as("seed=" + seed).exists();
    assertThat(written.crowdedOut()).isBetween(36L, 200L);
    assertThat(written.activities()).isEqualTo(requests - written.crowdedOut());
    assertThat(activities(to, 3)).hasSize((int) written.activities()).doesNotHaveDuplicates();
    try (Timeline timeline = Timelines.open(to, ProgressListener.NONE)) {
      assertThat(timeline.tracks().stream().filter(track -> track.process() == 3))
          .hasSize(ActivityTracks.MAX_LANES);
    }
  }
}
