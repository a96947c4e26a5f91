package dev.kymo.recorder.platform;

/** Handles faults in the recorder, which the program never sees. */
public final class Faults {
  /** What {@code Thread.stop} throws, on versions of Java that have it, anywhere in a thread. */
  private static final String STOPPED = "java.lang.ThreadDeath";

  /** Exit code of a program whose agent failed under {@code --strict}. */
  private static final int STRICT_EXIT = 70;

  private static final Runnable HALT = new Halt();

  private Faults() {}

  /**
   * Rethrows an exception that another thread threw into this thread while it was in the recorder.
   */
  public static void throwIfPrograms(Throwable e) {
    if (e instanceof Error error && e.getClass().getName().equals(STOPPED)) {
      throw error;
    }
  }

  /** Ends the program, whatever it has made of exits. */
  public static void halt() {
    Privileged.run(HALT);
  }

  private static final class Halt implements Runnable {
    @Override
    public void run() {
      Runtime.getRuntime().halt(STRICT_EXIT);
    }
  }
}
