package dev.kymo.session.system;

/**
 * The end of a command.
 *
 * @param exit its exit code, as a shell has it
 * @param signal that ended it; 0 = none
 */
public record CommandEnd(int exit, int signal) {
  /** Shells add this to the signal's number for the exit code. */
  private static final int BY_SIGNAL = 128;

  /** From the status that the system has of it. */
  public static CommandEnd of(int status) {
    int signal = status & 0x7F;
    return signal == 0
        ? new CommandEnd((status >> 8) & 0xFF, 0)
        : new CommandEnd(BY_SIGNAL + signal, signal);
  }

  /**
   * Ends this program in the same way, so that a shell reports what it would report of the command.
   */
  public int pass() {
    if (signal != 0) {
      System.err.flush();
      LinuxCalls.endBy(signal);
    }
    return exit; // the first process of a container cannot be ended by a signal
  }
}
