package dev.kymo.instructions.trace;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** The blocks of a process, by their numbers. Block 0 is none: it has no instructions. */
public final class Blocks {
  private int count = 1;
  private long[] addresses = new long[1024];
  private int[] instructions = new int[1024];
  private int[] sizes = new int[1024];
  private int[] modules = new int[1024];
  private byte[] ends = new byte[1024];

  /** Where its lengths and, after them, its code begin. */
  private int[] offsets = new int[1024];

  private byte[] bytes = new byte[1 << 16];
  private int used;

  /** The first blocks of another process. */
  void inherit(Blocks parent, int blocks) {
    count = Math.min(parent.count, blocks + 1);
    takeTables(parent, Math.max(count, addresses.length));
    bytes = parent.bytes.clone();
    used = parent.used;
  }

  private void takeTables(Blocks from, int length) {
    addresses = Arrays.copyOf(from.addresses, length);
    instructions = Arrays.copyOf(from.instructions, length);
    sizes = Arrays.copyOf(from.sizes, length);
    modules = Arrays.copyOf(from.modules, length);
    ends = Arrays.copyOf(from.ends, length);
    offsets = Arrays.copyOf(from.offsets, length);
  }

  /**
   * Adds a block.
   *
   * @param fact lengths and code of its instructions
   * @param module number of the module that it lies in; -1 = none
   * @return false if the fact contradicts itself
   */
  boolean add(long address, int instructionCount, ByteBuffer fact, int module) {
    if (fact.remaining() < instructionCount) {
      return false;
    }
    makeRoom(fact.remaining());
    int offset = used;
    int length = fact.remaining();
    fact.get(bytes, offset, length);
    int size = 0;
    for (int i = 0; i < instructionCount; i++) {
      size += bytes[offset + i] & 0xFF;
    }
    if (size != length - instructionCount) {
      return false;
    }
    used += length;
    int code = offset + instructionCount;
    int last = instructionCount == 0 ? 0 : bytes[offset + instructionCount - 1] & 0xFF;
    addresses[count] = address;
    instructions[count] = instructionCount;
    sizes[count] = size;
    modules[count] = module;
    offsets[count] = offset;
    ends[count] = BlockEnd.of(bytes, code + size - last, code + size);
    count++;
    return true;
  }

  private void makeRoom(int length) {
    if (count == addresses.length) {
      takeTables(this, count * 2);
    }
    if (used + length > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, used + length));
    }
  }

  /** Numbers are below this. */
  public int count() {
    return count;
  }

  public long address(int block) {
    return addresses[block];
  }

  /** The address after its last instruction. */
  public long end(int block) {
    return addresses[block] + sizes[block];
  }

  public int instructions(int block) {
    return instructions[block];
  }

  /** By block; longer than there are blocks. */
  public int[] instructions() {
    return instructions;
  }

  /** By block: constants of {@link BlockEnd}. */
  public byte[] ends() {
    return ends;
  }

  /** The module that it lies in; -1 = none. */
  public int module(int block) {
    return modules[block];
  }

  public int length(int block, int instruction) {
    return bytes[offsets[block] + instruction] & 0xFF;
  }

  public byte[] code(int block) {
    int from = offsets[block] + instructions[block];
    return Arrays.copyOfRange(bytes, from, from + sizes[block]);
  }

  /** Where its last instruction, which must be one with an address in it, leads. */
  public long target(int block) {
    int end = offsets[block] + instructions[block] + sizes[block];
    return BlockEnd.target(bytes, end - length(block, instructions[block] - 1), end, end(block));
  }

  /** {@link BlockEnd#isThunk}. */
  boolean isThunk(int block) {
    int code = offsets[block] + instructions[block];
    return instructions[block] > 0
        && BlockEnd.isThunk(bytes, code, sizes[block], instructions[block], ends[block]);
  }
}
