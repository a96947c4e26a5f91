package dev.kymo.instructions.listing;

import dev.kymo.instructions.calls.InstructionTrace;
import dev.kymo.instructions.trace.Blocks;
import dev.kymo.instructions.trace.Chunk;
import dev.kymo.instructions.trace.ChunkFile;
import dev.kymo.instructions.trace.ChunkReader;
import dev.kymo.instructions.trace.ProcessFacts;
import dev.kymo.instructions.trace.ProcessTrace;
import dev.kymo.instructions.trace.TraceSink;
import dev.kymo.instructions.trace.TracedModule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Amounts of each file's code that were executed, by process. */
public final class InstructionUse {
  private final List<Row> rows = new ArrayList<>();
  private final List<LevelRow> levels = new ArrayList<>();
  private final Map<Integer, String> damages = new TreeMap<>();
  private long repeated;

  /**
   * What a process executed of a file, or how often it called the system.
   *
   * @param module path of the file; empty: code that is in none
   * @param instructions that were executed
   * @param code bytes of code that were executed at least once
   * @param first lowest address of them
   * @param last address after the highest
   */
  public record Row(
      int process, int pid, String module, long instructions, long code, long first, long last) {}

  /** Who executed something: a program, or the kernel, for a reason. */
  public enum Level {
    APPLICATION("application"),
    KERNEL("kernel"),
    SYSTEM_CALL("system call"),
    EXCEPTION("exception"),
    INTERRUPT("interrupt");

    private final String word;

    Level(String word) {
      this.word = word;
    }

    /** As users read it. */
    public String word() {
      return word;
    }
  }

  /**
   * What a process executed at a level. Only machines have other levels than {@link
   * Level#APPLICATION}.
   *
   * @param name of its program
   * @param instructions that were executed
   * @param code bytes of code that were executed at least once
   */
  public record LevelRow(
      int process, int pid, String name, Level level, long instructions, long code) {}

  private InstructionUse() {}

  public static InstructionUse of(InstructionTrace trace) throws IOException {
    InstructionUse use = new InstructionUse();
    for (ProcessTrace process : trace.processes().values()) {
      use.add(process);
    }
    use.rows.sort(
        Comparator.comparingInt(Row::process)
            .thenComparing(Comparator.comparingLong(Row::instructions).reversed()));
    return use;
  }

  private static final class Count implements TraceSink {
    private final long[] executed;
    private final Blocks blocks;
    private final Map<Integer, Long> cut = new TreeMap<>();
    private long repeated;
    private int last;

    Count(Blocks blocks) {
      this.blocks = blocks;
      executed = new long[blocks.count()];
    }

    @Override
    public void block(int block) {
      executed[block]++;
      last = block;
    }

    @Override
    public void signal(int signal, int done, long address) {
      if (signal != 0) {
        cut(done);
      }
    }

    @Override
    public void entry(int entry, int done, long address) {
      repeated += blocks.instructions(last) > done ? 1 : 0;
      cut(done);
    }

    @Override
    public void cut(int done) {
      cut.merge(last, (long) Math.max(0, blocks.instructions(last) - done), Long::sum);
      last = 0;
    }
  }

  private static final class Sum {
    private long instructions;
    private long first = Long.MAX_VALUE;
    private long last;

    /** Ranges of code by their begin: the end. */
    private final TreeMap<Long, Long> ranges = new TreeMap<>();
  }

  private void add(ProcessTrace process) {
    Blocks blocks = process.blocks();
    Count count = new Count(blocks);
    LevelCount levelCount = new LevelCount(process.facts());
    for (ChunkFile file : process.threads().values()) {
      levelCount.begin();
      for (Chunk chunk : file.chunks()) {
        try {
          byte[] records = file.records(chunk);
          new ChunkReader(blocks).read(records, count);
          if (process.facts().isInMachine()) {
            new ChunkReader(blocks).read(records, levelCount);
          }
        } catch (IOException e) {
          damages.put(process.number(), e.getMessage());
        }
      }
    }
    repeated += count.repeated;
    addLevels(process.facts(), levelCount);
    Map<String, Sum> sums = new TreeMap<>();
    for (int i = 1; i < blocks.count(); i++) {
      if (count.executed[i] > 0) {
        TracedModule module = process.facts().module(i);
        String path = module == null ? "" : module.path();
        Sum sum = sums.computeIfAbsent(path, p -> new Sum());
        long cut = count.cut.getOrDefault(i, 0L);
        sum.instructions += count.executed[i] * blocks.instructions(i) - cut;
        sum.first = Math.min(sum.first, blocks.address(i));
        sum.last = Math.max(sum.last, blocks.end(i));
        sum.ranges.merge(blocks.address(i), blocks.end(i), Math::max);
      }
    }
    sums.forEach((path, sum) ->
        rows.add(
            new Row(
                process.number(),
                process.facts().pid(),
                path,
                sum.instructions,
                covered(sum.ranges),
                sum.first,
                sum.last)));
  }

  private void addLevels(ProcessFacts process, LevelCount count) {
    Blocks blocks = process.blocks();
    count
        .sums()
        .forEach((level, sum) -> {
          TreeMap<Long, Long> ranges = new TreeMap<>();
          sum.code.stream().forEach(b -> ranges.merge(blocks.address(b), blocks.end(b), Math::max));
          if (sum.instructions > 0) {
            levels.add(
                new LevelRow(
                    process.number(),
                    process.pid(),
                    process.programName(),
                    level,
                    sum.instructions,
                    covered(ranges)));
          }
        });
  }

  private static long covered(Map<Long, Long> ranges) {
    long sum = 0;
    long end = Long.MIN_VALUE;
    for (Map.Entry<Long, Long> range : ranges.entrySet()) {
      long begin = Math.max(range.getKey(), end);
      if (range.getValue() > begin) {
        sum += range.getValue() - begin;
        end = range.getValue();
      }
    }
    return sum;
  }

  /** By process, then by instructions, most first. */
  public List<Row> rows() {
    return rows;
  }

  /** By process, then by level; empty if it was not a machine. */
  public List<LevelRow> levels() {
    return levels;
  }

  /**
   * How many instructions of a machine were begun once more than they were executed, because a
   * fault came in the middle.
   */
  public long repeated() {
    return repeated;
  }

  /** What could not be read, by process. */
  public Map<Integer, String> damages() {
    return damages;
  }
}
