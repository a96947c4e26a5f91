package dev.kymo.cli.record;

/** What happens when a recording has its full size. */
public enum AtFull {
  /** Recording stops; the program runs on. */
  stop,
  /** The oldest goes. */
  overwrite
}
