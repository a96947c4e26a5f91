package dev.kymo.importers.jfr.reader;

import dev.kymo.importers.jfr.reader.JfrField.Unit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a chunk's descriptions of types: a tree of elements with attributes, all of them texts. */
final class TypeReader {
  private static final int MAX_DEPTH = 16;

  private final JfrBytes bytes;
  private final Map<Long, JfrType> types = new HashMap<>();
  private String[] texts = {};

  private record Element(String name, Map<String, String> attributes, List<Element> children) {
    String get(String attribute) {
      return attributes.getOrDefault(attribute, "");
    }

    long id(String attribute) {
      try {
        return Long.parseLong(get(attribute));
      } catch (NumberFormatException e) {
        return -1;
      }
    }
  }

  TypeReader(JfrBytes bytes) {
    this.bytes = bytes;
  }

  /** Reads the event with the descriptions; returns the types by their numbers. */
  Map<Long, JfrType> read(JfrChunk chunk) throws IOException {
    bytes.limit(chunk.end());
    bytes.seek(chunk.metadata());
    long begin = bytes.position();
    int size = bytes.i32();
    if (size <= 0 || size > chunk.end() - begin || bytes.i64() != 0) {
      bytes.seek(begin);
      throw bytes.wrong("no descriptions of types are here", "size=" + size);
    }
    bytes.limit(begin + size);
    bytes.i64(); // time
    bytes.i64(); // duration
    bytes.i64(); // number of the descriptions
    texts = new String[bytes.count()];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = bytes.text() instanceof String text ? text : "";
    }
    List<Element> classes = new ArrayList<>();
    collect(element(0), classes);
    define(classes);
    bytes.limit(chunk.end());
    return types;
  }

  private Element element(int depth) throws IOException {
    if (depth > MAX_DEPTH) {
      throw bytes.wrong("descriptions of types lie too deep in each other", "depth=" + depth);
    }
    String name = name();
    int attributes = bytes.count();
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < attributes; i++) {
      values.put(name(), name());
    }
    int count = bytes.count();
    List<Element> children = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      children.add(element(depth + 1));
    }
    return new Element(name, values, children);
  }

  private String name() throws IOException {
    int index = bytes.i32();
    if (index < 0 || index >= texts.length) {
      throw bytes.wrong("no such text in the descriptions of types", "index=" + index);
    }
    return texts[index];
  }

  private static void collect(Element element, List<Element> classes) {
    if (element.name.equals("class")) {
      classes.add(element);
    } else {
      element.children.forEach(child -> collect(child, classes));
    }
  }

  private void define(List<Element> classes) {
    for (Element each : classes) {
      long id = each.id("id");
      types.put(id, new JfrType(id, each.get("name"), each.get("superType")));
    }
    for (Element each : classes) {
      JfrType type = types.get(each.id("id"));
      if (type != null && type.fields().isEmpty() && type.isStruct()) {
        each.children.stream()
            .filter(child -> child.name.equals("field"))
            .map(this::field)
            .forEach(type.fields()::add);
      }
    }
  }

  private JfrField field(Element field) {
    JfrType type = types.get(field.id("class"));
    JfrType known = type == null ? new JfrType(field.id("class"), "unknown", "") : type;
    Unit unit = Unit.NONE;
    boolean unsigned = false;
    for (Element child : field.children) {
      JfrType annotation = types.get(child.id("class"));
      String name = annotation == null ? "" : annotation.shortName();
      switch (name) {
        case "Timespan" -> unit = Unit.span(value(child));
        case "Timestamp" -> unit = Unit.time(value(child));
        case "Unsigned" -> unsigned = true;
        default -> {}
      }
    }
    boolean constant = field.get("constantPool").equals("true");
    boolean array = field.get("dimension").equals("1");
    return new JfrField(field.get("name"), known, constant, array, unsigned, unit);
  }

  private static String value(Element annotation) {
    @Nullable String value = annotation.attributes.get("value");
    return value == null ? annotation.get("value-0") : value;
  }
}
