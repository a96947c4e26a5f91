package dev.kymo.importers.perfetto;

import dev.kymo.format.EventFields;
import dev.kymo.format.FieldType;
import dev.kymo.importers.perfetto.wire.Message;
import dev.kymo.importers.target.Fields;
import java.util.ArrayList;
import java.util.List;

/** The annotations of an event, as fields. */
final class Notes {
  /** Annotations in each other. */
  private static final int DEEPEST = 16;

  private static final int MOST = 64;

  private final List<EventFields.Field> fields = new ArrayList<>();
  private final List<Object> values = new ArrayList<>();

  List<EventFields.Field> fields() {
    return fields;
  }

  Object[] values() {
    return values.toArray();
  }

  boolean isEmpty() {
    return fields.isEmpty();
  }

  void add(FieldType type, String name, Object value) {
    if (fields.size() < MOST) {
      fields.add(Fields.of(type, name));
      values.add(value);
    }
  }

  /** Adds an annotation; those within it have its name before theirs. */
  void add(Sequence sequence, String before, Message note, int depth) {
    String name = before + name(sequence, note.copy());
    while (note.next() && depth < DEEPEST) {
      switch (note.field()) {
        case 2 -> add(FieldType.BOOL, name, note.number() != 0);
        case 3 -> add(FieldType.U64, name, note.number());
        case 4 -> add(FieldType.I64, name, note.number());
        case 5 -> add(FieldType.F64, name, note.real());
        case 6, 9 -> add(FieldType.STR, name, note.text());
        case 7 -> add(FieldType.STR, name, "0x" + Long.toHexString(note.number()));
        case 8 -> nested(name, note.message(), depth + 1);
        case 11 -> add(sequence, name + ".", note.message(), depth + 1);
        case 12 -> add(sequence, name + "[" + fields.size() + "]", note.message(), depth + 1);
        case 17 -> add(FieldType.STR, name, sequence.noteText(note.number()));
        default -> {} // its name, or what nobody knows
      }
    }
  }

  private static String name(Sequence sequence, Message note) {
    while (note.next()) {
      if (note.field() == 1) {
        return sequence.noteName(note.number());
      }
      if (note.field() == 10) {
        return note.text();
      }
    }
    return "";
  }

  private void nested(String name, Message value, int depth) {
    List<String> keys = new ArrayList<>();
    int key = 0;
    while (value.next() && depth < DEEPEST) {
      switch (value.field()) {
        case 2 -> keys.add(value.text());
        case 3 -> {
          String inner = key < keys.size() ? keys.get(key) : String.valueOf(key);
          key++;
          nested(name + "." + inner, value.message(), depth + 1);
        }
        case 4 -> nested(name + "." + key++, value.message(), depth + 1);
        case 5 -> add(FieldType.I64, name, value.number());
        case 6 -> add(FieldType.F64, name, value.real());
        case 7 -> add(FieldType.BOOL, name, value.number() != 0);
        case 8 -> add(FieldType.STR, name, value.text());
        default -> {} // which of them it is can be seen
      }
    }
  }
}
