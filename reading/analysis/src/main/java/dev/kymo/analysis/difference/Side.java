package dev.kymo.analysis.difference;

/** One of the two sides that are compared. */
public enum Side {
  BASE(0),
  NEW(1);

  private final int index;

  Side(int index) {
    this.index = index;
  }

  /** Where its figure is in a pair. */
  int index() {
    return index;
  }
}
