package dev.kymo.events.generate;

import dev.kymo.events.Event;
import dev.kymo.events.Field;
import dev.kymo.format.EventKind;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Source of the method that records one event. */
final class JavaMethod {
  private final Event event;
  private final int index;
  private final Map<Field, String> parameters = new LinkedHashMap<>();

  /**
   * @param index of the event in its subsystem
   */
  JavaMethod(Event event, int index) {
    this.event = event;
    this.index = index;
    Set<String> taken = new LinkedHashSet<>();
    for (Field field : event.fields()) {
      String parameter = JavaNames.parameter(field.name(), taken);
      taken.add(parameter);
      parameters.put(field, parameter);
    }
  }

  void appendTo(StringBuilder source) {
    source
        .append("\n  /** ")
        .append(JavaText.sentence(event.description()))
        .append(" */\n  public static void ")
        .append(JavaNames.method(event.name()))
        .append('(')
        .append(event.untyped() ? "long argument" : declared())
        .append(") {\n    int event = Events.on(NUMBERS, ")
        .append(index)
        .append(");\n    if (event != 0) {\n");
    if (event.kind() == EventKind.BEGIN) {
      source.append("      Events.enter(event);\n");
    }
    appendRecord(source);
    if (event.kind() == EventKind.END) {
      source.append("      Events.leave(event);\n");
    }
    source.append("    }\n  }\n");
  }

  private String declared() {
    return parameters.entrySet().stream()
        .map(e -> JavaType.of(e.getKey().type()) + " " + e.getValue())
        .collect(Collectors.joining(", "));
  }

  private void appendRecord(StringBuilder source) {
    boolean call = event.kind() == EventKind.BEGIN || event.kind() == EventKind.END;
    if (call && event.fields().isEmpty()) {
      return; // its begin or end is all there is to record
    }
    if (event.fitsArgument()) {
      source.append("      Events.record(event, ").append(argument()).append(");\n");
      return;
    }
    source.append("      Events.payload(event)");
    parameters.forEach((field, parameter) ->
        source.append('.').append(field.type().word()).append('(').append(parameter).append(')'));
    source.append(".commit();\n");
  }

  private String argument() {
    if (event.fields().isEmpty()) {
      return event.untyped() ? "argument" : "0";
    }
    Field only = event.fields().get(0);
    return JavaType.argument(only.type(), parameters.getOrDefault(only, only.name()));
  }
}
