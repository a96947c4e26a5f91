package dev.kymo.events;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares definitions with an older version: recordings and compiled programs know events by their
 * ids, so an event that keeps its name has to keep its id.
 */
public final class StableIds {
  private StableIds() {}

  /**
   * Finds a problem for each subsystem and event that is in both versions and has another id now.
   */
  public static List<Problem> changed(Definitions old, Definitions now) {
    Map<String, Subsystem> before = new HashMap<>();
    old.subsystems().forEach(s -> before.put(s.name(), s));
    List<Problem> problems = new ArrayList<>();
    for (Subsystem subsystem : now.subsystems()) {
      Subsystem was = before.get(subsystem.name());
      if (was != null) {
        compare(now.file(), was, subsystem, problems);
      }
    }
    return problems;
  }

  private static void compare(String file, Subsystem was, Subsystem is, List<Problem> problems) {
    if (was.id() != is.id()) {
      String what = "subsystem '%s'".formatted(is.name());
      problems.add(new Problem(file, is.place(), message(what, was.id(), is.id())));
    }
    Map<String, Event> before = new HashMap<>();
    was.events().forEach(e -> before.put(e.name(), e));
    for (Event event : is.events()) {
      Event old = before.get(event.name());
      if (old != null && old.id() != event.id()) {
        String what = "event '%s' of subsystem '%s'".formatted(event.name(), is.name());
        problems.add(new Problem(file, event.place(), message(what, old.id(), event.id())));
      }
    }
  }

  private static String message(String what, int old, int now) {
    return "id of %s has changed: old=%d new=%d; give it '= %d', or add new definitions at the end"
        .formatted(what, old, now, old);
  }
}
