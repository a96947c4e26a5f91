package dev.kymo.exporters.otf2;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The strings of an archive: events and definitions refer to them by number. */
final class Strings {
  /** Texts of events can all be different: more than this many are not kept. */
  private static final int MOST = 1 << 20;

  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<String> all = new ArrayList<>();

  int of(String text) {
    return numbers.computeIfAbsent(
        text,
        t -> {
          all.add(t);
          return all.size() - 1;
        });
  }

  /** The number of an event's text. */
  int ofEvent(String text) {
    return all.size() < MOST || numbers.containsKey(text) ? of(text) : of("(more texts)");
  }

  List<String> all() {
    return all;
  }
}
