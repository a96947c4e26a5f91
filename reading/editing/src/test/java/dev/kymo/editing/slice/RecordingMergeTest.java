package dev.kymo.editing.slice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.editing.clocks.ClockDrift;
import dev.kymo.format.Clock;
import dev.kymo.format.Definition;
import dev.kymo.format.KernelEventFormat;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.KernelMerge;
import dev.kymo.reader.KernelStream;
import dev.kymo.reader.Recording;
import dev.kymo.testkit.RecordingBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several recordings as one: everything is there, at the time that it has in all of them. */
class RecordingMergeTest {
  private static final long WALL = 1_700_000_000_000_000_000L;
  private static final String FORMAT =
      """
      name: note
      ID: 7
      field:int n; offset:8; size:4; signed:1;
      field:__data_loc char[] text; offset:12; size:4; signed:0;
      """;

  @TempDir Path folder;

  private int recordings;

  private Path directory() throws IOException {
    return Files.createDirectory(folder.resolve("r" + recordings++ + ".kymo"));
  }

  private static RecordingBuilder calls(long first, String name) {
    RecordingBuilder r = new RecordingBuilder().at(first).process(1);
    r.thread(1, 1, name).method(1, 4, "a.B", "outer").method(1, 5, "a.B", "inner");
    r.ring(1, 1, 1).enter(first, 4).enter(first + 10, 5).leave(first + 20, 5).leave(first + 30, 4);
    return r;
  }

  private Path merge(long offset, Path... paths) throws IOException {
    List<RecordingMerge.Source> sources = new ArrayList<>();
    Path to = directory();
    for (Path path : paths) {
      long moved = sources.isEmpty() ? 0 : offset;
      sources.add(
          new RecordingMerge.Source(
              Recording.open(path),
              ClockDrift.constant(moved),
              OptionalLong.empty(),
              "as the test says"));
    }
    try {
      RecordingMerge.of(sources).write(to, ProgressListener.NONE);
    } finally {
      sources.forEach(source -> source.recording().close());
    }
    return to;
  }

  private static List<String> calls(Path recording) throws IOException {
    List<String> calls = new ArrayList<>();
    try (Timeline timeline = Timelines.open(recording, ProgressListener.NONE)) {
      assertThat(timeline.oddities()).isEmpty();
      for (int i = 0; i < timeline.tracks().size(); i++) {
        String track = timeline.tracks().get(i).name();
        timeline.calls(
            i,
            0,
            Long.MAX_VALUE,
            (depth, method, begin, end, flags) ->
                calls.add(track + ": " + timeline.method(method).name() + " " + begin + "-" + end));
      }
    }
    return calls;
  }

  @Test
  void clocksAreJoinedByWallTime() throws Exception {
    Path first =
        calls(1000, "one").clock(new Clock(Clock.TSC, 2_500_000_000L, WALL)).write(directory());
    Path second =
        calls(WALL + 417, "two")
            .clock(new Clock(Clock.MONOTONIC, 1_000_000_000L, 0))
            .write(directory());
    // 1000 ticks of 2.5 GHz are 400 ns
    assertThat(calls(merge(0, first, second)))
        .containsExactlyInAnyOrder(
            "one: outer 0-12", "one: inner 4-8", "two: outer 17-47", "two: inner 27-37");
    assertThat(calls(merge(0, second, first)))
        .containsExactlyInAnyOrder(
            "one: outer 0-12", "one: inner 4-8", "two: outer 17-47", "two: inner 27-37");
    assertThat(calls(merge(-10, first, second))).contains("two: outer 7-37");
  }

  /** Its relation to wall time is measured anew by each recording, and is less exact. */
  @Test
  void ticksOfTheSameCounterStayTicks() throws Exception {
    Path first =
        calls(1000, "one").clock(new Clock(Clock.TSC, 1_000_000_000L, WALL)).write(directory());
    Path second =
        calls(1005, "two")
            .clock(new Clock(Clock.TSC, 1_000_000_010L, WALL + 123_456))
            .write(directory());
    assertThat(calls(merge(0, first, second)))
        .containsExactlyInAnyOrder(
            "one: outer 0-30", "one: inner 10-20", "two: outer 5-35", "two: inner 15-25");
  }

  @Test
  void kernelEventsKeepTheirFields() throws Exception {
    Path merged = merge(0, kernel(0).write(directory()), kernel(1).write(directory()));
    assertThat(kernelEvents(merged)).containsExactly("1010 note 0 text 0", "1011 note 1 text 1");
  }

  /** A recording with a kernel event. */
  static RecordingBuilder kernel(int number) {
    RecordingBuilder r = calls(1000, "t" + number);
    KernelEventFormat format = r.kernelEvent(1, "test", FORMAT);
    r.cpu(1, 0).kernel(1010 + number, 0, format, event(number, "text " + number));
    return r;
  }

  /** The kernel events of a recording of two, with their clocks since its first event + 1000. */
  static List<String> kernelEvents(Path merged) throws IOException {
    List<String> events = new ArrayList<>();
    try (Recording recording = Recording.open(merged)) {
      CallPass pass = CallPass.open(recording);
      KernelMerge all =
          KernelMerge.all(recording, pass.definitions().kernelEvents().values(), new Diagnostics());
      for (KernelStream at = all.until(Long.MAX_VALUE);
          at != null;
          at = all.until(Long.MAX_VALUE)) {
        events.add(
            "%d %s %s %s"
                .formatted(
                    at.clock() - pass.base() + 1000,
                    at.format().name(),
                    at.text(at.format().field("n")),
                    at.text(at.format().field("text"))));
      }
      assertThat(pass.definitions().kernelEvents()).hasSize(2);
    }
    return events;
  }

  private static byte[] event(int number, String text) {
    byte[] characters = (text + "\0").getBytes(java.nio.charset.StandardCharsets.UTF_8);
    ByteBuffer bytes = ByteBuffer.allocate(16 + characters.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putShort(0, (short) 7).putInt(4, 99).putInt(8, number);
    bytes.putInt(12, characters.length << 16 | 16).put(16, characters);
    return bytes.array();
  }

  @Test
  void whatRecordingsSayOfThemselvesIsNoticed() throws Exception {
    Path merged =
        merge(5, calls(1000, "one").write(directory()), calls(1000, "two").write(directory()));
    try (Recording recording = Recording.open(merged)) {
      assertThat(CallPass.open(recording).definitions().notices())
          .extracting(Definition.Notice::text)
          .containsExactly(
              "merged: recording=r0.kymo processes from 1 offset=0 ns; as the test says",
              "merged: recording=r1.kymo command=\"java App\" host=host kernel=\"6.18\" processor=\"a cpu\"",
              "merged: recording=r1.kymo processes from 2 offset=5 ns; as the test says");
    }
  }

  @Test
  void instructionsAreNoTime() throws Exception {
    Path one = calls(1000, "one").write(directory());
    Path counted =
        calls(1000, "two")
            .clock(new Clock(Clock.INSTRUCTIONS, 1_000_000_000L, WALL))
            .write(directory());
    assertThatThrownBy(() -> merge(0, one, counted))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "a recording of instructions has no time and cannot be merged: path=" + counted);
  }
}
