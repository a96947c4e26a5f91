package dev.kymo.events.generate;

import dev.kymo.events.Definitions;
import dev.kymo.events.Event;
import dev.kymo.events.Subsystem;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The JSON that Barrelfish's pleco has written since 2017 and Aquarium reads, byte for byte: no
 * newline at the end, and two entries for messages, which are not subsystems and have no events.
 * Quotes, backslashes and control characters in descriptions are escaped, where pleco would write
 * invalid JSON. What the language adds to pleco's is left out, except for ids.
 */
final class PlecoJsonGenerator implements Generator {
  /** 0xEA00 and 0xEB00 as numbers of 16 bits with a sign. */
  private static final String MESSAGES =
      "\"-5632\" : {\n\t\"name\" : \"ump send\"\n\t},\n\"-5376\" : {\n\t\"name\" : \"ump receive\"\n\t}";

  @Override
  public List<GeneratedFile> generate(Definitions definitions) {
    String subsystems =
        definitions.subsystems().stream()
            .map(PlecoJsonGenerator::subsystem)
            .collect(Collectors.joining(",\n"));
    return List.of(
        new GeneratedFile(
            definitions.baseName() + ".pleco.json", "{\n" + subsystems + ",\n" + MESSAGES + "\n}"));
  }

  private static String subsystem(Subsystem subsystem) {
    String events =
        subsystem.events().stream()
            .map(PlecoJsonGenerator::event)
            .collect(Collectors.joining(",\n"));
    return "\"%d\" : {\n\t\"name\" : %s,\n\t\"events\" : {\n%s\n\t}\n}"
        .formatted(subsystem.id(), Json.quote(subsystem.name()), events);
  }

  private static String event(Event event) {
    return "\t\t\"%d\" : [%s, %s ]"
        .formatted(event.id(), Json.quote(event.name()), Json.quote(event.description()));
  }
}
