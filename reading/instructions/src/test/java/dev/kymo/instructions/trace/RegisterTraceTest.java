package dev.kymo.instructions.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.instructions.InstructionFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Registers as the plugin writes them while a machine is replayed. */
class RegisterTraceTest {
  private static final int RAX = 1;
  private static final int RSP = 1 << 4;

  @TempDir Path folder;

  private final DetailRecords records = new DetailRecords();

  private void record(int changed, long... differences) {
    records.record().single(changed).single(changed >> 8);
    for (long difference : differences) {
      records.signed(difference);
    }
  }

  private void chunk(String file, long begin, int count) throws IOException {
    records.chunk(folder.resolve(file), begin, begin + count);
  }

  private Map<Long, String> changes(long from, long to) throws IOException {
    DetailFiles files = DetailFiles.open(InstructionFiles.of(folder), "registers");
    return new RegisterTrace(files).changes(from, to);
  }

  @Test
  void whatAnInstructionChangesIsKnownFromTheNextOne() throws IOException {
    record(RAX | RSP, 5, 0x1000);
    record(RSP, -8);
    record(0);
    record(RAX, -5);
    chunk("registers-1", 100, 4);
    assertThat(changes(100, 104))
        .containsOnly(Map.entry(100L, "rsp=ff8"), Map.entry(101L, ""), Map.entry(102L, "rax=0"));
    assertThat(changes(101, 102)).containsOnly(Map.entry(101L, ""));
    assertThat(changes(0, 100)).containsOnlyKeys(99L);
  }

  @Test
  void chunksBeginAnew() throws IOException {
    record(RAX, 7);
    record(RAX, 1);
    chunk("registers-1", 10, 2);
    record(RAX, 9);
    chunk("registers-1", 12, 1);
    assertThat(changes(10, 13)).containsOnly(Map.entry(10L, "rax=8"), Map.entry(11L, "rax=9"));
  }

  @Test
  void severalReplaysAddUp() throws IOException {
    record(RAX, 1);
    record(RAX, 1);
    chunk("registers-1", 10, 2);
    record(RAX, 3);
    record(RAX, 3);
    chunk("registers-2", 50, 2);
    assertThat(changes(10, 60)).containsEntry(10L, "rax=2").containsEntry(50L, "rax=6");
  }

  @Test
  void rubbishIsAnError() throws IOException {
    record(0xFFFF, 1, 2, 3);
    chunk("registers-1", 0, 1000);
    assertThatThrownBy(() -> changes(0, 1000)).isInstanceOf(IOException.class);
  }
}
