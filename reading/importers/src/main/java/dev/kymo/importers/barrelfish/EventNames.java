package dev.kymo.importers.barrelfish;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The meaning of the numbers of subsystems and events. There have been two sets of numbers, and
 * whoever builds Barrelfish with other definitions has a third.
 */
public final class EventNames {
  /** Before 2013 the numbers stood in the source and were chosen by hand. */
  static final EventNames OLD = load("ids-2011.txt", "those before 2013, assumed");

  /** Since then they count from 0, in the order of the definition file. */
  static final EventNames CURRENT = load("ids-2013.txt", "those of 2013, assumed");

  /** Whole words that have a meaning by themselves, in logs with the old numbers. */
  private static final Map<Long, String> MARKERS =
      Map.of(0xbbbbL, "blocked", 0xaaaaL, "running", 0xbbbL, "polling on", 0xaaaL, "polling off");

  /** Subsystems of the current set have small numbers, those of the old set large numbers. */
  private static final int LARGE = 0x100;

  private final String source;
  private final Map<Integer, String> subsystems = new HashMap<>();
  private final Map<Long, Name> events = new HashMap<>();

  /**
   * A kind of event.
   *
   * @param description equals the name if there is none
   */
  record Name(String name, String description) {}

  /**
   * No names yet.
   *
   * @param source where the names are from, for people
   */
  public EventNames(String source) {
    this.source = source;
  }

  private static EventNames load(String resource, String source) {
    try (InputStream in = EventNames.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("missing resource: name=" + resource);
      }
      EventNames names = new EventNames(source);
      names.add(new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList());
      return names;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void add(List<String> lines) {
    int subsystem = 0;
    for (String line : lines) {
      String[] words = line.split(" ", 4);
      switch (words[0]) {
        case "subsystem" -> {
          subsystem = Integer.parseInt(words[1], 16);
          add(subsystem, words[2]);
        }
        case "event" -> {
          String description = words.length > 3 ? words[3] : words[2];
          add(subsystem, Integer.parseInt(words[1], 16), words[2], description);
        }
        default -> {} // a comment
      }
    }
  }

  public void add(int subsystem, String name) {
    subsystems.put(subsystem, name);
  }

  public void add(int subsystem, int event, String name, String description) {
    events.put(key(subsystem, event), new Name(name, description));
  }

  private static long key(int subsystem, int event) {
    return (long) subsystem << 16 | event;
  }

  /** Whether a word can only be of the old set. */
  static boolean isOld(long word) {
    return !Word.isMessage(word) && Word.subsystem(word) >= LARGE;
  }

  /** Whether a word is of the current set, or a marker. */
  static boolean isCurrent(long word) {
    return !Word.isMessage(word) && Word.subsystem(word) < LARGE && !MARKERS.containsKey(word);
  }

  /** Whether a word says that another application runs. */
  boolean isSwitch(long word) {
    if (this == OLD) {
      return Word.subsystem(word) == 0xffff && Word.event(word) == 0xcccc;
    }
    return this == CURRENT
        ? word >>> 32 == 0
        : !Word.isMessage(word)
            && event(Word.subsystem(word), Word.event(word)).name().equals("CSWITCH")
            && subsystem(Word.subsystem(word)).equals("kernel");
  }

  boolean isMarker(long word) {
    return this == OLD && MARKERS.containsKey(word);
  }

  String marker(long word) {
    return MARKERS.getOrDefault(word, "");
  }

  /** Name of a subsystem; its number if it has none. */
  String subsystem(int subsystem) {
    return subsystems.getOrDefault(subsystem, Integer.toHexString(subsystem));
  }

  /** Name of an event; its number if it has none. */
  Name event(int subsystem, int event) {
    String number = Integer.toHexString(event);
    return events.getOrDefault(key(subsystem, event), new Name(number, number));
  }

  /** Where the names are from, for people. */
  String source() {
    return source;
  }

  int subsystems() {
    return subsystems.size();
  }

  int events() {
    return events.size();
  }
}
