package dev.kymo.instructions;

/**
 * A line of a listing.
 *
 * @param clock of the instruction, which is its number in a program with one thread
 * @param address where it was executed; of a system call or signal 0
 * @param module name of the file with it, empty if it is in none
 * @param function with the distance from its begin, {@code main+0x1c}
 * @param source line that it was made of, {@code /src/main.c:12}; empty if that is not known
 * @param code in hexadecimal digits
 * @param text its disassembly; what a system call or a signal is
 * @param memory that it used, {@code load 8 7ffe0010=2a}; empty if it used none or that is not
 *     known
 * @param registers that it has changed, {@code rax=1 rsp=7fffffffe0a8}; empty if that is not known
 * @param kind what the line is
 */
public record ListedInstruction(
    long clock,
    int process,
    int thread,
    long address,
    String module,
    String function,
    String source,
    String code,
    String text,
    String memory,
    String registers,
    Kind kind) {

  /** What a line is about. */
  public enum Kind {
    INSTRUCTION,
    SYSTEM_CALL,
    RETURN,
    SIGNAL,
    EXCEPTION,
    INTERRUPT,
    SWITCH,
    GAP,
    /** What somebody wanted to know at an instruction. */
    DATA,
    /** Threads that are ready to run. */
    READY
  }

  /** A line that is not an instruction. */
  static ListedInstruction event(long clock, int process, int thread, String text, Kind kind) {
    return new ListedInstruction(clock, process, thread, 0, "", "", "", "", text, "", "", kind);
  }

  /** The same, executed by a thread. */
  ListedInstruction at(long when, int by, int in) {
    return new ListedInstruction(
        when, by, in, address, module, function, source, code, text, memory, registers, kind);
  }

  /** The same, with what it did. */
  ListedInstruction with(String accesses, String changed) {
    return new ListedInstruction(
        clock, process, thread, address, module, function, source, code, text, accesses, changed,
        kind);
  }
}
