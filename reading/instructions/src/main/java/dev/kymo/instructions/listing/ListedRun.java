package dev.kymo.instructions.listing;

import java.util.Map;
import java.util.function.Consumer;

/**
 * Lines of a listing that follow each other: instructions of a block that a thread executed, or one
 * line that is not an instruction.
 */
public final class ListedRun {
  private static final Map<Long, String> NOTHING = Map.of();

  private final long clock;
  private final int process;
  private final int thread;
  private final ListedInstruction.Kind kind;
  private final ListedCode[] codes;
  private final int first;
  private int end;
  private Map<Long, String> memory = NOTHING;
  private Map<Long, String> registers = NOTHING;

  /** Its place among those that were found, of which some come at the same clock. */
  private int order;

  /**
   * Some instructions of a block.
   *
   * @param clock of the first one
   * @param codes of the block, which nobody changes
   * @param first index of the first one
   * @param end index after the last one
   */
  ListedRun(
      long clock,
      int process,
      int thread,
      ListedInstruction.Kind kind,
      ListedCode[] codes,
      int first,
      int end) {
    this.clock = clock;
    this.process = process;
    this.thread = thread;
    this.kind = kind;
    this.codes = codes;
    this.first = first;
    this.end = end;
  }

  /** A line that is not an instruction. */
  static ListedRun of(ListedInstruction line) {
    return new ListedRun(
        line.clock(),
        line.process(),
        line.thread(),
        line.kind(),
        new ListedCode[] {line.what()},
        0,
        1);
  }

  ListedRun part(int index) {
    ListedRun part =
        new ListedRun(
            clock + index, process, thread, kind, codes, first + index, first + index + 1);
    part.memory = memory;
    part.registers = registers;
    return part;
  }

  /** Takes what replays have added, by clock. */
  void add(Map<Long, String> accesses, Map<Long, String> changed) {
    memory = accesses;
    registers = changed;
  }

  void order(int place) {
    order = place;
  }

  int order() {
    return order;
  }

  /** Takes back what was executed at a clock or later. */
  void cut(long at) {
    end = (int) Math.min(end, first + Math.max(0, at - clock));
  }

  /** Clock of the first line. */
  public long clock() {
    return clock;
  }

  /** The clock after the last instruction; of another line its own. */
  long endClock() {
    return isInstructions() ? clock + size() : clock;
  }

  public int process() {
    return process;
  }

  public int thread() {
    return thread;
  }

  public ListedInstruction.Kind kind() {
    return kind;
  }

  public boolean isInstructions() {
    return kind == ListedInstruction.Kind.INSTRUCTION;
  }

  /** How many lines it is. */
  public int size() {
    return end - first;
  }

  public ListedCode code(int index) {
    return codes[first + index];
  }

  /** The block that it is of, the same object each time. */
  public Object block() {
    return codes;
  }

  /** How many lines it would be if all of the block were executed. */
  public int blockSize() {
    return codes.length;
  }

  /** Which line of the block is the first one here. */
  public int first() {
    return first;
  }

  /** Whether replays have added something to it, or to others. */
  public boolean hasDetails() {
    return !memory.isEmpty() || !registers.isEmpty();
  }

  public void forEach(Consumer<ListedInstruction> sink) {
    for (int i = 0; i < size(); i++) {
      long at = clock + i;
      boolean has = isInstructions();
      sink.accept(
          new ListedInstruction(
              at,
              process,
              thread,
              code(i),
              has ? memory.getOrDefault(at, "") : "",
              has ? registers.getOrDefault(at, "") : "",
              kind));
    }
  }
}
