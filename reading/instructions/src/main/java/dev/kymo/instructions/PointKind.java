package dev.kymo.instructions;

/** What is irregular at a point. Files have the place of a kind in this list: add at its end. */
public enum PointKind {
  /** A return that goes elsewhere than after any call of the thread. */
  UNMATCHED_RETURN("unmatched return"),

  /** The thread goes on in a caller, or ends, and calls in it have not returned. */
  LEFT_CALL("call left without return"),

  /** An exception of the processor; in a program a signal that stands for one. */
  FAULT("fault"),

  /** A machine's thread was switched away from while an interrupt had it. */
  PREEMPTED("preempted"),

  /** Code of a page of memory is executed, of which none was before. */
  FIRST_EXECUTION("first execution of a page"),

  /** An interrupt, or in a program a signal, comes within a function that was named as critical. */
  CRITICAL("interrupt in critical code");

  private final String word;

  PointKind(String word) {
    this.word = word;
  }

  /** As users read it. */
  public String word() {
    return word;
  }
}
