package dev.kymo.recorder;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Something that an event has the recorder do: {@code disk.ALLOC}, {@code disk.ALLOC=42} with this
 * argument only, {@code disk.ALLOC#3} the third time.
 */
final class Trigger {
  /** What is done. */
  enum Action {
    START,
    STOP,
    SNAPSHOT
  }

  private final Action action;
  private final EventPattern events;
  private final @Nullable Long argument;
  private final long occurrence;
  private final AtomicLong seen = new AtomicLong();

  private final String text;
  private volatile boolean named;

  private Trigger(
      Action action, String text, EventPattern events, @Nullable Long argument, long occurrence) {
    this.action = action;
    this.text = text;
    this.events = events;
    this.argument = argument;
    this.occurrence = occurrence;
  }

  /**
   * Takes its text apart.
   *
   * @throws IllegalArgumentException if it is none; the message says why
   */
  static Trigger parse(Action action, String text) {
    try {
      String rest = text;
      long occurrence = 0;
      int hash = rest.lastIndexOf('#');
      if (hash >= 0) {
        occurrence = Long.parseLong(rest.substring(hash + 1));
        rest = rest.substring(0, hash);
      }
      Long argument = null;
      int equals = rest.lastIndexOf('=');
      if (equals >= 0) {
        argument = Long.decode(rest.substring(equals + 1));
        rest = rest.substring(0, equals);
      }
      if (occurrence < 0 || (hash >= 0 && occurrence == 0)) {
        throw new NumberFormatException();
      }
      return new Trigger(action, text, EventPattern.of(rest), argument, occurrence);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "not a trigger: trigger=\"" + text + "\"; use EVENT, EVENT=ARGUMENT or EVENT#N");
    }
  }

  Action action() {
    return action;
  }

  boolean matches(OwnEvent event) {
    boolean matches = events.matches(event);
    named |= matches;
    return matches;
  }

  /** Whether it has matched any event. */
  boolean isNamed() {
    return named;
  }

  /** What is to be said if it has matched none. */
  String hint() {
    return switch (action) {
          case START -> Hints.START_ON;
          case STOP -> Hints.STOP_ON;
          case SNAPSHOT -> Hints.SNAPSHOT_ON;
        }
        + text;
  }

  /** Whether this occurrence is the one; each that counts is counted. */
  boolean fires(long argumentOfEvent) {
    if (argument != null && argument != argumentOfEvent) {
      return false;
    }
    long count = seen.incrementAndGet();
    return occurrence == 0 || count == occurrence;
  }
}
