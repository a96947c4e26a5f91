package dev.kymo.recorder.userevents;

import dev.kymo.format.Definition;
import dev.kymo.format.NoticeCode;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Something that an event has the recorder do: {@code disk.ALLOC}, {@code disk.ALLOC=42} with this
 * argument only, {@code disk.ALLOC#3} the third time.
 */
final class Trigger {
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
   * @throws IllegalArgumentException if it is not a trigger; the message says why
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

  boolean matches(Definition.Subsystem subsystem, Definition.Event event) {
    boolean matches = events.matches(subsystem, event);
    named |= matches;
    return matches;
  }

  /** Whether it has matched any event. */
  boolean isNamed() {
    return named;
  }

  /** The notice if it has matched no event. */
  String hint() {
    return switch (action) {
          case START -> NoticeCode.START_IN_VAIN.text();
          case STOP -> NoticeCode.STOP_IN_VAIN.text();
          case SNAPSHOT -> NoticeCode.SNAPSHOT_IN_VAIN.text();
        }
        + text;
  }

  /** Whether this occurrence triggers; counts each matching occurrence. */
  boolean fires(long argumentOfEvent) {
    if (argument != null && argument != argumentOfEvent) {
      return false;
    }
    long count = seen.incrementAndGet();
    return occurrence == 0 || count == occurrence;
  }
}
