package dev.kymo.analysis.difference;

/** One of the two sides that are compared. */
public enum Side {
  BASE,
  NEW
}
