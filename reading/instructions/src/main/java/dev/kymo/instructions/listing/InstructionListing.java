package dev.kymo.instructions.listing;

import dev.kymo.instructions.calls.InstructionTrace;
import dev.kymo.instructions.trace.Chunk;
import dev.kymo.instructions.trace.ChunkFile;
import dev.kymo.instructions.trace.CodeFile;
import dev.kymo.instructions.trace.ProcessTrace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Lists what was executed, in the order of the clock. */
public final class InstructionListing implements AutoCloseable {
  /** Lines are sorted within as many instructions. */
  private static final long PART = 500_000;

  private final InstructionTrace trace;
  private final MethodNames methodNames;
  private final @Nullable SourceLines sourceLines;
  private final Disassembler disassembler = new Disassembler();
  private final Map<Integer, ListedBlocks> blocks = new HashMap<>();
  private final Map<String, CodeFile> files = new HashMap<>();
  private @Nullable AddedTraces added;

  /** What the recording calls a method; empty if it has no name for it. */
  public interface MethodNames {
    String name(int process, int method);
  }

  /** Which source line code was made of; empty if that is not known. */
  public interface SourceLines {
    String of(String file, long address);
  }

  /**
   * Lists a trace.
   *
   * @param sourceLines null: without them
   */
  public InstructionListing(
      InstructionTrace trace, MethodNames methodNames, @Nullable SourceLines sourceLines) {
    this.trace = trace;
    this.methodNames = methodNames;
    this.sourceLines = sourceLines;
  }

  /** Whether instructions have their text. */
  public boolean disassembles() {
    return disassembler.isThere();
  }

  /** The range of clocks that was recorded: the first instruction's, and the one after the last. */
  public long[] range() throws IOException {
    long first = Long.MAX_VALUE;
    long last = 0;
    for (ProcessTrace process : trace.processes().values()) {
      for (ChunkFile file : process.threads().values()) {
        for (Chunk chunk : file.chunks()) {
          first = Math.min(first, chunk.begin());
          last = Math.max(last, chunk.end());
        }
      }
    }
    return new long[] {Math.min(first, last), last};
  }

  /**
   * Lists a range.
   *
   * @param from clock
   * @param to clock that is not listed any more
   * @throws IOException if something cannot be read; what came before was listed
   */
  public void list(long from, long to, Consumer<ListedRun> sink) throws IOException {
    long[] range = range();
    long end = Math.min(to, range[1] + 1); // what happens after the last instruction, too
    for (long begin = Math.max(from, range[0]); begin < end; begin += PART) {
      List<ListedRun> runs = new ArrayList<>();
      part(begin, Math.min(end, begin + PART), runs);
      Details details = details(begin, Math.min(end, begin + PART));
      details.data.forEach(line -> runs.add(ListedRun.of(line)));
      runs.forEach(run -> run.add(details.memory, details.registers));
      RunOrder.each(runs, sink);
    }
  }

  /**
   * Lists only what was wanted at chosen instructions, and which threads were ready to run.
   *
   * @param from clock
   * @param to clock that is not listed any more
   */
  public void listData(long from, long to, Consumer<ListedRun> sink) throws IOException {
    added().data().lines(from, to).forEach(line -> sink.accept(ListedRun.of(line)));
  }

  private AddedTraces added() throws IOException {
    AddedTraces found = added;
    if (found == null) {
      found = AddedTraces.of(trace);
      added = found;
    }
    return found;
  }

  /** What replays have added to a part. */
  private record Details(
      Map<Long, String> registers, Map<Long, String> memory, List<ListedInstruction> data) {}

  private Details details(long from, long to) {
    try {
      AddedTraces added = added();
      return new Details(
          added.registers().changes(from, to),
          added.memory().accesses(from, to),
          added.data().lines(from, to));
    } catch (IOException e) {
      trace.note("what a replay has added cannot be read: " + e.getMessage());
      return new Details(Map.of(), Map.of(), List.of());
    }
  }

  private void part(long from, long to, List<ListedRun> runs) throws IOException {
    for (ProcessTrace process : trace.processes().values()) {
      for (Map.Entry<Integer, ChunkFile> thread : process.threads().entrySet()) {
        for (Chunk chunk : thread.getValue().chunks()) {
          // An event at a chunk's end has the clock of the next one's begin.
          if (chunk.begin() < to && chunk.end() >= from) {
            ListedChunk lines =
                new ListedChunk(process, thread.getKey(), blocks(process), from, to, runs);
            lines.read(thread.getValue(), chunk);
          }
        }
      }
    }
  }

  static String shown(long value) {
    return value > -4096 && value < 65536 ? Long.toString(value) : "0x" + Long.toHexString(value);
  }

  private ListedBlocks blocks(ProcessTrace process) throws IOException {
    ListedBlocks found = blocks.get(process.number());
    if (found == null) {
      CodeNames names = new CodeNames(trace, process.facts(), methodNames);
      found = new ListedBlocks(process.facts(), names, disassembler, sourceLines, files);
      blocks.put(process.number(), found);
    }
    return found;
  }

  @Override
  public void close() {
    disassembler.close();
  }
}
