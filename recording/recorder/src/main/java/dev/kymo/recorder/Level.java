package dev.kymo.recorder;

import java.util.Locale;

/** The amount that is recorded of a process. */
enum Level {
  /** Calls of methods only. */
  CALLS(true, false),
  /** The program's own events only. */
  EVENTS(false, true),
  /** Both. */
  ALL(true, true);

  private final boolean calls;
  private final boolean events;

  Level(boolean calls, boolean events) {
    this.calls = calls;
    this.events = events;
  }

  boolean calls() {
    return calls;
  }

  boolean events() {
    return events;
  }

  /**
   * The level with a name.
   *
   * @throws IllegalArgumentException if there is no such level; the message lists the levels
   */
  static Level of(String name) {
    for (Level level : values()) {
      if (level.text().equals(name)) {
        return level;
      }
    }
    throw new IllegalArgumentException(
        "no such level: level=" + name + "; use calls, events or all");
  }

  String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
