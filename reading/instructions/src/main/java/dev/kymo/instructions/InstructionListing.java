package dev.kymo.instructions;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Lists what was executed, in the order of the clock. */
public final class InstructionListing implements AutoCloseable {
  /** By clock; data was taken before the instruction of its clock. */
  private static final Comparator<ListedInstruction> ORDER =
      Comparator.comparingLong(ListedInstruction::clock)
          .thenComparing(line -> line.kind() == ListedInstruction.Kind.INSTRUCTION);

  /** Lines are sorted within as many instructions. */
  private static final long PART = 500_000;

  private final InstructionTrace trace;
  private final MethodNames methodNames;
  private final @Nullable SourceLines sourceLines;
  private final Map<String, CodeFile> files = new HashMap<>();
  private final Disassembler disassembler = new Disassembler();
  private final SystemCalls systemCalls = new SystemCalls();
  private final Map<Integer, Names> names = new HashMap<>();

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

  /** Says what a process's blocks are; texts are made once for each block. */
  private record Names(CodeNames code, Map<Integer, List<ListedInstruction>> lines) {
    Names(CodeNames code) {
      this(code, new HashMap<>());
    }
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
  public void list(long from, long to, Consumer<ListedInstruction> sink) throws IOException {
    long[] range = range();
    long end = Math.min(to, range[1] + 1); // what happens after the last instruction, too
    for (long begin = Math.max(from, range[0]); begin < end; begin += PART) {
      List<ListedInstruction> lines = new ArrayList<>();
      part(begin, Math.min(end, begin + PART), lines);
      Details details = details(begin, Math.min(end, begin + PART));
      lines.addAll(details.data);
      lines.sort(ORDER);
      lines.stream().map(details::complete).forEach(sink);
    }
  }

  /**
   * Lists only what was wanted at chosen instructions, and which threads were ready to run.
   *
   * @param from clock
   * @param to clock that is not listed any more
   */
  public void listData(long from, long to, Consumer<ListedInstruction> sink) throws IOException {
    trace.details().data().lines(from, to).forEach(sink);
  }

  /** What replays have added to a part. */
  private record Details(
      Map<Long, String> registers, Map<Long, String> memory, List<ListedInstruction> data) {
    ListedInstruction complete(ListedInstruction line) {
      String changed = registers.getOrDefault(line.clock(), "");
      String accesses = memory.getOrDefault(line.clock(), "");
      boolean known = !changed.isEmpty() || !accesses.isEmpty();
      return known && line.kind() == ListedInstruction.Kind.INSTRUCTION
          ? line.with(accesses, changed)
          : line;
    }
  }

  private Details details(long from, long to) {
    try {
      InstructionTrace.Details added = trace.details();
      return new Details(
          added.registers().changes(from, to),
          added.memory().accesses(from, to),
          added.data().lines(from, to));
    } catch (IOException e) {
      trace.note("what a replay has added cannot be read: " + e.getMessage());
      return new Details(Map.of(), Map.of(), List.of());
    }
  }

  private void part(long from, long to, List<ListedInstruction> lines) throws IOException {
    for (ProcessTrace process : trace.processes().values()) {
      for (Map.Entry<Integer, ChunkFile> thread : process.threads().entrySet()) {
        for (Chunk chunk : thread.getValue().chunks()) {
          // An event at a chunk's end has the clock of the next one's begin.
          if (chunk.begin() < to && chunk.end() >= from) {
            Lines sink = new Lines(process, thread.getKey(), chunk.begin(), from, to, lines);
            read(thread.getValue(), chunk, process.blocks(), sink);
          }
        }
      }
    }
  }

  private static void read(ChunkFile file, Chunk chunk, Blocks blocks, Lines sink)
      throws IOException {
    try {
      new ChunkReader(blocks).read(file.records(chunk), sink);
    } catch (Enough e) {
      // The rest is after the range.
    }
  }

  /** All that was wanted is there. */
  private static final class Enough extends RuntimeException {
    private static final long serialVersionUID = 1;

    Enough() {
      super(null, null, false, false);
    }
  }

  /** The lines of a chunk. */
  private final class Lines implements TraceSink {
    private final ProcessTrace process;
    private final int thread;
    private final long from;
    private final long to;
    private final List<ListedInstruction> lines;
    private final Names known;
    private long clock;
    private int last;

