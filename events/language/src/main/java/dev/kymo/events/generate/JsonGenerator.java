package dev.kymo.events.generate;

import dev.kymo.events.Definitions;
import dev.kymo.events.Event;
import dev.kymo.events.Subsystem;
import dev.kymo.format.EventKind;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Everything a definition file says, as JSON; its shape is in {@code docs/events.md}. */
final class JsonGenerator implements Generator {
  private static final int VERSION = 1;

  @Override
  public List<GeneratedFile> generate(Definitions definitions) {
    String subsystems =
        definitions.subsystems().stream()
            .map(JsonGenerator::subsystem)
            .collect(Collectors.joining(",\n"));
    return List.of(
        new GeneratedFile(
            definitions.baseName() + ".json",
            "{\n  \"version\": %d,\n  \"subsystems\": [\n%s\n  ]\n}\n"
                .formatted(VERSION, subsystems)));
  }

  private static String subsystem(Subsystem subsystem) {
    String events =
        subsystem.events().stream().map(JsonGenerator::event).collect(Collectors.joining(",\n"));
    return "    {\"id\": %d, \"name\": %s, \"category\": %s, \"color\": %s, \"events\": [\n%s\n    ]}"
        .formatted(
            subsystem.id(),
            Json.quote(subsystem.name()),
            Json.quote(subsystem.category()),
            Json.quote(subsystem.color().toLowerCase(Locale.ROOT)),
            events);
  }

  private static String event(Event event) {
    String fields =
        event.fields().stream()
            .map(f ->
                "{\"type\": \"%s\", \"name\": %s}".formatted(f.type().word(), Json.quote(f.name())))
            .collect(Collectors.joining(", "));
    String begin = event.kind() == EventKind.END ? ", \"begin\": " + Json.quote(event.begin()) : "";
    return "      {\"id\": %d, \"name\": %s, \"kind\": \"%s\"%s, \"description\": %s, \"untyped\": %b, \"fields\": [%s]}"
        .formatted(
            event.id(),
            Json.quote(event.name()),
            event.kind().word(),
            begin,
            Json.quote(event.description()),
            event.untyped(),
            fields);
  }
}
