package dev.kymo.format;

/** The kinds of streams in a recording; the number stands in each packet's header. */
public final class StreamClass {
  /** Definitions of one process: {@link Definition}. */
  public static final int DEFINITIONS = 0;

  /** What threads did: {@link ThreadRecord}. One stream per ring. */
  public static final int THREADS = 1;

  /** Calls of one process that were only counted: {@link CountRecord}. */
  public static final int COUNTS = 2;

  /** Events of the kernel on one processor: {@link KernelRecord}. */
  public static final int KERNEL = 3;

  private StreamClass() {}
}
