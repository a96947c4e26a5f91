package dev.kymo.model.calls;

/** Flags of a slice: what is known of its ends. */
public final class Slice {
  /** The call ended by an exception. */
  public static final int UNWOUND = 1;

  /** It was running when the recording (of this thread) began; its begin is not known. */
  public static final int OPEN_BEGIN = 2;

  /** It was running when the recording (of this thread) ended; its end is not known. */
  public static final int OPEN_END = 4;

  /** Its leave is missing; the end is that of the call around it. */
  public static final int INFERRED_END = 8;

  /**
   * Events of this thread were lost while it ran: the time is right, what it called may be more.
   */
  public static final int LOSSY = 16;

  public static final int ALL = 31;

  /** Calls that were merged are all of one method. */
  public static final int SAME_METHOD = 32;

  private Slice() {}
}
