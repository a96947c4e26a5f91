package dev.kymo.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages from a file that stands for a processor's buffer. */
class CpuReaderTest {
  private static final PageLayout LAYOUT = new PageLayout(0, 8, 8, 16, 4080);
  private static final int PAGES = 100;
  private static final int PER_ROUND = 2;

  @TempDir Path instance;

  /** Page n begins at 1000 + n and has one event. */
  private void writePages() throws IOException {
    Path folder = Files.createDirectories(instance.resolve("per_cpu/cpu0"));
    ByteBuffer all = ByteBuffer.allocate(PAGES * 4096).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < PAGES; i++) {
      all.position(i * 4096).putLong(1000 + i).putLong(12).putInt(2).putShort((short) 300);
    }
    Files.write(folder.resolve("trace_pipe_raw"), all.array());
  }

  @Test
  void aFullQueueIsNotTheEnd() throws Exception {
    writePages();
    try (Arena arena = Arena.ofConfined();
        CpuReader reader = new CpuReader(instance, 0, LAYOUT, PER_ROUND, arena)) {
      CpuQueue queue = reader.queue();
      // So much at once that the queue is full before any of it is known to be complete.
      while (!queue.isFull()) {
        assertThat(reader.read(5000, 900, said -> {})).isTrue();
        assertThat(queue.hasItem()).isTrue(); // which takes its first page
      }
      assertThat(queue.bound()).isEqualTo(900);
      int delivered = 0;
      for (int round = 0; round < 2 * PAGES && delivered < PAGES; round++) {
        boolean more = reader.read(5000, 4000, said -> {});
        long until = more ? queue.bound() : Long.MAX_VALUE;
        while (queue.hasItem() && queue.clock() < until) {
          assertThat(queue.clock()).isEqualTo(1000 + delivered++);
          queue.advance();
        }
      }
      assertThat(delivered).isEqualTo(PAGES);
    }
  }
}
