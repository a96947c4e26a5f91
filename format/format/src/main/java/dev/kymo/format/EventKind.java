package dev.kymo.format;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The kind of an event of the program's own. Recordings have the {@link #number}, tables and
 * options the {@link #word}.
 */
public enum EventKind {
  INSTANT(0),
  /** Follows an ENTER record directly, if it has data. */
  BEGIN(1),
  /** Precedes a LEAVE record directly, if it has data. */
  END(2),
  /** Its only field is the counter's new value. */
  COUNTER(3),
  /** A message leaves; its first field is the key. */
  SEND(4),
  /** The message with this key, from an event of the same subsystem, has come. */
  RECEIVE(5);

  private static final List<EventKind> KINDS = List.of(values());
  private static final List<String> WORDS = KINDS.stream().map(EventKind::word).toList();

  private final int number;
  private final String word = name().toLowerCase(Locale.ROOT);

  EventKind(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }

  public String word() {
    return word;
  }

  /** Whether an event with this number of a kind is of this kind. */
  public boolean is(int number) {
    return this.number == number;
  }

  public static Optional<EventKind> of(String word) {
    return KINDS.stream().filter(kind -> kind.word.equals(word)).findFirst();
  }

  /** The kind with a number; {@link #INSTANT} if no kind has it, as in a damaged file. */
  public static EventKind of(int number) {
    return number >= 0 && number < KINDS.size() ? KINDS.get(number) : INSTANT;
  }

  /** The words of all kinds, by number. */
  public static List<String> words() {
    return WORDS;
  }

  /** The word of a kind; empty if the number is not one of a kind, as files can have it. */
  public static String word(int number) {
    return number >= 0 && number < WORDS.size() ? WORDS.get(number) : "";
  }
}
