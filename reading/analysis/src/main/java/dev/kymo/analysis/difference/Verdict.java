package dev.kymo.analysis.difference;

/** Certainty that a difference is one of the programs and not of how the runs went. */
public enum Verdict {
  /** Calls, counted one by one; each call of the caller has made as many, on either side. */
  EXACT,

  /** Calls, counted one by one, of a caller that was called too seldom to say how they vary. */
  ONCE,

  /** More than chance, the machine and the recording can explain. */
  CERTAIN,

  /** It may as well be chance. */
  UNCERTAIN,

  /** Events were lost, or methods left out: there may have been more on one side. */
  INCOMPLETE;

  public boolean isFinding() {
    return this == EXACT || this == ONCE || this == CERTAIN;
  }
}
