package dev.kymo.instructions.trace;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Accesses to memory by the instructions of some ranges, as replays have written them: files {@code
 * memory-N}. A record is a varint by how much the clock differs from the record before; u8, in bits
 * 0 to 2 the binary logarithm of the bytes, in bit 3 whether it is a store; {@code signed} by how
 * much the address differs from the record before, or from 0; then the value, of 16 bytes in two
 * varints.
 */
public final class MemoryTrace {
  private static final int SIZE = 7;
  private static final int LARGEST = 4;
  private static final int STORE = 8;

  private final DetailFiles files;

  public MemoryTrace(DetailFiles files) {
    this.files = files;
  }

  /**
   * By clock: the accesses of an instruction, {@code load 8 7ffe0010=2a store 4 601000=1}, with the
   * bytes in decimal, address and value in hexadecimal digits.
   *
   * @param from clock
   * @param to clock that is not wanted any more
   * @throws IOException if they are damaged
   */
  public Map<Long, String> accesses(long from, long to) throws IOException {
    Map<Long, String> accesses = new HashMap<>();
    for (ChunkFile file : files.files()) {
      Map<Long, String> of = new HashMap<>();
      DetailFiles.read(file, from, to - 1, (records, chunk) -> read(records, chunk, from, to, of));
      of.forEach(accesses::putIfAbsent); // another replay has seen the same
    }
    return accesses;
  }

  private static void read(byte[] records, Chunk chunk, long from, long to, Map<Long, String> into)
      throws IOException {
    Varints varints = new Varints(records);
    long clock = chunk.begin();
    long address = 0;
    while (varints.hasMore()) {
      clock += varints.varint();
      int kind = varints.single();
      address += varints.signed();
      long low = varints.varint();
      int size = kind & SIZE;
      long high = size == LARGEST ? varints.varint() : 0;
      if (kind > (STORE | LARGEST) || size > LARGEST || clock < chunk.begin()) {
        throw varints.damaged();
      }
      if (clock >= from && clock < to) {
        String value = high == 0 ? Long.toHexString(low) : "%x%016x".formatted(high, low);
        String access =
            "%s %d %x=%s"
                .formatted((kind & STORE) == 0 ? "load" : "store", 1 << size, address, value);
        into.merge(clock, access, (before, next) -> before + " " + next);
      }
    }
  }
}
