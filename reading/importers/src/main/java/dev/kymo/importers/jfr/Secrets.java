package dev.kymo.importers.jfr;

import dev.kymo.format.EventFields;
import dev.kymo.format.Redaction;
import dev.kymo.importers.jfr.reader.JfrType;
import java.util.List;
import java.util.Set;

/**
 * Fields of the JDK's own events that have command lines, properties and variables of the
 * environment. What a program's own events have is the program's decision.
 */
final class Secrets {
  private static final String JDK = "jdk.";
  private static final Set<String> NAMES = Set.of("key", "name");
  private static final Set<String> VALUES = Set.of("value", "oldValue", "newValue");
  private static final Set<String> COMMANDS =
      Set.of("jvmArguments", "jvmFlags", "javaArguments", "commandLine");

  private final List<String> fields;

  /** Column that the others' names are in; -1 = none. */
  private final int name;

  Secrets(JfrType type, List<EventFields.Field> columns) {
    boolean own = type.name().startsWith(JDK);
    this.fields = own ? columns.stream().map(EventFields.Field::name).toList() : List.of();
    int found = -1;
    for (int i = 0; i < fields.size(); i++) {
      found = NAMES.contains(fields.get(i)) ? i : found;
    }
    this.name = found;
  }

  /**
   * Leaves secrets out of an event.
   *
   * @param values of its columns, and what stands before them
   * @param first index of the first column's value
   */
  void leaveOut(Object[] values, int first, Redaction redaction) {
    for (int i = 0; i < fields.size(); i++) {
      if (!(values[first + i] instanceof String text)) {
        continue;
      }
      if (COMMANDS.contains(fields.get(i))) {
        values[first + i] = redaction.of(text);
      } else if (name >= 0 && VALUES.contains(fields.get(i))) {
        values[first + i] = redaction.value(String.valueOf(values[first + name]), text);
      }
    }
  }
}
