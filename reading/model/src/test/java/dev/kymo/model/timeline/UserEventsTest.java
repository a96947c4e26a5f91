package dev.kymo.model.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.Definition;
import dev.kymo.format.EventKind;
import dev.kymo.format.ThreadRecord;
import dev.kymo.model.arrows.ArrowKind;
import dev.kymo.model.arrows.Arrows;
import dev.kymo.model.arrows.CounterRange;
import dev.kymo.model.arrows.CounterValue;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events of a program's own: read, found again in a window, paired as messages. */
class UserEventsTest {
  private static final int STEP = 100;

  @TempDir Path folder;

  private static RecordingBuilder recording() {
    RecordingBuilder recording = new RecordingBuilder();
    recording.process(1).thread(1, 1, "main").thread(1, 2, "worker").method(1, 7, "a.B", "run");
    recording.define(1, new Definition.Subsystem(1, 5, "disk", "I/O", "#d04040"));
    event(recording, 11, EventKind.INSTANT.number(), "MARK", "");
    event(recording, 12, EventKind.INSTANT.number(), "ALLOC", "u64 size; str owner;");
    event(recording, 13, EventKind.BEGIN.number(), "READ", "");
    event(recording, 14, EventKind.SEND.number(), "ASK", "u64 key;");
    event(recording, 15, EventKind.RECEIVE.number(), "ANSWER", "u64 key;");
    return recording;
  }

  private static void event(RecordingBuilder to, int number, int kind, String name, String fields) {
    to.define(1, new Definition.Event(number, 1, number - 11, kind, name, "", fields));
  }

  private static List<String> events(Timeline timeline, int track, long from, long to) {
    List<String> found = new ArrayList<>();
    timeline.events(
        track,
        from,
        to,
        (time, event, batch, word) ->
            found.add(
                "%d %s %s"
                    .formatted(time, event.qualifiedName(), event.text(batch, word))
                    .strip()));
    return found;
  }

  @Test
  void instantsSpansAndData() throws Exception {
    RecordingBuilder recording = recording();
    byte[] data = {42, 0, 0, 0, 0, 0, 0, 0, 3, 0, 'a', 'b', 'c'};
    recording
        .ring(1, 0, 1)
        .enter(100, 7)
        .own(110, 11, 0)
        .own(115, 99, 1)
        .enter(120, 13)
        .own(130, 12, data)
        .own(5_000_000_130L, 11, 0xabcL)
        .leave(5_000_000_140L, 13)
        .leave(5_000_000_150L, 7);
    try (Timeline timeline =
        Timelines.open(recording.write(folder.resolve("a.kymo")), ProgressListener.NONE)) {
      assertThat(timeline.oddities()).isEmpty();
      assertThat(events(timeline, 0, 0, Long.MAX_VALUE))
          .containsExactly(
              "10 disk.MARK",
              "15 event 99 0x1",
              "30 disk.ALLOC size=42 owner=abc",
              "5000000030 disk.MARK 0xabc");
      assertThat(events(timeline, 0, 16, 30)).containsExactly("30 disk.ALLOC size=42 owner=abc");
      assertThat(timeline.tracks().get(0).own()).isEqualTo(4);
      assertThat(timeline.tracks().get(0).calls()).isEqualTo(2);
      assertThat(timeline.call(0, 1, 25).orElseThrow().method())
          .satisfies(m -> assertThat(timeline.method(m).qualifiedName()).isEqualTo("disk.READ"));
    }
  }

  @Test
  void aWindowFarIntoManyEvents() throws Exception {
    RecordingBuilder recording = recording();
    StreamWriter ring = recording.ring(1, 0, 1);
    for (int i = 0; i < 100_000; i++) {
      ring.own((long) i * STEP, 11, i);
    }
    Path path = recording.write(folder.resolve("b.kymo"));
    for (int time = 0; time < 2; time++) { // without an index, and with it
      try (Timeline timeline = Timelines.open(path, ProgressListener.NONE)) {
        assertThat(events(timeline, 0, 80_000 * STEP, 80_001 * STEP))
            .containsExactly("8000000 disk.MARK 0x13880", "8000100 disk.MARK 0x13881");
      }
    }
  }

  @Test
  void largeDataInSmallPacketsOfManyStreams() throws Exception {
    RecordingBuilder recording = recording().packetSize(80_000);
    byte[] data = new byte[ThreadRecord.MAX_DATA];
    for (int ring = 0; ring < 600; ring++) {
      recording.ring(1, ring, ring + 1).own(100, 11, ring).own(200, 12, data);
    }
    try (Timeline timeline =
        Timelines.open(recording.write(folder.resolve("d.kymo")), ProgressListener.NONE)) {
      assertThat(timeline.oddities()).isEmpty();
      assertThat(events(timeline, 599, 0, 1000)).hasSize(2);
    }
  }

  @Test
  void messagesArePairedByKeyInTheOrderOfTimes() throws Exception {
    RecordingBuilder recording = recording();
    recording.ring(1, 0, 1).own(100, 14, 1).own(200, 14, 2).own(300, 14, 1).own(400, 14, 9);
    recording.ring(1, 1, 2).own(150, 15, 2).own(250, 15, 1).own(350, 15, 1).own(360, 15, 1);
    Path path = recording.write(folder.resolve("c.kymo"));
    for (int time = 0; time < 2; time++) {
      try (Timeline timeline = Timelines.open(path, ProgressListener.NONE)) {
        Arrows arrows = timeline.arrows(ArrowKind.MESSAGE, 0, 1000, 100);
        assertThat(arrows.longestOnly()).isFalse();
        assertThat(arrows.arrows().stream().map(a -> a.time() + " " + a.waited()))
            .containsExactly("50 -50", "150 150", "250 50");
        assertThat(arrows.arrows())
            .allSatisfy(arrow -> {
              assertThat(arrow.fromTrack()).isEqualTo(0);
              assertThat(arrow.toTrack()).isEqualTo(1);
              assertThat(timeline.method(arrow.method()).name()).isEqualTo("ASK");
            });
        assertThat(timeline.arrows(ArrowKind.MESSAGE, 0, 1000, 1).arrows())
            .extracting(Arrows.Arrow::waited)
            .containsExactly(150L);
        assertThat(timeline.arrows(ArrowKind.MESSAGE, 0, 1000, 1).longestOnly()).isTrue();
        assertThat(timeline.arrows(ArrowKind.MESSAGE, 160, 1000, 9).arrows()).hasSize(1);
      }
    }
  }

