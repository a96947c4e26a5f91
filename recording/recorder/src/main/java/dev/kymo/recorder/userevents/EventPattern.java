package dev.kymo.recorder.userevents;

import dev.kymo.format.Definition;
import dev.kymo.format.EventKind;
import java.util.Locale;

/**
 * A pattern that selects events: {@code disk} is all of a subsystem, {@code disk.ALLOC} one, {@code
 * category:I/O} and {@code kind:counter} are classes of events, {@code *} is any. In names {@code
 * *} stands for anything.
 */
record EventPattern(String text) {
  /**
   * Checks a pattern.
   *
   * @throws IllegalArgumentException if it is not a pattern; the message says why
   */
  static EventPattern of(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("no event is named");
    }
    String kind = after(text, "kind:");
    if (!kind.isEmpty() && !EventKind.words().contains(kind.toLowerCase(Locale.ROOT))) {
      throw new IllegalArgumentException(
          "no such kind of events: kind="
              + kind
              + "; there are "
              + String.join(", ", EventKind.words()));
    }
    return new EventPattern(text);
  }

  private static String after(String text, String prefix) {
    return text.startsWith(prefix) ? text.substring(prefix.length()) : "";
  }

  boolean matches(Definition.Subsystem subsystem, Definition.Event event) {
    if (text.startsWith("kind:")) {
      String wanted = after(text, "kind:").toLowerCase(Locale.ROOT);
      return EventKind.word(event.kind()).equals(wanted);
    }
    if (text.startsWith("category:")) {
      return like(after(text, "category:"), subsystem.category());
    }
    return like(text, subsystem.name() + '.' + event.name()) || like(text, subsystem.name());
  }

  /** Whether a name is like a pattern in which {@code *} stands for anything. */
  private static boolean like(String pattern, String name) {
    String[] parts = pattern.split("\\*", -1);
    if (parts.length == 1) {
      return pattern.equals(name);
    }
    String last = parts[parts.length - 1];
    if (!name.startsWith(parts[0]) || !name.endsWith(last)) {
      return false;
    }
    int at = parts[0].length();
    for (int i = 1; i < parts.length - 1; i++) {
      int found = name.indexOf(parts[i], at);
      if (found < 0) {
        return false;
      }
      at = found + parts[i].length();
    }
    return at <= name.length() - last.length();
  }
}
