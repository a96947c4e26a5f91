package dev.kymo.instructions.trace;

/** Takes what a thread did, in order. */
public interface TraceSink {
  void block(int block);

  /** A block is executed that was not predicted. The first time in a chunk, each block is so. */
  default void unpredicted(int block) {
    block(block);
  }

  default void systemCall(int number, long[] arguments, int count) {}

  /**
   * It returns.
   *
   * @param raised by how much the clock goes on
   */
  default void returned(long result, long raised) {}

  /**
   * A handler begins.
   *
   * @param signal 0 = the program has called it itself
   * @param executed how many instructions of the last block were executed
   * @param address where the signal came
   */
  void signal(int signal, int executed, long address);

  /**
   * The kernel is entered by an exception or an interrupt.
   *
   * @param entry number of the entry
   * @param executed how many instructions of the last block were executed
   * @param address where it came
   */
  default void entry(int entry, int executed, long address) {}

  /**
   * The thread goes on after others were executed.
   *
   * @param raised by how much the clock goes on
   */
  default void switched(long raised) {}

  /** Of the last block only so many instructions were executed. */
  void cut(int executed);

  /** For a while nothing was recorded. */
  default void gap() {}
}
