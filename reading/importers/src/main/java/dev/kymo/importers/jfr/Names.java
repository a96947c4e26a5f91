package dev.kymo.importers.jfr;

import dev.kymo.importers.jfr.reader.Constants;
import dev.kymo.importers.jfr.reader.JfrField;
import dev.kymo.importers.jfr.reader.JfrType;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Values of a chunk in words: classes, methods, threads and others have a name. */
final class Names {
  private static final Set<String> NAMED =
      Set.of(
          "Class",
          "Method",
          "Thread",
          "ClassLoader",
          "Module",
          "Package",
          "ThreadGroup",
          "Symbol",
          "StackTrace");
  private static final int MAX_DEPTH = 4;

  private final Constants constants;
  private final Map<Key, String> known = new HashMap<>();

  private record Key(long type, long key) {}

  Names(Constants constants) {
    this.constants = constants;
  }

  /** Whether values of a type are told by a name, instead of by their fields. */
  static boolean isNamed(JfrType type) {
    return NAMED.contains(type.shortName());
  }

  /** A field's value, followed to what its key stands for. */
  @Nullable Object follow(JfrField field, @Nullable Object value) {
    return field.constant() && value instanceof Long key ? constants.get(field.type(), key) : value;
  }

  /** A field of a struct, followed. */
  @Nullable Object get(JfrType type, Object[] struct, String field) {
    int place = type.place(field);
    return place < 0 ? null : follow(type.fields().get(place), struct[place]);
  }

  /** The text of a struct's field; empty if it has none. */
  String text(JfrType type, Object[] struct, String field) {
    int place = type.place(field);
    return place < 0 ? "" : text(type.fields().get(place), struct[place]);
  }

  String text(JfrField field, @Nullable Object value) {
    return text(field, value, 0);
  }

  private String text(JfrField field, @Nullable Object value, int depth) {
    if (field.array()) {
      return value instanceof Object[] all ? array(field, all, depth) : "";
    }
    if (field.constant() && value instanceof Long key) {
      Key of = new Key(field.type().id(), key);
      String name = known.get(of);
      if (name == null) {
        name = text(field.type(), constants.get(field.type(), key), depth);
        known.put(of, name);
      }
      return name;
    }
    return text(field.type(), value, depth);
  }

  private String array(JfrField field, Object[] all, int depth) {
    JfrField one =
        new JfrField(field.name(), field.type(), field.constant(), false, false, field.unit());
    List<String> texts = new ArrayList<>();
    for (Object each : all) {
      texts.add(text(one, each, depth + 1));
    }
    return texts.toString();
  }

  private String text(JfrType type, @Nullable Object value, int depth) {
    if (value instanceof Object[] struct) {
      return depth > MAX_DEPTH ? "..." : struct(type, struct, depth);
    }
    if (type.isText()) {
      return constants.text(value);
    }
    return value == null ? "" : value.toString();
  }

  private String struct(JfrType type, Object[] struct, int depth) {
    return switch (type.shortName()) {
      case "Class" -> className(text(type, struct, "name"));
      case "Method" ->
          text(type, struct, "type")
              + "."
              + text(type, struct, "name")
              + parameters(text(type, struct, "descriptor"));
      case "Thread" -> {
        String name = text(type, struct, "javaName");
        yield name.isEmpty() ? text(type, struct, "osName") : name;
      }
      case "ClassLoader" -> {
        String name = text(type, struct, "name");
        yield name.isEmpty() ? text(type, struct, "type") : name;
      }
      case "Package" -> text(type, struct, "name").replace('/', '.');
      case "Module", "ThreadGroup" -> text(type, struct, "name");
      default -> fields(type, struct, depth);
    };
  }

  private String fields(JfrType type, Object[] struct, int depth) {
    List<JfrField> fields = type.fields();
    if (fields.size() == 1) {
      return text(fields.get(0), struct[0], depth + 1);
    }
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      texts.add(fields.get(i).name() + "=" + text(fields.get(i), struct[i], depth + 1));
    }
    return String.join(" ", texts);
  }

  /** {@code java/lang/String} as {@code java.lang.String}, {@code [I} as {@code int[]}. */
  static String className(String name) {
    if (name.startsWith("[")) {
      try {
        return ClassDesc.ofDescriptor(name.replace('.', '/')).displayName();
      } catch (IllegalArgumentException e) {
        return name;
      }
    }
    return name.replace('/', '.');
  }

  private static String parameters(String descriptor) {
    try {
      return MethodTypeDesc.ofDescriptor(descriptor).parameterList().stream()
          .map(ClassDesc::displayName)
          .collect(Collectors.joining(", ", "(", ")"));
    } catch (IllegalArgumentException e) {
      return descriptor;
    }
  }
}
