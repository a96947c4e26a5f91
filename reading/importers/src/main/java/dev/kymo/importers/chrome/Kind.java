package dev.kymo.importers.chrome;

import dev.kymo.format.EventFields;
import dev.kymo.format.EventKind;
import dev.kymo.format.FieldType;
import dev.kymo.importers.target.Fields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Events with the same category and name: the fields that any of them has. A number that not all of
 * them have is text, because a number cannot be absent.
 */
final class Kind {
  private final String category;
  private final String name;
  private final EventKind kind;
  private final Map<String, Field> fields = new LinkedHashMap<>();
  private long events;

  private static final class Field {
    FieldType type;
    long events;

    Field(FieldType type) {
      this.type = type;
    }
  }

  Kind(EventKind kind, String category, String name) {
    this.kind = kind;
    this.category = category;
    this.name = name;
  }

  String category() {
    return category;
  }

  String name() {
    return name;
  }

  EventKind kind() {
    return kind;
  }

  int size() {
    return fields.size();
  }

  void seen() {
    events++;
  }

  /** One of its fields has been seen; false if it is new and there is no room. */
  boolean seen(String field, Object value, boolean room) {
    Field known = fields.get(field);
    FieldType type = type(value);
    if (known == null) {
      if (!room) {
        return false;
      }
      known = new Field(type);
      fields.put(field, known);
    } else if (known.type != type) {
      known.type =
          known.type.isNumber() && type.isNumber() && isNotTruth(known.type, type)
              ? FieldType.F64
              : FieldType.STR;
    }
    known.events++;
    return true;
  }

  private static boolean isNotTruth(FieldType one, FieldType other) {
    return one != FieldType.BOOL && other != FieldType.BOOL;
  }

  private static FieldType type(Object value) {
    if (value instanceof Long) {
      return FieldType.I64;
    }
    if (value instanceof Double) {
      return FieldType.F64;
    }
    return value instanceof Boolean ? FieldType.BOOL : FieldType.STR;
  }

  private FieldType type(Field field) {
    return field.events < events ? FieldType.STR : field.type;
  }

  List<EventFields.Field> fields() {
    List<EventFields.Field> all = new ArrayList<>();
    fields.forEach((field, known) -> all.add(Fields.of(type(known), field)));
    return all;
  }

  /** Values of all fields; takes what it uses away. */
  Object[] values(Map<String, Object> given) {
    Object[] values = new Object[fields.size()];
    int i = 0;
    for (Map.Entry<String, Field> field : fields.entrySet()) {
      Object value = given.remove(field.getKey());
      boolean number = type(field.getValue()).isFixed();
      boolean fits = !number || value instanceof Number || value instanceof Boolean;
      values[i++] = value == null || !fits ? (number ? (Object) 0 : "") : value;
    }
    return values;
  }
}
