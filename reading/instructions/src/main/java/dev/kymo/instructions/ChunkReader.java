package dev.kymo.instructions;

import dev.kymo.format.InstructionLayout;
import java.io.IOException;
import java.util.Arrays;

/**
 * Reads the records of chunks of one process, one chunk after the other: {@link InstructionLayout}
 * draws them.
 */
final class ChunkReader {
  private static final int MAX_ARGUMENTS = 16;

  private final int[] successors;
  private final long[] arguments = new long[MAX_ARGUMENTS];
  private byte[] records = {};
  private int position;
  private int last;

  ChunkReader(Blocks blocks) {
    this.successors = new int[blocks.count()];
  }

  /**
   * Hands what a chunk has to a sink.
   *
   * @throws IOException if they are damaged; what came before was handed over
   */
  void read(byte[] from, TraceSink sink) throws IOException {
    records = from;
    position = 0;
    Arrays.fill(successors, 0);
    last = 0;
    long left = InstructionLayout.CHUNK_BLOCKS;
    while (position < records.length) {
      long run = varint();
      left -= run;
      if (run < 0 || left < 0) {
        throw damaged();
      }
      run((int) run, sink);
      long code = varint();
      if (code < 0 || code >= successors.length) {
        throw damaged();
      }
      if (code != 0) {
        left--;
        successors[last] = (int) code;
        last = (int) code;
        sink.block(last);
      } else if (!event(sink)) {
        break;
      }
    }
  }

  private void run(int length, TraceSink sink) throws IOException {
    int[] next = successors;
    int block = last;
    for (int i = 0; i < length; i++) {
      block = next[block];
      if (block == 0) {
        throw damaged();
      }
      sink.block(block);
    }
    last = block;
  }

  /** Returns whether records follow. */
  private boolean event(TraceSink sink) throws IOException {
    switch (single()) {
      case InstructionLayout.EVENT_END -> {
        return false;
      }
      case InstructionLayout.EVENT_SYSCALL -> {
        long number = varint();
        int count = single();
        if (count > MAX_ARGUMENTS) {
          throw damaged();
        }
        for (int i = 0; i < count; i++) {
          arguments[i] = varint();
        }
        sink.systemCall(Math.clamp(number, 0, 0xFFFF), arguments, count);
      }
      case InstructionLayout.EVENT_RETURN -> {
        long result = varint();
        long raised = varint();
        if (raised < 0) {
          throw damaged();
        }
        sink.returned((result >>> 1) ^ -(result & 1), raised);
      }
      case InstructionLayout.EVENT_SIGNAL -> {
        long signal = varint();
        long executed = varint();
        if (signal < 0 || signal > 64 || executed < 0 || executed > 0xFFFF) {
          throw damaged();
        }
        sink.signal((int) signal, (int) executed, varint());
        last = 0;
      }
      case InstructionLayout.EVENT_FORGET -> {
        Arrays.fill(successors, 0);
        last = 0;
      }
      case InstructionLayout.EVENT_GAP -> {
        Arrays.fill(successors, 0);
        last = 0;
        sink.gap();
      }
      default -> throw damaged();
    }
    return true;
  }

  private int single() throws IOException {
    if (position >= records.length) {
      throw damaged();
    }
    return records[position++] & 0xFF;
  }

  private long varint() throws IOException {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      int next = single();
      value |= (long) (next & 0x7F) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw damaged();
  }

  private IOException damaged() {
    return new IOException("instructions are damaged: record=" + position);
  }
}
