package dev.kymo.analysis.activity;

import dev.kymo.analysis.filter.EventFacts;

/** Finds activities in the events of all threads, which come in the order of time. */
public interface ActivityRule {
  /** Takes an event, and begins or ends what it begins or ends. */
  void event(EventFacts event, OpenActivities open);

  /** Whether {@link EventFacts#place} may be asked for, which costs time with every event. */
  default boolean asksForPlaces() {
    return false;
  }
}
