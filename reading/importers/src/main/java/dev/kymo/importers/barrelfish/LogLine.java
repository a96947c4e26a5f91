package dev.kymo.importers.barrelfish;

/** The meaning of a line of a trace log. */
sealed interface LogLine {
  /** Something happened. */
  record Event(int core, long time, long word) implements LogLine {}

  /**
   * A dump begins.
   *
   * @param time cycles at which tracing began; in old logs events count from there
   */
  record Start(long time) implements LogLine {}

  /** A dump with whole times begins: earliest time in it. */
  record MinTimestamp(long time) implements LogLine {}

  /** A core's events follow. */
  record Core(int core) implements LogLine {}

  /** How far a core's cycles are ahead of core 0's. */
  record Offset(int core, long cycles) implements LogLine {}

  /** The name of the application with this dispatcher control block. */
  record Application(int core, long dcb, String name) implements LogLine {}

  /** A line without meaning: a blank line, or a bracket around a dump on the console. */
  record Blank() implements LogLine {}

  /** Not a line of a trace log. */
  record Other() implements LogLine {}
}
