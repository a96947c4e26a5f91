package dev.kymo.instructions.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.instructions.InstructionFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryTraceTest {
  private static final int LOAD_4 = 2;
  private static final int LOAD_16 = 4;
  private static final int STORE_8 = 8 | 3;

  @TempDir Path folder;

  private final DetailRecords records = new DetailRecords();

  private Map<Long, String> accesses(long from, long to) throws IOException {
    DetailFiles files = DetailFiles.open(InstructionFiles.of(folder), "memory");
    return new MemoryTrace(files).accesses(from, to);
  }

  private DetailRecords access(long clock, int kind, long address) {
    return records.record().varint(clock).single(kind).signed(address);
  }

  @Test
  void anInstructionMayUseMemoryMoreThanOnce() throws IOException {
    access(0, LOAD_4, 0x1000).varint(0x2A);
    access(0, STORE_8, 8).varint(-1);
    access(3, LOAD_16, -0x800).varint(1).varint(2);
    records.chunk(folder.resolve("memory-1"), 100, 104);
    access(0, LOAD_4, 0x1000).varint(0);
    records.chunk(folder.resolve("memory-1"), 104, 105);
    assertThat(accesses(100, 105))
        .containsOnly(
            Map.entry(100L, "load 4 1000=2a store 8 1008=ffffffffffffffff"),
            Map.entry(103L, "load 16 808=20000000000000001"),
            Map.entry(104L, "load 4 1000=0"));
    assertThat(accesses(101, 104)).containsOnlyKeys(103L);
  }

  @Test
  void whatTwoReplaysHaveSeenIsThereOnce() throws IOException {
    for (String file : new String[] {"memory-1", "memory-2"}) {
      access(0, LOAD_4, 0x1000).varint(7);
      records.chunk(folder.resolve(file), 10, 11);
    }
    assertThat(accesses(0, 20)).containsOnly(Map.entry(10L, "load 4 1000=7"));
  }

  @Test
  void rubbishIsAnError() throws IOException {
    access(0, 7, 0x1000).varint(7);
    records.chunk(folder.resolve("memory-1"), 10, 11);
    assertThatThrownBy(() -> accesses(0, 20)).isInstanceOf(IOException.class);
  }

  @Test
  void whatIsCutOffIsAnError() throws IOException {
    access(0, LOAD_16, 0x1000).varint(7);
    records.chunk(folder.resolve("memory-1"), 10, 11);
    assertThatThrownBy(() -> accesses(0, 20)).isInstanceOf(IOException.class);
  }
}
