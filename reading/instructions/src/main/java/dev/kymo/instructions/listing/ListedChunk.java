package dev.kymo.instructions.listing;

import dev.kymo.instructions.trace.Chunk;
import dev.kymo.instructions.trace.ChunkFile;
import dev.kymo.instructions.trace.ChunkReader;
import dev.kymo.instructions.trace.ProcessFacts;
import dev.kymo.instructions.trace.ProcessTrace;
import dev.kymo.instructions.trace.SystemCalls;
import dev.kymo.instructions.trace.TraceSink;
import java.io.IOException;
import java.util.List;

/** The lines of a chunk that are in a range. */
final class ListedChunk implements TraceSink {
  private static final SystemCalls SYSTEM_CALLS = new SystemCalls();

  private final ProcessTrace process;
  private final int thread;
  private final ListedBlocks blocks;
  private final int[] counts;
  private final long from;
  private final long to;
  private final List<ListedRun> runs;
  private long clock;
  private int last;

  /**
   * Lists the chunks of a thread.
   *
   * @param from clock
   * @param to clock that is not listed any more
   * @param runs takes the lines
   */
  ListedChunk(
      ProcessTrace process,
      int thread,
      ListedBlocks blocks,
      long from,
      long to,
      List<ListedRun> runs) {
    this.process = process;
    this.thread = thread;
    this.blocks = blocks;
    this.counts = process.blocks().instructions();
    this.from = from;
    this.to = to;
    this.runs = runs;
  }

  /** All that was wanted is there. */
  private static final class Enough extends RuntimeException {
    private static final long serialVersionUID = 1;

    Enough() {
      super(null, null, false, false);
    }
  }

  void read(ChunkFile file, Chunk chunk) throws IOException {
    clock = chunk.begin();
    try {
      new ChunkReader(process.blocks()).read(file.records(chunk), this);
    } catch (Enough e) {
      // The rest is after the range.
    }
  }

  @Override
  public void block(int block) {
    long end = clock + counts[block];
    last = block;
    if (end > from) {
      list(block, end);
    }
    clock = end;
  }

  private void list(int block, long end) {
    if (clock >= to) {
      throw new Enough();
    }
    long first = Math.max(from, clock);
    if (end > first) {
      runs.add(
          new ListedRun(
              first,
              process.number(),
              thread,
              ListedInstruction.Kind.INSTRUCTION,
              blocks.of(block),
              (int) (first - clock),
              (int) (Math.min(end, to) - clock)));
    }
  }

  private void event(ListedInstruction.Kind kind, String text) {
    if (clock >= from && clock < to) {
      runs.add(ListedRun.of(ListedInstruction.event(clock, process.number(), thread, text, kind)));
    }
  }

  @Override
  public void systemCall(int number, long[] arguments, int count) {
    StringBuilder text = new StringBuilder(SYSTEM_CALLS.name(number)).append('(');
    for (int i = 0; i < count; i++) {
      text.append(i == 0 ? "" : ", ").append(InstructionListing.shown(arguments[i]));
    }
    event(ListedInstruction.Kind.SYSTEM_CALL, text.append(')').toString());
  }

  @Override
  public void returned(long result, long raised) {
    event(ListedInstruction.Kind.RETURN, "= " + InstructionListing.shown(result));
    clock += raised;
  }

  @Override
  public void gap() {
    event(ListedInstruction.Kind.GAP, "nothing recorded for a while");
  }

  @Override
  public void switched(long raised) {
    event(ListedInstruction.Kind.SWITCH, "not running for " + raised + " instructions");
    clock += raised;
  }

  @Override
  public void signal(int signal, int executed, long address) {
    if (signal != 0) {
      cut(executed);
      event(
          ListedInstruction.Kind.SIGNAL,
          SystemCalls.signal(signal) + " at 0x" + Long.toHexString(address));
    }
  }

  @Override
  public void entry(int number, int executed, long address) {
    cut(executed);
    ProcessFacts.Entry entry = process.facts().entries().get(number);
    boolean interrupt = entry != null && entry.interrupt();
    event(
        interrupt ? ListedInstruction.Kind.INTERRUPT : ListedInstruction.Kind.EXCEPTION,
        (entry == null ? "" : entry.name()) + " at 0x" + Long.toHexString(address));
  }

  /** Instructions that were listed, but not executed, are taken back. */
  @Override
  public void cut(int executed) {
    int missing = Math.max(0, counts[last] - executed);
    clock -= missing;
    while (missing > 0 && !runs.isEmpty()) {
      ListedRun run = runs.getLast();
      boolean isOwn = run.thread() == thread && run.process() == process.number();
      if (!isOwn || run.clock() + run.size() <= clock) {
        break;
      }
      run.cut(clock);
      if (run.size() > 0) {
        break;
      }
      runs.removeLast();
    }
    last = 0;
  }
}
