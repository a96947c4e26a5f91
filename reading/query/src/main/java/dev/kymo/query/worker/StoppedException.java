package dev.kymo.query.worker;

/** A question has no answer, because it was stopped, or the process that worked on it ended. */
public final class StoppedException extends Exception {
  private static final long serialVersionUID = 1;

  private final Reason reason;

  StoppedException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** Why it was stopped. */
  public enum Reason {
    /** Nobody wanted the answer any more. */
    CANCELLED,
    /** It took longer than it may. */
    TIME,
    /** It took more memory than it may. */
    MEMORY,
    /** The process ended by itself, as when the engine fails. */
    ENDED
  }

  /** Why it was stopped. */
  public Reason reason() {
    return reason;
  }
}
