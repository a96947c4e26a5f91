package dev.kymo.importers.barrelfish;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The contents of a log, or of the part of it that has come so far. */
public final class LogFacts {
  private final LogTime time = new LogTime();
  private final BitSet cores = new BitSet();
  private final Map<Long, String> applications = new HashMap<>();

  /** By key: messages sent minus messages received. */
  private final Map<Long, Integer> unpaired = new HashMap<>();

  private long lines;
  private long understood;
  private long events;
  private long oldWords;
  private long currentWords;
  private long oldSwitches;
  private long currentSwitches;
  private long sent;
  private long received;
  private long paired;
  private long first = Long.MAX_VALUE;
  private long last;

  private final @Nullable EventNames given;
  private long givenSwitches;

  LogFacts() {
    this(null);
  }

  /**
   * Nothing so far.
   *
   * @param given what the numbers mean; null = to be guessed from the numbers
   */
  LogFacts(@Nullable EventNames given) {
    this.given = given;
  }

  void add(LogLine line) {
    lines++;
    time.see(line);
    switch (line) {
      case LogLine.Event event -> add(event);
      case LogLine.Application a -> {
        understood++;
        applications.putIfAbsent(application(a.core(), (int) a.dcb()), a.name());
      }
      case LogLine.Blank _, LogLine.Other _ -> {} // says nothing
      default -> understood++;
    }
  }

  private void add(LogLine.Event event) {
    understood++;
    events++;
    cores.set(event.core());
    long at = Math.max(0, time.of(event));
    first = Math.min(first, at);
    last = Math.max(last, at);
    long word = event.word();
    if (Word.isMessage(word)) {
      addMessage(word);
      return;
    }
    oldWords += EventNames.isOld(word) ? 1 : 0;
    currentWords += EventNames.isCurrent(word) ? 1 : 0;
    oldSwitches += EventNames.OLD.isSwitch(word) ? 1 : 0;
    currentSwitches += EventNames.CURRENT.isSwitch(word) ? 1 : 0;
    givenSwitches += given != null && given.isSwitch(word) ? 1 : 0;
  }

  /**
   * Either end of a message may come first in the log, because it has the cores one after the
   * other.
   */
  private void addMessage(long word) {
    int one = Word.isSend(word) ? 1 : -1;
    sent += one > 0 ? 1 : 0;
    received += one < 0 ? 1 : 0;
    int before = unpaired.getOrDefault(Word.key(word), 0);
    paired += before * one < 0 ? 1 : 0;
    if (before + one == 0) {
      unpaired.remove(Word.key(word)); // a long log may have any number of keys
    } else {
      unpaired.put(Word.key(word), before + one);
    }
  }

  /** A core's application: events have only the lower half of its number. */
  static long application(int core, int dcb) {
    return ((long) core << 32) | (dcb & 0xFFFFFFFFL);
  }

  /** The name of an application; its number if the name is not known. */
  String name(int core, int dcb) {
    return applications.getOrDefault(application(core, dcb), Integer.toHexString(dcb));
  }

  EventNames names() {
    if (given != null) {
      return given;
    }
    return oldWords > currentWords || currentWords == 0 ? EventNames.OLD : EventNames.CURRENT;
  }

  /** Lines that have a meaning, of all lines. */
  public long understood() {
    return understood;
  }

  public long lines() {
    return lines;
  }

  public long events() {
    return events;
  }

  public int cores() {
    return cores.cardinality();
  }

  /** Changes of the application that runs. */
  public long switches() {
    if (given != null) {
      return givenSwitches;
    }
    return names() == EventNames.OLD ? oldSwitches : currentSwitches;
  }

  public long sent() {
    return sent;
  }

  public long received() {
    return received;
  }

  /** Messages of which both ends are in the log. */
  public long paired() {
    return paired;
  }

  /** Time of the first event, cycles; 0 if there is none. */
  public long first() {
    return events == 0 ? 0 : first;
  }

  /** Time of the last event, cycles. */
  public long last() {
    return last;
  }

  /** The counts, as messages have facts. */
  @Override
  public String toString() {
    return "events=%d cores=%d switches=%d sent=%d received=%d paired=%d"
            .formatted(events, cores(), switches(), sent, received, paired)
        + " definitions=\""
        + names().source()
        + '"';
  }
}
