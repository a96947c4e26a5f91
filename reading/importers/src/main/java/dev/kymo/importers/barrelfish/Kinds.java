package dev.kymo.importers.barrelfish;

import dev.kymo.format.Definition;
import dev.kymo.format.EventKind;
import dev.kymo.writer.DefinitionFile;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Numbers of events and applications in the recording, which are defined at their first use. Events
 * and methods share their numbers.
 */
final class Kinds {
  private static final String MESSAGES = "ump";
  private static final String MARKERS = "marker";
  private static final int APPLICATION = 1;

  private final DefinitionFile definitions;
  private final EventNames names;
  private final long clock;
  private final Map<String, Integer> subsystems = new HashMap<>();
  private final Map<Long, Integer> events = new HashMap<>();
  private final Map<String, Integer> applications = new HashMap<>();

  /**
   * No kinds so far.
   *
   * @param clock of all definitions
   */
  Kinds(DefinitionFile definitions, EventNames names, long clock) throws IOException {
    this.definitions = definitions;
    this.names = names;
    this.clock = clock;
    definitions.define(clock, new Definition.Type(APPLICATION, "application", "", ""));
  }

  EventNames names() {
    return names;
  }

  /** Number of the method that stands for an application's running. */
  int application(String name) throws IOException {
    Integer known = applications.get(name);
    if (known != null) {
      return known;
    }
    int number = next();
    applications.put(name, number);
    definitions.define(clock, new Definition.Method(number, APPLICATION, 0, 0, name, ""));
    return number;
  }

  /** Number of the event that a word is. */
  int event(long word) throws IOException {
    boolean marker = names.isMarker(word);
    long kind = Word.isMessage(word) ? word >>> 56 << 56 : marker ? word : word & ~0xFFFFFFFFL;
    Integer known = events.get(kind);
    if (known != null) {
      return known;
    }
    int number = next();
    events.put(kind, number);
    if (Word.isMessage(word)) {
      defineMessage(number, word);
    } else if (marker) {
      String name = names.marker(word);
      define(number, MARKERS, 0, (int) word, EventKind.INSTANT.number(), name, "u32 word;");
    } else {
      defineUsual(number, word);
    }
    return number;
  }

  private int next() {
    return events.size() + applications.size() + 1;
  }

  private void defineMessage(int number, long word) throws IOException {
    boolean send = Word.isSend(word);
    int kind = send ? EventKind.SEND.number() : EventKind.RECEIVE.number();
    int id = (int) (word >>> 56);
    define(number, MESSAGES, 0, id, kind, send ? "send" : "receive", "u64 key;");
  }

  private void defineUsual(int number, long word) throws IOException {
    int subsystem = Word.subsystem(word);
    EventNames.Name name = names.event(subsystem, Word.event(word));
    definitions.define(
        clock,
        new Definition.Event(
            number,
            subsystem(names.subsystem(subsystem), subsystem),
            Word.event(word),
            EventKind.INSTANT.number(),
            name.name(),
            name.description().equals(name.name()) ? "" : name.description(),
            "u32 argument;"));
  }

  private void define(
      int number, String subsystem, int subsystemId, int id, int kind, String name, String fields)
      throws IOException {
    int of = subsystem(subsystem, subsystemId);
    definitions.define(clock, new Definition.Event(number, of, id, kind, name, "", fields));
  }

  private int subsystem(String name, int id) throws IOException {
    Integer known = subsystems.get(name);
    if (known != null) {
      return known;
    }
    int number = subsystems.size() + 1;
    subsystems.put(name, number);
    definitions.define(clock, new Definition.Subsystem(number, id, name, "Barrelfish", ""));
    return number;
  }
}
