package dev.kymo.recorder.waits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.Clock;
import dev.kymo.format.ControlLayout;
import dev.kymo.format.PacketLayout;
import dev.kymo.format.RingLayout;
import dev.kymo.format.StreamClass;
import dev.kymo.format.ThreadRecord;
import dev.kymo.recorder.platform.TickClock;
import dev.kymo.recorder.ring.DrainerWatch;
import dev.kymo.recorder.ring.RingFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateRingTest {
  private static final int SUB_BUFFER = 4096;

  @TempDir Path folder;

  @Test
  void aStateIsAnnouncedAndDetailed() throws IOException {
    ByteBuffer memory = memory();
    StateRing ring = ring(memory);
    ring.state(7, 1000, 2000, 3, 0x12345678, 9);
    ring.state(7, 2000, 2500, 4, 0, 0);
    ring.enter(8, 2600, 5);
    ring.leave(8, 2700, 5, 0, 7);
    assertThat(ring.last()).isEqualTo(2700);
    assertThat(memory.getInt(RingLayout.HEADER_SIZE + PacketLayout.THREAD_OFFSET)).isEqualTo(7);
    assertThat(records(memory))
        .containsExactly(
            "enter 3 1000",
            "detail 12345678 9",
            "leave 3 2000",
            "switch 7 2000",
            "enter 4 2000",
            "leave 4 2500",
            "switch 8 2600",
            "enter 5 2600",
            "detail 0 7",
            "leave 5 2700");
  }

  @Test
  void whatDoesNotEndIsDetailedAsWell() throws IOException {
    ByteBuffer memory = memory();
    StateRing ring = ring(memory);
    ring.open(7, 1000, 3, 0x12345678, 9);
    ring.open(8, 1000, 4, 0, 0);
    ring.enter(9, 1100, 5);
    ring.enter(8, 1100, 4);
    ring.detail(9, 2000, 0x1f, 7);
    assertThat(ring.last()).isEqualTo(2000);
    assertThat(records(memory))
        .containsExactly(
            "enter 3 1000",
            "detail 12345678 9",
            "switch 8 1000",
            "enter 4 1000",
            "switch 9 1100",
            "enter 5 1100",
            "switch 8 1100",
            "enter 4 1100",
            "switch 9 2000",
            "detail 1f 7");
  }

  @Test
  void whatIsOverwrittenIsCounted() throws IOException {
    ByteBuffer memory = memory();
    StateRing ring = ring(memory);
    int states = 0;
    while (memory.getLong(RingLayout.POSITION_OFFSET) < 2 * SUB_BUFFER) {
      assertThat(memory.getLong(RingLayout.LOST_OFFSET)).isZero();
      ring.state(1 + states % 2, states, states + 1, 1, 1, 1);
      states++;
    }
    long lost = memory.getLong(RingLayout.LOST_OFFSET);
    assertThat(lost).isBetween(states / 2L, (long) states).isEven();
  }

  private static List<String> records(ByteBuffer memory) {
    List<String> records = new ArrayList<>();
    int end = RingLayout.HEADER_SIZE + (int) memory.getLong(RingLayout.POSITION_OFFSET);
    int at = RingLayout.HEADER_SIZE + PacketLayout.HEADER_SIZE;
    String[] names = {"enter", "leave", "unwind", "switch", "detail"};
    while (at < end) {
      long word = memory.getLong(at);
      int id = ThreadRecord.id(word);
      at += ThreadRecord.COMPACT_SIZE;
      if (id == ThreadRecord.DETAIL) {
        long detail = memory.getLong(at);
        at += ThreadRecord.DETAIL_SIZE;
        records.add(
            "detail "
                + Integer.toHexString(ThreadRecord.detailObject(detail))
                + " "
                + ThreadRecord.detailOther(detail));
      } else {
        records.add(
            names[id] + " " + ThreadRecord.payload(word) + " " + ThreadRecord.clockLow(word));
      }
    }
    return records;
  }

  private ByteBuffer memory() throws IOException {
    return RingFile.create(
        folder.resolve("ring"),
        new UUID(1, 2),
        StreamClass.THREADS,
        1,
        1,
        SUB_BUFFER,
        2,
        RingLayout.OVERWRITE);
  }

  private static StateRing ring(ByteBuffer memory) {
    ByteBuffer control =
        ByteBuffer.allocateDirect(ControlLayout.SIZE).order(ByteOrder.LITTLE_ENDIAN);
    return new StateRing(
        memory,
        new DrainerWatch(control, TickClock.handle(Clock.MONOTONIC), Path.of("no-recorder")));
  }
}
