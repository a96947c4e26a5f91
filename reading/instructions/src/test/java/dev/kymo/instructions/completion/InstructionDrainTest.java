package dev.kymo.instructions.completion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.InstructionLayout;
import dev.kymo.instructions.InstructionFiles;
import dev.kymo.instructions.trace.Chunk;
import dev.kymo.instructions.trace.ChunkFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Chunks that threads hand over, and which of them stay. */
class InstructionDrainTest {
  private static final int RECORDS = 10_000;

  private final Random random = new Random(1);

  @TempDir Path folder;

  private Path traces;

  @BeforeEach
  void begin() throws IOException {
    traces = InstructionCompletion.prepare(folder, 0);
  }

  /** A chunk of some 8000 bytes: blocks with large numbers, which nothing predicts. */
  private void handOver(int thread, int number, long begin, long end) throws IOException {
    ByteBuffer chunk =
        ByteBuffer.allocate(InstructionLayout.CHUNK_HEAD + RECORDS).order(ByteOrder.LITTLE_ENDIAN);
    chunk.putInt(InstructionLayout.CHUNK_MAGIC).putInt(0).putInt(RECORDS).putInt(RECORDS);
    chunk.putLong(begin).putLong(end).putLong(1);
    while (chunk.remaining() >= 14) { // no run, and a block's number
      chunk.put((byte) 0);
      for (int i = 0; i < 8; i++) {
        chunk.put((byte) (random.nextInt() | 0x80));
      }
      chunk.put((byte) 1);
    }
    chunk.put((byte) 0).put((byte) 0).put((byte) InstructionLayout.EVENT_SWITCH).put((byte) 40);
    Files.write(traces.resolve("p1-thread-%d-%d.full".formatted(thread, number)), chunk.array());
  }

  private List<Long> begins(int thread) throws IOException {
    ChunkFile file =
        new ChunkFile(InstructionFiles.of(traces), ChunkFile.fileName(1, thread)).open();
    assertThat(file.damage()).isNull();
    return file.chunks().stream().map(Chunk::begin).toList();
  }

  private long dropped() throws IOException {
    return ByteBuffer.wrap(Files.readAllBytes(traces.resolve("shared")))
        .order(ByteOrder.LITTLE_ENDIAN)
        .getLong(InstructionLayout.SHARED_DROPPED_OFFSET);
  }

  @Test
  void theNewestChunksOfAllThreadsStay() throws IOException {
    try (InstructionDrain drain = new InstructionDrain(traces, new Kept(30_000, 0))) {
      handOver(1, 0, 0, 1000);
      handOver(2, 0, 100, 900);
      assertThat(drain.round()).isEqualTo(2);
      for (int i = 1; i < 12; i++) {
        handOver(1, i, 1000L * i, 1000L * i + 1000);
      }
      handOver(2, 1, 10_500, 11_500);
    }
    assertThat(begins(1)).containsExactly(10_000L, 11_000L);
    assertThat(begins(2)).containsExactly(10_500L);
    assertThat(dropped()).isEqualTo(10 * (1000 - 40) + 800 - 40);
    assertThat(traces.resolve("kept")).doesNotExist();
  }

  @Test
  void asManyOfTheLastInstructionsStay() throws IOException {
    try (InstructionDrain drain = new InstructionDrain(traces, new Kept(0, 2500))) {
      for (int i = 0; i < 10; i++) {
        handOver(1, i, 1000L * i, 1000L * i + 1000);
        drain.round();
      }
    }
    assertThat(begins(1)).containsExactly(7000L, 8000L, 9000L);
  }

  @Test
  void oneChunkStaysHoweverLargeItIs() throws IOException {
    try (InstructionDrain drain = new InstructionDrain(traces, new Kept(10, 1))) {
      handOver(1, 0, 0, 1000);
      handOver(1, 1, 1000, 2000);
      assertThat(drain.round()).isEqualTo(2);
    }
    assertThat(begins(1)).containsExactly(1000L);
  }

  @Test
  void allStayUnlessSomethingElseIsAsked() throws IOException {
    try (InstructionDrain drain = new InstructionDrain(traces, Kept.ALL)) {
      handOver(1, 1, 1000, 2000);
      handOver(1, 0, 0, 1000);
      assertThat(drain.round()).isEqualTo(2);
    }
    assertThat(begins(1)).containsExactly(0L, 1000L);
    assertThat(dropped()).isZero();
  }
}
