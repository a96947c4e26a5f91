package dev.kymo.importers.chrome.json;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import dev.kymo.importers.target.ForeignException;
import java.io.ByteArrayOutputStream;
import java.io.CharConversionException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import java.util.zip.ZipException;

/** Reads a file of trace events: an array of them, or an object that has it; packed or not. */
public final class TraceReader {
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(StreamReadFeature.AUTO_CLOSE_SOURCE) // it is asked whether it is at its end
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(500)
                  .maxStringLength(64 * 1024 * 1024)
                  .maxNameLength(10_000)
                  .build())
          .build();

  private final Path file;
  private final TraceVisitor to;
  private final TraceEvent event = new TraceEvent();

  private TraceReader(Path file, TraceVisitor to) {
    this.file = file;
    this.to = to;
  }

  /**
   * Reads all of a file.
   *
   * @param progress is told the bytes that have been read
   * @throws ForeignException if it is no trace
   */
  public static void read(Path file, LongConsumer progress, TraceVisitor to) throws IOException {
    try (InputStream in = TraceBytes.open(file, progress);
        JsonParser json = JSON.createParser(in)) {
      new TraceReader(file, to).read(json, in);
    } catch (ZipException | EOFException e) {
      throw new ForeignException("not readable as gzip", file, 0, "why=\"" + e.getMessage() + "\"");
    }
  }

  private void read(JsonParser json, InputStream in) throws IOException {
    try {
      top(json);
    } catch (JsonEOFException | EOFException e) {
      to.cut(offset(json));
    } catch (JacksonException e) {
      if (!isAtEnd(json, in)) { // else the last word is not whole
        throw damaged("not JSON", json, "why=\"" + oneLine(e.getOriginalMessage()) + "\"");
      }
      to.cut(offset(json));
    } catch (CharConversionException e) { // its first bytes look like another encoding
      throw damaged("not JSON", json, "why=\"" + oneLine(String.valueOf(e.getMessage())) + "\"");
    } catch (ZipException e) {
      throw damaged("not readable as gzip", json, "why=\"" + e.getMessage() + "\"");
    }
  }

  private static String oneLine(String message) {
    return message.replaceAll("\\s+", " ").replace('"', '\'');
  }

  private static boolean isAtEnd(JsonParser json, InputStream in) throws IOException {
    ByteArrayOutputStream rest = new ByteArrayOutputStream();
    json.releaseBuffered(rest);
    return rest.size() == 0 && in.read() < 0;
  }

  private void top(JsonParser json) throws IOException {
    JsonToken first = json.nextToken();
    if (first == JsonToken.START_ARRAY) {
      events(json);
    } else if (first == JsonToken.START_OBJECT) {
      while (next(json) != JsonToken.END_OBJECT) {
        String key = json.currentName();
        json.nextToken();
        part(json, key);
      }
    } else {
      throw damaged("neither an array nor an object", json, "");
    }
  }

  private void part(JsonParser json, String key) throws IOException {
    if (key.equals("traceEvents") && json.currentToken() == JsonToken.START_ARRAY) {
      events(json);
    } else if (key.equals("stackFrames") && json.currentToken() == JsonToken.START_OBJECT) {
      frames(json);
    } else {
      to.beside(Values.name(key), String.valueOf(Values.value(json)));
    }
  }

  private void events(JsonParser json) throws IOException {
    JsonToken token = next(json);
    while (token != JsonToken.END_ARRAY) {
      long offset = offset(json);
      event.clear();
      if (token == JsonToken.START_OBJECT) {
        EventFields.read(json, event, this::damaged);
      } else {
        event.more.put("value", Values.value(json));
      }
      to.event(event, offset);
      token = next(json);
    }
  }

  /** The next token; the end of the file comes as what it is. */
  private static JsonToken next(JsonParser json) throws IOException {
    JsonToken token = json.nextToken();
    if (token == null) {
      throw new EOFException();
    }
    return token;
  }

  private void frames(JsonParser json) throws IOException {
    while (next(json) != JsonToken.END_OBJECT) {
      String id = Values.name(json.currentName());
      String name = "";
      String parent = "";
      if (json.nextToken() == JsonToken.START_OBJECT) {
        while (next(json) != JsonToken.END_OBJECT) {
          String key = json.currentName();
          json.nextToken();
          String value = Values.name(String.valueOf(Values.value(json)));
          if (key.equals("name")) {
            name = value;
          } else if (key.equals("parent")) {
            parent = value;
          }
        }
      } else {
        name = Values.name(String.valueOf(Values.value(json)));
      }
      to.frame(id, name, parent);
    }
  }

  private ForeignException damaged(String problem, JsonParser json, String facts) {
    return new ForeignException(problem, file, offset(json), facts);
  }

  private static long offset(JsonParser json) {
    return Math.max(0, json.currentLocation().getByteOffset());
  }
}
