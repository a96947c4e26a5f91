package dev.kymo.server.bookmarks;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.kymo.server.http.BadRequestException;
import dev.kymo.server.http.Query;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** Parses bookmarks, or refuses all of them with a sentence. */
final class BookmarksParser {
  static final int MAX_BYTES = 1 << 20;
  private static final int MAX_ID = 100;
  private static final int MAX_TEXT = 20_000;
  private static final int MAX_COLOUR = 255;
  private static final Set<String> FACTS = Set.of("id", "from", "to", "track", "text", "colour");

  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final JsonParser json;
  private final Set<String> ids = new HashSet<>();

  private BookmarksParser(JsonParser json) {
    this.json = json;
  }

  /**
   * Reads a document.
   *
   * @throws BadRequestException if it is not JSON or not bookmarks
   */
  static Bookmarks parse(byte[] document) {
    try (JsonParser json = JSON.createParser(document)) {
      return new BookmarksParser(json).document();
    } catch (JsonProcessingException e) {
      throw new BadRequestException("Not JSON: " + e.getOriginalMessage() + '.');
    } catch (IOException e) {
      throw new BadRequestException("Not JSON: " + e.getMessage() + '.');
    }
  }

  private Bookmarks document() throws IOException {
    expect(json.nextToken() == JsonToken.START_OBJECT, "an object");
    long version = -1;
    List<Bookmarks.Bookmark> bookmarks = null;
    for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
      JsonToken value = json.nextToken();
      switch (name) {
        case "version" -> {
          expect(value == JsonToken.VALUE_NUMBER_INT, "version=number");
          version = json.getLongValue();
        }
        case "bookmarks" -> {
          expect(value == JsonToken.START_ARRAY, "bookmarks=[...]");
          bookmarks = list();
        }
        default -> throw new BadRequestException("Not known in bookmarks: " + name + '.');
      }
    }
    expect(version >= 0 && json.nextToken() == null, "version from 0 on, and nothing after it");
    if (bookmarks == null) {
      throw expected("bookmarks=[...]");
    }
    return new Bookmarks(version, bookmarks);
  }

  private List<Bookmarks.Bookmark> list() throws IOException {
    List<Bookmarks.Bookmark> all = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      expect(json.currentToken() == JsonToken.START_OBJECT, "an object for each bookmark");
      all.add(bookmark());
    }
    return all;
  }

  private Bookmarks.Bookmark bookmark() throws IOException {
    Map<String, String> texts = new HashMap<>();
    Map<String, Long> numbers = new HashMap<>();
    for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
      expect(FACTS.contains(name), FACTS + " of a bookmark, and not " + name);
      switch (json.nextToken()) {
        case VALUE_STRING -> texts.put(name, json.getText());
        case VALUE_NUMBER_INT -> numbers.put(name, json.getLongValue());
        default -> throw expected("text or a number for " + name);
      }
    }
    String id = text(texts, "id", MAX_ID);
    expect(!id.isEmpty() && ids.add(id), "an id of its own for each bookmark");
    long from = Query.number("from", text(texts, "from", MAX_ID), 0, Long.MAX_VALUE / 2);
    long to = Query.number("to", text(texts, "to", MAX_ID), from, Long.MAX_VALUE / 2);
    OptionalInt track =
        numbers.containsKey("track")
            ? OptionalInt.of(number(numbers, "track", Integer.MAX_VALUE))
            : OptionalInt.empty();
    expect(!texts.containsKey("track"), "track=number");
    String text = text(texts, "text", MAX_TEXT);
    return new Bookmarks.Bookmark(id, from, to, track, text, number(numbers, "colour", MAX_COLOUR));
  }

  private static String text(Map<String, String> texts, String name, int max) {
    String text = texts.get(name);
    if (text == null || text.length() > max) {
      throw expected(name + "=text, at most " + max + " characters");
    }
    return text;
  }

  private static int number(Map<String, Long> numbers, String name, int max) {
    Long number = numbers.get(name);
    if (number == null || number < 0 || number > max) {
      throw expected(name + "=number, 0 to " + max);
    }
    return (int) (long) number;
  }

  private static void expect(boolean met, String what) {
    if (!met) {
      throw expected(what);
    }
  }

  private static BadRequestException expected(String what) {
    return new BadRequestException("Expected in bookmarks: " + what + '.');
  }
}
