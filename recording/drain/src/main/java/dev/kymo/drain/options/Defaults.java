package dev.kymo.drain.options;

/** The values of options that are not given, as users write them. */
public final class Defaults {
  /** Part of each thread's time that probes may take. */
  public static final String BUDGET = "5%";

  /** Bytes of a thread's buffer. */
  public static final String BUFFER = "2M";

  /** Bytes of code from which simple methods are recorded. */
  public static final String MIN_SIZE = "32";

  /** Bytes of a recording on the disk: without a limit it could fill the disk unnoticed. */
  public static final String MAX_SIZE = "4G";

  /** Files for each stream, where the oldest is dropped. */
  public static final int FILES = 4;

  private Defaults() {}
}
