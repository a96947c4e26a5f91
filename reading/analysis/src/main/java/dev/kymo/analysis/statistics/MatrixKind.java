package dev.kymo.analysis.statistics;

import dev.kymo.model.arrows.ArrowKind;

/** What ties two parties of a {@link Matrix}. */
public enum MatrixKind {
  /** Messages that one sent and the other received. */
  MESSAGES(ArrowKind.MESSAGE),
  /** Waits of one that the other ended, as the program says: locks handed over, and the like. */
  WAITS(ArrowKind.WAIT),
  /** Threads that were blocked until another one woke them, as the kernel says. */
  WAKEUPS(ArrowKind.WAKE_UP),
  /** Threads that wanted the processor which another one had. */
  SWITCHES(ArrowKind.SWITCH);

  private final ArrowKind arrows;

  MatrixKind(ArrowKind arrows) {
    this.arrows = arrows;
  }

  ArrowKind arrows() {
    return arrows;
  }
}
