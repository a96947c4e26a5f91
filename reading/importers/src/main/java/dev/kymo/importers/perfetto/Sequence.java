package dev.kymo.importers.perfetto;

import dev.kymo.importers.perfetto.wire.Message;
import java.util.HashMap;
import java.util.Map;

/** State that the packets of one writer have in common: texts by their numbers, and defaults. */
final class Sequence {
  private static final int MOST_TEXTS = 1 << 20;

  private final Map<Long, String> categories = new HashMap<>();
  private final Map<Long, String> names = new HashMap<>();
  private final Map<Long, String> noteNames = new HashMap<>();
  private final Map<Long, String> noteTexts = new HashMap<>();
  private int clock = Clocks.BOOTTIME;
  private long track;

  /** Nothing said before counts any more. */
  void clear() {
    categories.clear();
    names.clear();
    noteNames.clear();
    noteTexts.clear();
    clock = Clocks.BOOTTIME;
    track = 0;
  }

  /** Takes texts by their numbers. */
  void interned(Message data) {
    while (data.next()) {
      switch (data.field()) {
        case 1 -> put(categories, data.message());
        case 2 -> put(names, data.message());
        case 3 -> put(noteNames, data.message());
        case 29 -> put(noteTexts, data.message());
        default -> {} // of nothing that is kept
      }
    }
  }

  private static void put(Map<Long, String> to, Message entry) {
    long id = 0;
    String text = "";
    while (entry.next()) {
      if (entry.field() == 1) {
        id = entry.number();
      } else if (entry.field() == 2) {
        text = entry.text();
      }
    }
    if (to.size() < MOST_TEXTS) {
      to.put(id, text);
    }
  }

  /** Takes what packets have if they do not say it. */
  void defaults(Message defaults) {
    while (defaults.next()) {
      if (defaults.field() == 58) {
        clock = (int) defaults.number();
      } else if (defaults.field() == 11) {
        Message events = defaults.message();
        while (events.next()) {
          if (events.field() == 11) {
            track = events.number();
          }
        }
      }
    }
  }

  int clock() {
    return clock;
  }

  long track() {
    return track;
  }

  String category(long id) {
    return categories.getOrDefault(id, "category " + id);
  }

  String name(long id) {
    return names.getOrDefault(id, "name " + id);
  }

  String noteName(long id) {
    return noteNames.getOrDefault(id, "note " + id);
  }

  String noteText(long id) {
    return noteTexts.getOrDefault(id, "text " + id);
  }
}
