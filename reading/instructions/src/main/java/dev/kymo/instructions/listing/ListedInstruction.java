package dev.kymo.instructions.listing;

/**
 * A line of a listing.
 *
 * @param clock of the instruction, which is its number in a program with one thread
 * @param what was executed
 * @param memory that it used, {@code load 8 7ffe0010=2a}; empty if it used none or that is not
 *     known
 * @param registers that it has changed, {@code rax=1 rsp=7fffffffe0a8}; empty if that is not known
 * @param kind what the line is
 */
public record ListedInstruction(
    long clock,
    int process,
    int thread,
    ListedCode what,
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
    READY
  }

  /** A line that is not an instruction. */
  static ListedInstruction event(long clock, int process, int thread, String text, Kind kind) {
    return new ListedInstruction(clock, process, thread, ListedCode.event(text), "", "", kind);
  }

  public long address() {
    return what.address();
  }

  public String code() {
    return what.code();
  }

  public String text() {
    return what.text();
  }
}
