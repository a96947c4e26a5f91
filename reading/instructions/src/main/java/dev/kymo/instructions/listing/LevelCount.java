package dev.kymo.instructions.listing;

import dev.kymo.instructions.trace.BlockEnd;
import dev.kymo.instructions.trace.Blocks;
import dev.kymo.instructions.trace.ProcessFacts;
import dev.kymo.instructions.trace.TraceSink;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.Map;

/** Counts what the threads of a process executed at which level, one thread after the other. */
final class LevelCount implements TraceSink {
  private static final int MAX_DEPTH = 64;

  private final Blocks blocks;
  private final byte[] ends;
  private final InstructionUse.Level base;
  private final ProcessFacts facts;
  private final Map<InstructionUse.Level, Sum> sums = new EnumMap<>(InstructionUse.Level.class);
  private final InstructionUse.Level[] levels = new InstructionUse.Level[MAX_DEPTH];
  private int depth;
  private int last;
  private Sum now;

  static final class Sum {
    long instructions;
    final BitSet code = new BitSet();
  }

  LevelCount(ProcessFacts facts) {
    this.facts = facts;
    blocks = facts.blocks();
    ends = blocks.ends();
    base = facts.isKernel() ? InstructionUse.Level.KERNEL : InstructionUse.Level.APPLICATION;
    now = sum(base);
  }

  /** Another thread comes next. */
  void begin() {
    leaveTo(0);
    last = 0;
  }

  Map<InstructionUse.Level, Sum> sums() {
    return sums;
  }

  private Sum sum(InstructionUse.Level level) {
    return sums.computeIfAbsent(level, l -> new Sum());
  }

  private void enter(InstructionUse.Level level) {
    if (depth < MAX_DEPTH) {
      levels[depth++] = level;
      now = sum(level);
    }
  }

  private void leaveTo(int to) {
    depth = to;
    now = sum(to == 0 ? base : levels[to - 1]);
  }

  @Override
  public void block(int block) {
    if (ends[last] == BlockEnd.LEVEL_RETURN
        && blocks.address(block) != blocks.end(last) // else the kernel serializes so
        && depth > 0
        && levels[depth - 1] != InstructionUse.Level.SYSTEM_CALL) {
      leaveTo(depth - 1);
    }
    if (last == 0 && depth == 0 && blocks.address(block) < 0 && !facts.isKernel()) {
      enter(InstructionUse.Level.SYSTEM_CALL); // a process begins in the middle of one
    }
    now.instructions += blocks.instructions(block);
    now.code.set(block);
    last = block;
  }

  @Override
  public void systemCall(int number, long[] arguments, int count) {
    if (facts.isInMachine()) {
      enter(InstructionUse.Level.SYSTEM_CALL);
    }
  }

  @Override
  public void returned(long result, long raised) {
    int to = depth;
    while (to > 0 && levels[--to] != InstructionUse.Level.SYSTEM_CALL) {}
    leaveTo(to);
    last = 0;
  }

  @Override
  public void signal(int signal, int executed, long address) {
    if (signal != 0) {
      cut(executed);
    }
  }

  @Override
  public void entry(int entry, int executed, long address) {
    cut(executed);
    ProcessFacts.Entry of = facts.entries().get(entry);
    boolean interrupt = of != null && of.interrupt();
    enter(interrupt ? InstructionUse.Level.INTERRUPT : InstructionUse.Level.EXCEPTION);
  }

  @Override
  public void cut(int executed) {
    now.instructions -= Math.max(0, blocks.instructions(last) - executed);
    last = 0;
  }

  @Override
  public void gap() {
    begin();
  }
}
