package dev.kymo.events;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What an event means for its track. */
public enum Kind {
  /** Something happened. */
  INSTANT(0),
  /** A call begins. */
  BEGIN(1),
  /** Ends the call that another event began. */
  END(2),
  /** A number has a new value from now on. */
  COUNTER(3),
  /** A message leaves; its first field is the key. */
  SEND(4),
  /** The message with the same key arrives. */
  RECEIVE(5);

  private final int code;

  Kind(int code) {
    this.code = code;
  }

  /** The kind of this name. */
  public static Optional<Kind> of(String word) {
    return Arrays.stream(values()).filter(k -> k.word().equals(word)).findFirst();
  }

  /** Its number in the API and in recordings. */
  public int code() {
    return code;
  }

  /** How the language calls it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
