package dev.kymo.importers.chrome.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Map;

/** Reads values whose shape is not known, in bounded memory. */
final class Values {
  /** Objects deeper than this are kept as text. */
  private static final int DEEPEST = 6;

  private static final int MOST_FIELDS = 500;
  static final int MOST_TEXT = 32 * 1024;
  private static final int MOST_NAME = 200;

  private Values() {}

  static String cut(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most);
  }

  static String name(String text) {
    return cut(text, MOST_NAME);
  }

  /** The parser is at an object; its values come to the fields. */
  static void flatten(JsonParser json, String prefix, int depth, Map<String, Object> to)
      throws IOException {
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = name(prefix + json.currentName());
      if (json.nextToken() == JsonToken.START_OBJECT && depth < DEEPEST) {
        int before = to.size();
        flatten(json, name + ".", depth + 1, to);
        if (to.size() == before) {
          put(to, name, "{}");
        }
      } else {
        put(to, name, value(json));
      }
    }
  }

  static void put(Map<String, Object> to, String name, Object value) {
    if (to.size() < MOST_FIELDS) {
      to.put(name, value);
    } else {
      Object more = to.getOrDefault("more", "");
      to.put("more", cut(more + " " + name + "=" + value, MOST_TEXT).strip());
    }
  }

  static Object value(JsonParser json) throws IOException {
    return switch (json.currentToken()) {
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NUMBER_INT -> integer(json);
      case VALUE_NUMBER_FLOAT -> Double.parseDouble(json.getText());
      case START_OBJECT, START_ARRAY -> structure(json);
      default -> cut(json.getText(), MOST_TEXT);
    };
  }

  private static Object integer(JsonParser json) throws IOException {
    return json.getNumberType() == JsonParser.NumberType.BIG_INTEGER
        ? json.getText()
        : (Object) json.getLongValue();
  }

  /** The text of an object or array. */
  static String structure(JsonParser json) throws IOException {
    StringBuilder text = new StringBuilder();
    int depth = 0;
    boolean first = true;
    do {
      JsonToken token = json.currentToken();
      if (token.isStructEnd()) {
        depth--;
        add(text, token.asString());
        first = false;
      } else {
        if (!first) {
          add(text, ",");
        }
        first = one(json, token, text);
        depth += token.isStructStart() ? 1 : 0;
      }
      if (depth > 0) {
        json.nextToken();
      }
    } while (depth > 0);
    return text.toString();
  }

  /** Adds a token; whether what follows it needs no comma. */
  private static boolean one(JsonParser json, JsonToken token, StringBuilder text)
      throws IOException {
    if (token == JsonToken.FIELD_NAME) {
      add(text, "\"" + json.currentName() + "\":");
      return true;
    }
    if (token == JsonToken.VALUE_STRING) {
      add(text, "\"" + cut(json.getText(), MOST_TEXT) + "\"");
      return false;
    }
    add(text, json.getText());
    return token.isStructStart();
  }

  private static void add(StringBuilder text, String part) {
    if (text.length() < MOST_TEXT) {
      text.append(cut(part, MOST_TEXT - text.length()));
    }
  }
}
