package dev.kymo.drain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.Definition;
import dev.kymo.format.DefinitionCodec;
import dev.kymo.format.PacketLayout;
import dev.kymo.format.Redaction;
import dev.kymo.recorder.ring.TestDefinitions;
import dev.kymo.recorder.ring.TestRing;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Definitions that are made while the drainer takes others. */
class DefinitionPacketsTest {
  private static final int DEFINITIONS = 1000;

  @TempDir Path folder;

  @Test
  void eachIsTakenOnceAlthoughTheClockStandsStill() throws Exception {
    TestDefinitions definitions = new TestDefinitions(folder.resolve("ring-0"));
    RingDrain drain = open();
    for (int i = 1; i <= DEFINITIONS; i++) {
      definitions.put(i);
      if (i % 3 != 0) {
        drain.look();
        drain.take(true);
      }
      if (i % 7 == 0) { // the drainer is killed, and another one comes
        drain.close();
        drain = open();
      }
    }
    drain.finish();
    drain.close();

    assertThat(numbers())
        .containsExactlyElementsOf(IntStream.rangeClosed(1, DEFINITIONS).boxed().toList());
  }

  private RingDrain open() throws Exception {
    try (Home home = Home.open(folder)) {
      RingDrain drain =
          RingDrain.open(
              home,
              new Output(folder, TestRing.ID, new Segments(0, 1), Redaction.NONE),
              1,
              0,
              null);
      if (drain == null) {
        throw new AssertionError("the ring is not complete");
      }
      return drain;
    }
  }

  private List<Integer> numbers() throws Exception {
    ByteBuffer file =
        ByteBuffer.wrap(Files.readAllBytes(folder.resolve("p1-definitions")))
            .order(ByteOrder.LITTLE_ENDIAN);
    List<Integer> numbers = new ArrayList<>();
    for (int at = 0; at < file.capacity(); ) {
      int bytes = (int) (file.getLong(at + PacketLayout.CONTENT_SIZE_OFFSET) / 8);
      file.position(at + PacketLayout.HEADER_SIZE).limit(at + bytes);
      while (file.hasRemaining()) {
        int kind = file.getInt(file.position() + 1);
        file.position(file.position() + DefinitionCodec.HEADER_SIZE);
        numbers.add(((Definition.TracedThread) DefinitionCodec.get(file, kind)).thread());
      }
      file.limit(file.capacity());
      at += (int) (file.getLong(at + PacketLayout.PACKET_SIZE_OFFSET) / 8);
    }
    return numbers;
  }
}
