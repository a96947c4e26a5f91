package dev.kymo.analysis.statistics;

/** What tells the rows of statistics apart, beside what they are about. */
public enum Grouping {
  /** Nothing: one row for each. */
  NONE,
  /** The process. */
  PROCESS,
  /** The thread. */
  THREAD,
  /** The processor on which it began, as far as the kernel's events or a log of processors say. */
  CORE
}
