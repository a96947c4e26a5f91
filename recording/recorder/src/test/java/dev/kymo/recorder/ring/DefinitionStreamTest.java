package dev.kymo.recorder.ring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.Clock;
import dev.kymo.format.ControlLayout;
import dev.kymo.format.Definition;
import dev.kymo.format.DefinitionCodec;
import dev.kymo.format.PacketLayout;
import dev.kymo.format.RingHeader;
import dev.kymo.format.RingLayout;
import dev.kymo.format.StreamClass;
import dev.kymo.recorder.platform.TickClock;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** No thread of a program waits for the recorder because it defines something. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class DefinitionStreamTest {
  private static final int SUB_BUFFER = 4096;
  private static final int SUB_BUFFERS = 4;
  private static final int THREADS = 4;
  private static final int OF_EACH = 2_000;

  @TempDir Path folder;
  private ByteBuffer control;
  private ByteBuffer memory;
  private DefinitionStream stream;
  private long taken;

  @BeforeEach
  void begin() throws Exception {
    control = ByteBuffer.allocateDirect(ControlLayout.SIZE).order(ByteOrder.LITTLE_ENDIAN);
    memory =
        RingFile.create(
            folder.resolve("ring"),
            UUID.randomUUID(),
            StreamClass.DEFINITIONS,
            1,
            0,
            SUB_BUFFER,
            SUB_BUFFERS,
            RingLayout.BLOCK);
    DrainerWatch drainer =
        new DrainerWatch(control, TickClock.handle(Clock.MONOTONIC), folder.resolve("recorder"));
    stream = new DefinitionStream(memory, drainer, 1);
  }

  @Test
  void whatFindsNoRoomIsWrittenLaterInItsOrder() throws Exception {
    for (int i = 1; i <= OF_EACH; i++) {
      stream.put(thread(i));
    }
    assertThat(stream.write(false)).isFalse();

    List<Integer> numbers = new ArrayList<>();
    while (!stream.write(false)) {
      take(numbers, false);
    }
    take(numbers, true);
    assertThat(numbers).hasSize(OF_EACH).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void eachDefinitionOfManyThreadsIsWrittenOnce() throws Exception {
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      int first = 1 + t * OF_EACH;
      Thread thread =
          new Thread(() -> {
            for (int i = 0; i < OF_EACH; i++) {
              stream.put(thread(first + i));
            }
          });
      thread.start();
      threads.add(thread);
    }
    List<Integer> numbers = new ArrayList<>();
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        take(numbers, false);
      }
    }
    while (!stream.write(false)) {
      take(numbers, false);
    }
    take(numbers, true);

    assertThat(numbers).hasSize(THREADS * OF_EACH).doesNotHaveDuplicates();
    Map<Integer, Integer> last = new HashMap<>();
    for (int number : numbers) {
      Integer before = last.put((number - 1) / OF_EACH, number);
      assertThat(before == null || before < number).isTrue();
    }
  }

  @Test
  void whoFinishesWaitsUntilNobodyMakesRoomAnyMore() {
    stream.put(thread(1));
    assertThat(stream.write(true)).isTrue();
    for (int i = 1; i <= OF_EACH; i++) {
      stream.put(thread(i));
    }
    control.putInt(ControlLayout.STOP_OFFSET, 1);
    assertThat(stream.write(true)).isFalse();
    assertThat(stream.write(false)).as("nothing is kept for nobody").isTrue();
  }

  private static Definition thread(int number) {
    return new Definition.TracedThread(number, 0, number, 0, "a thread of some name " + number);
  }

  /**
   * Makes room as the drainer does.
   *
   * @param open whether to take the open packet, too, which nobody writes to any more
   */
  private void take(List<Integer> numbers, boolean open) {
    long position = RingHeader.positionAcquire(memory);
    long packets = (position + (open ? SUB_BUFFER - 1 : 0)) / SUB_BUFFER;
    for (; taken < packets; taken++) {
      int at = RingLayout.HEADER_SIZE + (int) (taken % SUB_BUFFERS) * SUB_BUFFER;
      int bytes = (int) (memory.getLong(at + PacketLayout.CONTENT_SIZE_OFFSET) / 8);
      ByteBuffer packet = memory.duplicate().order(ByteOrder.LITTLE_ENDIAN);
      packet.position(at + PacketLayout.HEADER_SIZE).limit(at + bytes);
      while (packet.hasRemaining()) {
        int kind = packet.getInt(packet.position() + 1);
        packet.position(packet.position() + DefinitionCodec.HEADER_SIZE);
        numbers.add(((Definition.TracedThread) DefinitionCodec.get(packet, kind)).thread());
      }
    }
    RingHeader.takenRelease(memory, taken);
  }
}
