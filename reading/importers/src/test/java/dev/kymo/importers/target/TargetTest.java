package dev.kymo.importers.target;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.Clock;
import dev.kymo.format.EventKind;
import dev.kymo.format.FieldType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is put into a target is what a reader finds. */
class TargetTest {
  private static final Clock CLOCK = new Clock(Clock.MONOTONIC, 1_000_000_000, 0);

  @TempDir Path directory;

  private Target begin(Order order) throws Exception {
    return new Import(directory, (done, all) -> {})
        .begin(CLOCK, 1000, Source.unknown("test", "file"), order);
  }

  @Test
  void callsAndEventsAreWhatTheyWere() throws Exception {
    try (Target target = begin(Order.BY_TIME)) {
      TargetProcess process = target.process(7, 0, "program", "native");
      TargetTrack thread = process.thread(8, "worker");
      TargetEvent event =
          process.event(
              "io",
              "read",
              EventKind.INSTANT,
              List.of(Fields.of(FieldType.U32, "bytes read"), Fields.of(FieldType.STR, "file")));
      thread.enter(1000, process.function("outer"));
      thread.call(1100, 1400, process.function("inner"));
      thread.event(1200, event, 12, "a");
      thread.enter(1500, process.function("last"));
      thread.leave(1600, process.function("outer"));
      thread.leave(1700);
      target.tally().count("call", "calls", 3);
    }
    Converted read = Converted.read(directory);
    assertThat(read.oddities()).isEmpty();
    assertThat(read.tracks()).containsExactly("worker");
    assertThat(read.calls())
        .containsExactlyInAnyOrder(
            "worker: outer 0-600", "worker: inner 100-400", "worker: last 500-600");
    assertThat(read.events()).containsExactly("worker: 200 io.read bytes_read=12 file=a");
    assertThat(read.notices())
        .contains(
            "imported from test: file=file events=3",
            "imported as calls: 3 (call 3)",
            "ends of calls that had not begun were left out: count=1 first: track=\"worker\" time=1700");
  }

  @Test
  void whatComesInAnyOrderIsSorted() throws Exception {
    int calls = 600_000; // more than fit into memory
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      order.add(i);
    }
    long seed = System.nanoTime();
    System.out.println("TargetTest seed=" + seed);
    Collections.shuffle(order, new Random(seed));
    try (Target target = begin(Order.ANY)) {
      TargetProcess process = target.process(7, 0, "program", "native");
      TargetTrack thread = process.thread(8, "worker");
      int function = process.function("f");
      for (int i : order) {
        thread.call(1000 + 10L * i, 1005 + 10L * i, function);
      }
    }
    Converted read = Converted.read(directory);
    assertThat(read.oddities()).isEmpty();
    assertThat(read.calls()).hasSize(calls);
    assertThat(read.calls().get(calls - 1)).isEqualTo("worker: f 5999990-5999995");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.filter(file -> file.getFileName().toString().startsWith(".sorted")))
          .isEmpty();
    }
  }

  @Test
  void whatIsSettledDoesNotWaitForTheEnd() throws Exception {
    int part = 200_000;
    int parts = 6; // more than fit into memory
    long seed = System.nanoTime();
    System.out.println("TargetTest seed=" + seed);
    Random random = new Random(seed);
    List<Integer> seen = new ArrayList<>();
    int[] taken = {0};
    Import to = new Import(directory, (done, all) -> {}, all -> seen.add(taken[0]));
    try (Target target = to.begin(CLOCK, 1000, Source.unknown("test", "file"), Order.ANY)) {
      TargetProcess process = target.process(7, 0, "program", "native");
      TargetTrack thread = process.thread(8, "worker");
      int function = process.function("f");
      for (int i = 0; i < parts; i++) {
        List<Integer> order = new ArrayList<>();
        for (int j = 0; j < part; j++) {
          order.add(i * part + j);
        }
        Collections.shuffle(order, random);
        for (int j : order) {
          thread.call(1000 + 10L * j, 1005 + 10L * j, function);
          taken[0]++;
        }
        if (i != 1 && i != 2) { // what waits too long goes to the disk
          target.settled(1000 + 10L * part * (i + 1));
        }
      }
      assertThat(seen).startsWith(part).contains(4 * part);
    }
    Converted read = Converted.read(directory);
    assertThat(read.oddities()).isEmpty();
    assertThat(read.notices()).noneMatch(notice -> notice.contains("time steps back"));
    assertThat(read.calls()).hasSize(part * parts);
    for (int i = 0; i < part * parts; i++) {
      assertThat(read.calls().get(i)).isEqualTo("worker: f " + 10L * i + "-" + (10L * i + 5));
    }
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .noneMatch(name -> name.startsWith(".sorted") || name.startsWith(".rings"));
    }
  }

  @Test
  void callsThatBeginTogetherNestByTheirLength() throws Exception {
    try (Target target = begin(Order.ANY)) {
      TargetProcess process = target.process(7, 0, "program", "native");
      TargetTrack thread = process.thread(8, "worker");
      TargetEvent span =
          process.event("c", "inner", EventKind.BEGIN, List.of(Fields.of(FieldType.STR, "of")));
      thread.span(1000, 1005, span, "x");
      thread.call(1000, 1020, process.function("outer"));
      thread.call(1010, 1030, process.function("across"));
    }
    Converted read = Converted.read(directory);
    assertThat(read.oddities()).isEmpty();
    assertThat(read.calls())
        .containsExactlyInAnyOrder(
            "worker: outer 0-20", "worker: c.inner 0-5", "worker (beside): across 10-30");
  }

  @Test
  void samplesHaveTheirStacks() throws Exception {
    try (Target target = begin(Order.ANY)) {
      TargetProcess process = target.process(7, 0, "program", "native");
      TargetTrack thread = process.thread(8, "worker");
      TargetEvent sample =
          process.event(
              "sample", "cpu", EventKind.INSTANT, List.of(Fields.of(FieldType.U32, "stack")));
      int main = process.stack(0, process.function("main"));
      for (int i = 0; i < 5000; i++) {
        int inner = process.stack(main, process.function("f" + i));
        assertThat(process.stack(main, process.function("f" + i))).isEqualTo(inner);
        thread.event(1000 + i, sample, inner);
      }
      assertThat(process.stack(0, process.function("main"))).isEqualTo(main);
    }
    Converted read = Converted.read(directory);
    assertThat(read.oddities()).isEmpty();
    assertThat(read.events()).hasSize(5000);
    assertThat(read.events().getLast()).isEqualTo("worker: 4999 sample.cpu stack=f4999");
  }

  @Test
  void timesThatStepBackAreCounted() throws Exception {
    try (Target target = begin(Order.BY_TIME)) {
      TargetProcess process = target.process(7, 0, "program", "native");
      TargetTrack thread = process.thread(8, "worker");
      thread.enter(1100, process.function("f"));
      thread.leave(1050);
    }
    assertThat(Converted.notices(directory))
        .contains(
            "time steps back; these events are at the time of the event before: count=1 first: time=1050 before=1100");
  }
}
