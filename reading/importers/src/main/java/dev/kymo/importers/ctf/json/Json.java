package dev.kymo.importers.ctf.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.kymo.importers.target.ForeignException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON as maps, lists, texts, numbers and truths. */
final class Json {
  private static final int DEEPEST = 200;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build())
          .build();

  private Json() {}

  static Map<String, Object> object(String text, Problems problems) throws ForeignException {
    try (JsonParser parser = FACTORY.createParser(text)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw problems.of("metadata has something else than an object", "");
      }
      Map<String, Object> object = object(parser);
      if (parser.nextToken() != null) {
        throw problems.of("metadata has two objects without a separator", "");
      }
      return object;
    } catch (ForeignException e) {
      throw e;
    } catch (IOException e) {
      String what = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      throw problems.of("metadata is not JSON", "problem=\"" + what + "\"");
    }
  }

  private static Map<String, Object> object(JsonParser parser) throws IOException {
    Map<String, Object> object = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      Object value = value(parser);
      if (value != null) {
        object.put(name, value);
      }
    }
    return object;
  }

  private static @Nullable Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT -> parser.getBigIntegerValue();
      case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> null;
    };
  }

  /** What is null stays, as something that is no name. */
  private static List<Object> array(JsonParser parser) throws IOException {
    List<Object> array = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      Object value = value(parser);
      array.add(value == null ? new Item.Absent() : value);
    }
    return array;
  }
}
