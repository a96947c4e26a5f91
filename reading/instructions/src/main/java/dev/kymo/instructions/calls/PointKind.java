package dev.kymo.instructions.calls;

import org.jspecify.annotations.Nullable;

/** Kinds of irregular points. Files and the viewer have the numbers: new ones come at the end. */
public enum PointKind {
  /** A return that goes elsewhere than after any call of the thread. */
  UNMATCHED_RETURN(0, "unmatched return"),

  /** The thread goes on in a caller, or ends, and calls in it have not returned. */
  LEFT_CALL(1, "call left without return"),

  /** An exception of the processor; in a program a signal that stands for one. */
  FAULT(2, "fault"),

  /** A machine's thread was switched away from while an interrupt had it. */
  PREEMPTED(3, "preempted"),

  /** Code of a page of memory is executed, of which none was before. */
  FIRST_EXECUTION(4, "first execution of a page"),

  /** An interrupt, or in a program a signal, comes within a function that was named as critical. */
  CRITICAL(5, "interrupt in critical code");

  private final int number;
  private final String word;

  PointKind(int number, String word) {
    this.number = number;
    this.word = word;
  }

  /** The kind of a number; null: none. */
  static @Nullable PointKind of(int number) {
    for (PointKind kind : values()) {
      if (kind.number == number) {
        return kind;
      }
    }
    return null;
  }

  /** The place of its constant in this list. */
  public int number() {
    return number;
  }

  /** As users read it. */
  public String word() {
    return word;
  }
}
