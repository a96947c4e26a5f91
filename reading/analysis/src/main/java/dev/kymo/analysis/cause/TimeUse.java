package dev.kymo.analysis.cause;

/**
 * What a thread did with its time, beside running its calls. Where several were reported for the
 * same time, the first counts: a collector does not delay a waiting thread, and the kernel's {@code
 * blocked} adds nothing to a known wait.
 */
public final class TimeUse {
  /** None of these. */
  static final int NONE = -1;

  /** Kymo put probes into a class that it loaded. */
  public static final int WEAVING = 0;

  /** The program waited, by its own report. */
  public static final int WAITING = 1;

  /** The virtual machine had stopped all threads. */
  public static final int STOPPED = 2;

  /** The kernel says that it waited. */
  public static final int BLOCKED = 3;

  /** The kernel says that it wanted a processor and had none. */
  public static final int RUNNABLE = 4;

  /** The virtual machine loaded a class for it. */
  public static final int LOADING = 5;

  /** The kernel says that it ran. */
  public static final int RUNNING = 6;

  public static final int COUNT = 7;

  private TimeUse() {}
}
