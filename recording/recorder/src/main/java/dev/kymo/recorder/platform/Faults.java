package dev.kymo.recorder;

import java.io.PrintWriter;
import java.io.StringWriter;

/** What went wrong in the recorder: it is said, and nobody else gets to see it. */
final class Faults {
  /** What {@code Thread.stop} throws, on versions of Java that have it, anywhere in a thread. */
  private static final String STOPPED = "java.lang.ThreadDeath";

  private static final Runnable HALT = new Halt();

  private Faults() {}

  /** Throws on what somebody else threw into the thread while it was in the recorder. */
  static void throwIfPrograms(Throwable e) {
    if (e instanceof Error error && e.getClass().getName().equals(STOPPED)) {
      throw error;
    }
  }

  /** Says that recording stops, and why. */
  static void tell(String what, Throwable cause, boolean inDetail) {
    Messages.print(what + ", recording of this process stops: " + Messages.describe(cause));
    if (inDetail) {
      StringWriter text = new StringWriter();
      cause.printStackTrace(new PrintWriter(text));
      Messages.print(text.toString().stripTrailing());
    }
  }

  /** Ends the program, whatever it has made of exits. */
  static void halt() {
    Privileged.run(HALT);
  }

  private static final class Halt implements Runnable {
    @Override
    public void run() {
      Runtime.getRuntime().halt(Messages.STRICT_EXIT);
    }
  }
}
