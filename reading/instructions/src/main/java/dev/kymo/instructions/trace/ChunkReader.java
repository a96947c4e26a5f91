package dev.kymo.instructions.trace;

import dev.kymo.format.InstructionLayout;
import java.io.IOException;
import java.util.Arrays;

/**
 * Reads the records of chunks of one process, one chunk after the other: {@link InstructionLayout}
 * draws them.
 */
public final class ChunkReader {
  private static final int MAX_ARGUMENTS = 16;

  private final int[] successors;
  private final long[] arguments = new long[MAX_ARGUMENTS];
  private Varints records = new Varints(new byte[0]);
  private int last;

  public ChunkReader(Blocks blocks) {
    this.successors = new int[blocks.count()];
  }

  /**
   * Hands what a chunk has to a sink.
   *
   * @throws IOException if they are damaged; what came before was handed over
   */
  public void read(byte[] from, TraceSink sink) throws IOException {
    records = new Varints(from);
    Arrays.fill(successors, 0);
    last = 0;
    long left = InstructionLayout.CHUNK_BLOCKS;
    while (records.hasMore()) {
      long run = records.varint();
      left -= run;
      if (run < 0 || left < 0) {
        throw records.damaged();
      }
      run((int) run, sink);
      long code = records.varint();
      if (code < 0 || code >= successors.length) {
        throw records.damaged();
      }
      if (code != 0) {
        left--;
        successors[last] = (int) code;
        last = (int) code;
        sink.unpredicted(last);
      } else if (!event(sink)) {
        break;
      }
    }
  }

  /** By how much the clock goes on in a chunk without instructions. */
  public static long raised(byte[] from) throws IOException {
    Varints records = new Varints(from);
    long sum = 0;
    while (records.hasMore()) {
      skip(records, 1);
      if (records.varint() != 0) {
        continue;
      }
      switch (records.single()) {
        case InstructionLayout.EVENT_SYSCALL -> {
          skip(records, 1);
          skip(records, records.single());
        }
        case InstructionLayout.EVENT_RETURN -> {
          skip(records, 1);
          sum += records.varint();
        }
        case InstructionLayout.EVENT_SWITCH -> sum += records.varint();
        case InstructionLayout.EVENT_SIGNAL, InstructionLayout.EVENT_ENTRY -> skip(records, 3);
        case InstructionLayout.EVENT_CUT -> skip(records, 1);
        default -> {} // has nothing else
      }
    }
    return sum;
  }

  private static void skip(Varints records, int varints) throws IOException {
    for (int i = 0; i < varints; i++) {
      records.varint();
    }
  }

  private void run(int length, TraceSink sink) throws IOException {
    int[] next = successors;
    int block = last;
    for (int i = 0; i < length; i++) {
      block = next[block];
      if (block == 0) {
        throw records.damaged();
      }
      sink.block(block);
    }
    last = block;
  }

  /** Returns whether records follow. */
  private boolean event(TraceSink sink) throws IOException {
    switch (records.single()) {
      case InstructionLayout.EVENT_END -> {
        return false;
      }
      case InstructionLayout.EVENT_SYSCALL -> systemCall(sink);
      case InstructionLayout.EVENT_RETURN -> {
        long result = records.signed();
        long raised = records.varint();
        if (raised < 0) {
          throw records.damaged();
        }
        sink.returned(result, raised);
      }
      case InstructionLayout.EVENT_SIGNAL -> {
        int signal = records.small();
        int executed = records.small();
        if (signal > 64) {
          throw records.damaged();
        }
        sink.signal(signal, executed, records.varint());
        last = 0;
      }
      case InstructionLayout.EVENT_ENTRY -> {
        int entry = records.small();
        int executed = records.small();
        sink.entry(entry, executed, records.varint());
        last = 0;
      }
      case InstructionLayout.EVENT_SWITCH -> {
        long raised = records.varint();
        if (raised < 0) {
          throw records.damaged();
        }
        sink.switched(raised);
      }
      case InstructionLayout.EVENT_CUT -> {
        sink.cut(records.small());
        last = 0;
      }
      case InstructionLayout.EVENT_FORGET -> forget();
      case InstructionLayout.EVENT_GAP -> {
        forget();
        sink.gap();
      }
      default -> throw records.damaged();
    }
    return true;
  }

  private void systemCall(TraceSink sink) throws IOException {
    long number = records.varint();
    int count = records.single();
    if (count > MAX_ARGUMENTS) {
      throw records.damaged();
    }
    for (int i = 0; i < count; i++) {
      arguments[i] = records.varint();
    }
    sink.systemCall(Math.clamp(number, 0, 0xFFFF), arguments, count);
  }

  private void forget() {
    Arrays.fill(successors, 0);
    last = 0;
  }
}
