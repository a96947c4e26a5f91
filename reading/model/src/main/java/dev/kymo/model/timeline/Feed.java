package dev.kymo.model.timeline;

import java.io.IOException;

/** Writes a recording in the thread of the timeline that follows it. */
@FunctionalInterface
public interface Feed {
  /** Writes what is new. A failure ends the following, and is said. */
  void feed() throws IOException;
}
