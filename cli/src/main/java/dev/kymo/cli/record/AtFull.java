package dev.kymo.cli.record;

/** The choices for a recording that has its full size. */
public enum AtFull {
  /** Recording stops; the program runs on. */
  stop,
  /** The oldest goes. */
  overwrite
}
