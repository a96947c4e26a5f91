package dev.kymo.cli.options;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import dev.kymo.events.DefinitionException;
import dev.kymo.events.Definitions;
import dev.kymo.events.Event;
import dev.kymo.events.Subsystem;
import dev.kymo.events.parse.DefinitionFileReader;
import dev.kymo.importers.barrelfish.EventNames;
import dev.kymo.session.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * The meaning of the numbers in a Barrelfish trace log: the definition file that Barrelfish was
 * built with, or the JSON file that its compiler made of it, whose names of objects are bare
 * numbers.
 */
final class LogDefinitions {
  private static final int LARGEST = 0xFFFF;

  private final EventNames names;

  private LogDefinitions(Path file) {
    names = new EventNames(file.toString());
  }

  /** Reads either. */
  static EventNames read(Path file) throws IOException {
    LogDefinitions definitions = new LogDefinitions(file);
    try {
      String text = Files.readString(file);
      if (text.stripLeading().startsWith("{")) {
        definitions.addJson(text);
      } else {
        definitions.add(DefinitionFileReader.parse(file.toString(), text));
      }
    } catch (NoSuchFileException e) {
      throw new UsageException("no such file: path=" + file);
    } catch (JsonProcessingException e) {
      throw new UsageException(
          "not definitions of events: path=%s error=\"%s\""
              .formatted(file, e.getOriginalMessage()));
    } catch (DefinitionException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
    return definitions.names;
  }

  private void add(Definitions definitions) {
    for (Subsystem subsystem : definitions.subsystems()) {
      names.add(subsystem.id(), subsystem.name());
      for (Event event : subsystem.events()) {
        names.add(subsystem.id(), event.id(), event.name(), event.description());
      }
    }
  }

  private void addJson(String text) throws IOException {
    JsonFactory factory =
        JsonFactory.builder().enable(JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES).build();
    try (JsonParser json = factory.createParser(text)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        int subsystem = number(json);
        json.nextToken();
        addSubsystem(json, subsystem);
      }
    }
  }

  private void addSubsystem(JsonParser json, int subsystem) throws IOException {
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String fact = json.currentName();
      JsonToken value = json.nextToken();
      if (fact.equals("name") && inRange(subsystem)) {
        names.add(subsystem, json.getText());
      } else if (fact.equals("events") && value == JsonToken.START_OBJECT) {
        addEvents(json, subsystem);
      } else {
        json.skipChildren();
      }
    }
  }

  private void addEvents(JsonParser json, int subsystem) throws IOException {
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      int event = number(json);
      json.nextToken();
      if (json.currentToken() != JsonToken.START_ARRAY) {
        throw new UsageException("not definitions of events: event=" + event);
      }
      String name = String.valueOf(json.nextTextValue());
      String description = json.nextTextValue();
      while (json.currentToken() != null && json.currentToken() != JsonToken.END_ARRAY) {
        json.nextToken();
      }
      if (inRange(subsystem) && inRange(event)) {
        names.add(subsystem, event, name, description == null ? name : description);
      }
    }
  }

  /** Messages have numbers below 0 there; they are known. */
  private static boolean inRange(int number) {
    return number >= 0 && number <= LARGEST;
  }

  private static int number(JsonParser json) throws IOException {
    try {
      return Integer.parseInt(json.currentName());
    } catch (NumberFormatException e) {
      throw new UsageException("not definitions of events: name=" + json.currentName());
    }
  }
}