  /** The thread that a link leads to may be met after it, or never. */
  @Test
  void linksLeadToAnotherThreadAtTheSameTime() throws Exception {
    RecordingBuilder recording = recording();
    recording.process(2).thread(2, 1, "request");
    recording.define(2, new Definition.Subsystem(1, 5, "activity", "", ""));
    String fields = "u32 process; u32 thread; str name;";
    recording.define(
        2, new Definition.Event(1, 1, 1, EventKind.INSTANT.number(), "step", "", fields));
    recording.ring(2, 0, 1).own(100, 1, link(1, 2)).own(250, 1, link(1, 1)).own(260, 1, link(3, 1));
    recording.ring(1, 0, 1).enter(200, 7).leave(300, 7);
    recording.ring(1, 1, 2).enter(150, 7).leave(160, 7);
    Path path = recording.write(folder.resolve("links.kymo"));
    for (int time = 0; time < 2; time++) {
      try (Timeline timeline = Timelines.open(path, ProgressListener.NONE)) {
        Arrows arrows = timeline.arrows(ArrowKind.MESSAGE, 0, 1000, 100);
        assertThat(
                arrows.arrows().stream()
                    .map(a ->
                        "%d %d %s > %s"
                            .formatted(
                                a.time(),
                                a.waited(),
                                name(timeline, a.fromTrack()),
                                name(timeline, a.toTrack()))))
            .containsExactly("0 0 request > worker", "150 0 request > main");
        Arrows some = timeline.arrows(ArrowKind.MESSAGE, 0, 1000, 1);
        assertThat(some.arrows()).hasSize(1);
        assertThat(some.longestOnly()).isTrue();
      }
    }
  }

  private static String name(Timeline timeline, int track) {
    return timeline.tracks().get(track).name();
  }

  private static byte[] link(int process, int thread) {
    return new byte[] {(byte) process, 0, 0, 0, (byte) thread, 0, 0, 0, 1, 0, 'x'};
  }

  @Test
  void countersAreKnownWithTheirRange() throws Exception {
    RecordingBuilder recording = recording();
    event(recording, 16, EventKind.COUNTER.number(), "SIZE", "i32 size;");
    event(recording, 17, EventKind.COUNTER.number(), "LOAD", "f64 load;");
    event(recording, 18, EventKind.COUNTER.number(), "BITS", "u64 bits;");
    event(recording, 19, EventKind.COUNTER.number(), "NAME", "str name;");
    recording
        .ring(1, 0, 1)
        .own(100, 16, 7)
        .own(200, 17, Double.doubleToRawLongBits(0.5))
        .own(210, 17, Double.doubleToRawLongBits(Double.NaN))
        .own(300, 16, -3 & 0xFFFFFFFFL)
        .own(400, 18, -1)
        .own(500, 19, new byte[] {1, 0, 'x'});
    Path path = recording.write(folder.resolve("d.kymo"));
    for (int time = 0; time < 2; time++) {
      try (Timeline timeline = Timelines.open(path, ProgressListener.NONE)) {
        assertThat(timeline.counters().stream().map(c -> named(timeline, c)))
            .containsExactly(
                "SIZE 2 times: -3.0 to 7.0",
                "LOAD 1 times: 0.5 to 0.5",
                "BITS 1 times: 1.8446744073709552E19 to 1.8446744073709552E19");
        int size = timeline.counters().get(0).event();
        assertThat(timeline.counterBefore(0, size, 0)).isEmpty();
        assertThat(timeline.counterBefore(0, size, 200)).contains(new CounterValue(0, 7, true));
        assertThat(timeline.counterBefore(0, size, 201)).contains(new CounterValue(200, -3, true));
      }
    }
  }

  private static String named(Timeline timeline, CounterRange counter) {
    return "%s %d times: %s to %s"
        .formatted(
            timeline.method(counter.event()).name(), counter.count(), counter.min(), counter.max());
  }

  @Test
  void ofACounterThatIsToldOftenSomeValuesAreKept() throws Exception {
    RecordingBuilder recording = recording();
    event(recording, 16, EventKind.COUNTER.number(), "SIZE", "u32 size;");
    StreamWriter ring = recording.ring(1, 0, 1);
    for (int i = 0; i < 10_000; i++) {
      ring.own((long) i * STEP, 16, i);
    }
    Path path = recording.write(folder.resolve("e.kymo"));
    for (int time = 0; time < 2; time++) {
      try (Timeline timeline = Timelines.open(path, ProgressListener.NONE)) {
        int size = timeline.counters().get(0).event();
        for (int i = 1; i < 10_000; i += 77) {
          CounterValue value = timeline.counterBefore(0, size, (long) i * STEP).orElseThrow();
          assertThat(value.last()).isFalse();
          assertThat(value.time()).isEqualTo(Math.round(value.value() * STEP));
          assertThat(value.value()).isBetween(i - 65.0, i - 1.0);
        }
      }
    }
  }
}
