package dev.kymo.importers.jfr.reader;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A type of values or events, as a chunk describes it. */
public final class JfrType {
  private final long id;
  private final String name;
  private final boolean event;
  private final List<JfrField> fields = new ArrayList<>();
  private final Form form;

  /** How values are stored. */
  enum Form {
    BOOLEAN,
    BYTE,
    CHAR,
    SHORT,
    INT,
    LONG,
    FLOAT,
    DOUBLE,
    STRING,
    STRUCT;

    static Form of(String type) {
      return switch (type) {
        case "boolean" -> BOOLEAN;
        case "byte" -> BYTE;
        case "char" -> CHAR;
        case "short" -> SHORT;
        case "int" -> INT;
        case "long" -> LONG;
        case "float" -> FLOAT;
        case "double" -> DOUBLE;
        case "java.lang.String" -> STRING;
        default -> STRUCT;
      };
    }
  }

  JfrType(long id, String name, String superType) {
    this.id = id;
    this.name = name;
    this.event =
        superType.endsWith("jdk.jfr.Event")
            || superType.endsWith("InstantEvent")
            || superType.endsWith("DurationEvent")
            || superType.endsWith("TimedEvent");
    this.form = Form.of(name);
  }

  public long id() {
    return id;
  }

  public String name() {
    return name;
  }

  /** Its name without what it lies in. */
  public String shortName() {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /** Whether it says that it is a type of events. */
  public boolean isEvent() {
    return event;
  }

  public List<JfrField> fields() {
    return fields;
  }

  /** Place of a field; -1 = it has no such field. */
  public int place(String field) {
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).name().equals(field)) {
        return i;
      }
    }
    return -1;
  }

  /** One of a value's fields; null if it has none of that name, or has no value. */
  public @Nullable Object get(Object[] value, String field) {
    int place = place(field);
    return place < 0 || place >= value.length ? null : value[place];
  }

  Form form() {
    return form;
  }

  /** Whether its values have fields. */
  public boolean isStruct() {
    return form == Form.STRUCT;
  }

  public boolean isText() {
    return form == Form.STRING;
  }

  @Override
  public String toString() {
    return name;
  }
}
