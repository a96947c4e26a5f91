package dev.kymo.importers.jfr;

import dev.kymo.format.EventFields;
import dev.kymo.format.FieldType;
import dev.kymo.importers.jfr.reader.JfrChunk;
import dev.kymo.importers.jfr.reader.JfrField;
import dev.kymo.importers.jfr.reader.JfrType;
import dev.kymo.importers.target.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The fields of a type of events, those of their structs one by one: {@code heapSpace.start}. */
final class Columns {
  private static final int MAX_DEPTH = 4;

  private final List<Column> columns = new ArrayList<>();

  private record Step(JfrField field, int place) {}

  private record Column(String name, FieldType type, List<Step> path) {
    JfrField leaf() {
      return path.getLast().field;
    }
  }

  /**
   * Columns of a type.
   *
   * @param wanted which of its fields
   */
  Columns(JfrType type, Predicate<String> wanted) {
    for (int i = 0; i < type.fields().size(); i++) {
      JfrField field = type.fields().get(i);
      if (wanted.test(field.name())) {
        add(field.name(), List.of(new Step(field, i)), Set.of());
      }
    }
  }

  private void add(String name, List<Step> path, Set<Long> within) {
    JfrField field = path.getLast().field;
    JfrType type = field.type();
    boolean opened =
        type.isStruct()
            && !field.array()
            && !Names.isNamed(type)
            && !within.contains(type.id())
            && path.size() < MAX_DEPTH;
    if (!opened) {
      columns.add(new Column(name, type(field), path));
      return;
    }
    Set<Long> inside = new java.util.HashSet<>(within);
    inside.add(type.id());
    List<JfrField> parts = type.fields();
    for (int i = 0; i < parts.size(); i++) {
      List<Step> longer = new ArrayList<>(path);
      longer.add(new Step(parts.get(i), i));
      add(parts.size() == 1 ? name : name + "." + parts.get(i).name(), longer, inside);
    }
  }

  private static FieldType type(JfrField field) {
    if (field.array() || field.type().isStruct()) {
      return FieldType.STR;
    }
    boolean time = field.unit() != JfrField.Unit.NONE;
    return switch (field.type().name()) {
      case "boolean" -> FieldType.BOOL;
      case "float" -> FieldType.F32;
      case "double" -> FieldType.F64;
      case "byte" -> field.unsigned() ? FieldType.U8 : FieldType.I8;
      case "short" -> field.unsigned() ? FieldType.U16 : FieldType.I16;
      case "int" -> time ? FieldType.I64 : field.unsigned() ? FieldType.U32 : FieldType.I32;
      case "long" -> field.unsigned() && !time ? FieldType.U64 : FieldType.I64;
      default -> FieldType.STR;
    };
  }

  /** The fields that an event has for them. */
  List<EventFields.Field> fields() {
    return columns.stream().map(column -> Fields.of(column.type, column.name)).toList();
  }

  int size() {
    return columns.size();
  }

  Object value(int column, Object[] event, Names names, JfrChunk chunk) {
    Column of = columns.get(column);
    Object value = event;
    for (int i = 0; i < of.path.size(); i++) {
      Step step = of.path.get(i);
      value =
          value instanceof Object[] struct && step.place < struct.length
              ? struct[step.place]
              : null;
      if (i < of.path.size() - 1) {
        value = names.follow(step.field, value);
      }
    }
    return value(of, value, names, chunk);
  }

  private static Object value(Column of, @Nullable Object raw, Names names, JfrChunk chunk) {
    JfrField leaf = of.leaf();
    if (of.type == FieldType.STR) {
      return leaf.type().name().equals("char") && raw instanceof Long code && !leaf.array()
          ? String.valueOf((char) (long) code)
          : names.text(leaf, raw);
    }
    Object value = names.follow(leaf, raw);
    if (value instanceof Long number) {
      return leaf.value(number, chunk);
    }
    return value != null ? value : of.type == FieldType.BOOL ? (Object) false : (Object) 0L;
  }
}
