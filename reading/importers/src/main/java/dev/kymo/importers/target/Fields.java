package dev.kymo.importers.target;

import dev.kymo.format.EventFields;
import dev.kymo.format.FieldType;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Fields of events, made of names that other formats allow. */
public final class Fields {
  private Fields() {}

  public static EventFields.Field of(FieldType type, String name) {
    return new EventFields.Field(type, name);
  }

  /** The text of fields as definitions have it; each name is a word, and there once. */
  static String text(List<EventFields.Field> fields) {
    StringBuilder text = new StringBuilder();
    Set<String> taken = new HashSet<>();
    for (EventFields.Field field : fields) {
      String word = word(field.name());
      String name = word;
      for (int i = 2; !taken.add(name); i++) {
        name = word + "_" + i;
      }
      text.append(field.type().word()).append(' ').append(name).append("; ");
    }
    return text.toString().strip();
  }

  private static String word(String name) {
    String word = name.replaceAll("[^\\p{L}\\p{N}_.\\-]+", "_");
    return word.isEmpty() ? "_" : word;
  }
}
