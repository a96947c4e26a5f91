package dev.kymo.instructions;

/** Takes what a thread did, in order. */
interface TraceSink {
  /** A block is executed. */
  void block(int block);

  /** A system call begins. */
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

  /** For a while nothing was recorded. */
  default void gap() {}
}
