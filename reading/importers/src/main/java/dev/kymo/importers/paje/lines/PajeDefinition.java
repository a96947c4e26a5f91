package dev.kymo.importers.paje.lines;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Meaning of a number at the begin of a line: the kind of the event and its fields. */
final class PajeDefinition {
  /** Older names of fields. */
  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry("ContainerType", "Type"),
          Map.entry("EntityType", "Type"),
          Map.entry("NewType", "Alias"),
          Map.entry("NewContainer", "Alias"),
          Map.entry("NewValue", "Alias"),
          Map.entry("SourceContainerType", "StartContainerType"),
          Map.entry("DestContainerType", "EndContainerType"),
          Map.entry("SourceContainer", "StartContainer"),
          Map.entry("DestContainer", "EndContainer"));

  private final PajeKind kind;
  private final List<String> fields = new ArrayList<>();

  PajeDefinition(PajeKind kind) {
    this.kind = kind;
  }

  PajeKind kind() {
    return kind;
  }

  void add(String field) {
    String name = NAMES.getOrDefault(field, field);
    fields.add(fields.contains(name) ? field : name);
  }

  int size() {
    return fields.size();
  }

  String field(int number) {
    return fields.get(number);
  }

  /** Fields that it must have and has not. */
  List<String> missing() {
    return kind.needed().stream().filter(field -> !fields.contains(field)).toList();
  }
}