    Lines(
        ProcessTrace process,
        int thread,
        long clock,
        long from,
        long to,
        List<ListedInstruction> lines)
        throws IOException {
      this.process = process;
      this.thread = thread;
      this.clock = clock;
      this.from = from;
      this.to = to;
      this.lines = lines;
      this.known = names(process);
    }

    @Override
    public void block(int block) {
      int count = process.blocks().instructions(block);
      last = block;
      if (clock >= to) {
        throw new Enough();
      }
      if (clock + count > from) {
        List<ListedInstruction> of =
            known.lines.computeIfAbsent(block, b -> lines(process, known, b));
        for (int i = 0; i < of.size(); i++) {
          long at = clock + i;
          if (at >= from && at < to) {
            lines.add(of.get(i).at(at, process.number(), thread));
          }
        }
      }
      clock += count;
    }

    private void event(ListedInstruction.Kind kind, String text) {
      if (clock >= from && clock < to) {
        lines.add(ListedInstruction.event(clock, process.number(), thread, text, kind));
      }
    }

    @Override
    public void systemCall(int number, long[] arguments, int count) {
      StringBuilder text = new StringBuilder(systemCalls.name(number)).append('(');
      for (int i = 0; i < count; i++) {
        text.append(i == 0 ? "" : ", ").append(shown(arguments[i]));
      }
      event(ListedInstruction.Kind.SYSTEM_CALL, text.append(')').toString());
    }

    @Override
    public void returned(long result, long raised) {
      event(ListedInstruction.Kind.RETURN, "= " + shown(result));
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
            "%s at 0x%x".formatted(SystemCalls.signal(signal), address));
      }
    }

    @Override
    public void entry(int number, int executed, long address) {
      cut(executed);
      ProcessFacts.Entry entry = process.facts().entries().get(number);
      boolean interrupt = entry != null && entry.interrupt();
      event(
          interrupt ? ListedInstruction.Kind.INTERRUPT : ListedInstruction.Kind.EXCEPTION,
          "%s at 0x%x".formatted(entry == null ? "" : entry.name(), address));
    }

    /** Instructions that were listed, but not executed, are taken back. */
    @Override
    public void cut(int executed) {
      int missing = Math.max(0, process.blocks().instructions(last) - executed);
      clock -= missing;
      for (int i = lines.size() - 1; i >= 0 && missing > 0; i--) {
        ListedInstruction line = lines.get(i);
        if (line.clock() < clock || line.thread() != thread) {
          break;
        }
        if (line.process() == process.number()) {
          lines.remove(i);
        }
      }
      last = 0;
    }
  }

  static String shown(long value) {
    return value > -4096 && value < 65536 ? Long.toString(value) : "0x" + Long.toHexString(value);
  }

  private Names names(ProcessTrace process) throws IOException {
    Names found = names.get(process.number());
    if (found == null) {
      found = new Names(new CodeNames(trace, process.facts(), methodNames));
      names.put(process.number(), found);
    }
    return found;
  }

  private List<ListedInstruction> lines(ProcessTrace process, Names known, int block) {
    Blocks blocks = process.blocks();
    byte[] code = blocks.code(block);
    TracedModule module = process.facts().module(block);
    String file = module == null ? "" : module.name();
    List<ListedInstruction> lines = new ArrayList<>();
    int at = 0;
    for (int i = 0; i < blocks.instructions(block); i++) {
      int length = blocks.length(block, i);
      long address = blocks.address(block) + at;
      lines.add(
          new ListedInstruction(
              0,
              0,
              0,
              address,
              file,
              known.code.function(module, address),
              source(module, address),
              HexFormat.of().formatHex(code, at, at + length),
              disassembler.text(code, at, length, address),
              "",
              "",
              ListedInstruction.Kind.INSTRUCTION));
      at += length;
    }
    return lines;
  }

  private String source(@Nullable TracedModule module, long address) {
    if (sourceLines == null || module == null || module.isNoFile()) {
      return "";
    }
    CodeFile file = files.computeIfAbsent(module.path(), CodeFile::read);
    long inFile = file.address(address - module.address() + module.offset());
    return sourceLines.of(module.path(), inFile);
  }

  @Override
  public void close() {
    disassembler.close();
  }
}
