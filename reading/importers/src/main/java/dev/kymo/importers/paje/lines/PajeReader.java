package dev.kymo.importers.paje.lines;

import dev.kymo.importers.target.ForeignException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file: definitions of events, each from {@code %EventDef NAME NUMBER} to {@code
 * %EndEventDef} with a line {@code % Field type} for each field, and lines that begin with such a
 * number.
 */
public final class PajeReader {
  private static final int LONGEST = 1024 * 1024;
  private static final int MOST_DEFINITIONS = 10_000;
  private static final int MOST_FIELDS = 200;
  private static final int PROGRESS_EVERY = 10_000;
  private static final String MORE = "more";

  private final Path file;
  private final Taker to;
  private final Words words = new Words();
  private final PajeEvent event = new PajeEvent();
  private final Map<String, PajeDefinition> definitions = new HashMap<>();
  private @Nullable PajeDefinition current;
  private long line;
  private long offset;

  /** Takes what is in a file. */
  public interface Taker {
    /** Takes an event, which is valid until the method returns. */
    void event(PajeEvent event) throws IOException;

    /** The last line is not complete. */
    void cut(long line);
  }

  private PajeReader(Path file, Taker to) {
    this.file = file;
    this.to = to;
  }

  /**
   * Reads all of a file.
   *
   * @param progress is told the bytes that have been read
   * @throws ForeignException if a line is not as the definitions want it
   */
  public static void read(Path file, LongConsumer progress, Taker to) throws IOException {
    new PajeReader(file, to).read(progress);
  }

  private void read(LongConsumer progress) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 64 * 1024)) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      boolean whole = true;
      while (whole) {
        whole = next(in, bytes);
        line++;
        take(bytes.toString(StandardCharsets.UTF_8), whole);
        if (line % PROGRESS_EVERY == 0) {
          progress.accept(offset);
        }
      }
      progress.accept(offset);
    }
  }

  /** Reads a line; false if the file ends within it. */
  private boolean next(InputStream in, ByteArrayOutputStream to) throws IOException {
    to.reset();
    int next = in.read();
    while (next >= 0 && next != '\n') {
      if (to.size() == LONGEST) {
        throw ForeignException.inLine("line is too long", file, line + 1, "longest=" + LONGEST);
      }
      to.write(next);
      next = in.read();
    }
    offset += to.size() + 1;
    return next >= 0;
  }

  private void take(String text, boolean whole) throws IOException {
    String stripped = text.strip();
    if (stripped.startsWith("%")) {
      define(words.of(stripped.substring(1), Integer.MAX_VALUE));
      return;
    }
    int blank = 0;
    while (blank < stripped.length() && stripped.charAt(blank) > ' ') {
      blank++;
    }
    PajeDefinition definition = definitions.get(stripped.substring(0, blank));
    if (definition == null) {
      if (!stripped.isEmpty() && !stripped.startsWith("#")) {
        unknown(stripped.substring(0, blank), whole);
      }
      return;
    }
    put(definition, words.of(stripped, definition.size() + 1), whole);
  }

  private void unknown(String number, boolean whole) throws ForeignException {
    if (whole) {
      String shown = number.length() > 100 ? number.substring(0, 100) : number;
      throw wrong("event is not defined", "number=" + shown);
    }
    to.cut(line);
  }

  private ForeignException wrong(String problem, String facts) {
    return ForeignException.inLine(problem, file, line, facts);
  }

  private void define(List<String> parts) throws ForeignException {
    if (parts.isEmpty()) {
      return;
    }
    PajeDefinition open = current;
    if (parts.get(0).equals("EventDef")) {
      begin(parts);
    } else if (open == null) {
      throw wrong("definition has not begun", "word=" + parts.get(0));
    } else if (parts.get(0).equals("EndEventDef")) {
      if (!open.missing().isEmpty()) {
        throw wrong(
            "definition lacks fields",
            "event=" + open.kind().word() + " missing=" + String.join(",", open.missing()));
      }
      current = null;
    } else if (open.size() == MOST_FIELDS) {
      throw wrong("definition has too many fields", "most=" + MOST_FIELDS);
    } else {
      open.add(parts.get(0));
    }
  }

  private void begin(List<String> parts) throws ForeignException {
    PajeKind kind = parts.size() < 3 ? null : PajeKind.of(parts.get(1));
    if (kind == null) {
      throw wrong("no such event can be defined", "words=" + String.join(",", parts));
    }
    if (definitions.size() == MOST_DEFINITIONS) {
      throw wrong("too many definitions", "most=" + MOST_DEFINITIONS);
    }
    PajeDefinition definition = new PajeDefinition(kind);
    definitions.put(parts.get(2), definition);
    current = definition;
  }

  private void put(PajeDefinition definition, List<String> parts, boolean whole)
      throws IOException {
    int given = parts.size() - 1;
    if (given < definition.size()) {
      if (whole) {
        throw wrong(
            "event lacks fields",
            "event=%s fields=%d given=%d"
                .formatted(definition.kind().word(), definition.size(), given));
      }
      to.cut(line);
      return;
    }
    event.begin(definition.kind(), line);
    for (int i = 0; i < definition.size(); i++) {
      event.put(definition.field(i), parts.get(i + 1));
    }
    if (given > definition.size()) {
      event.put(MORE, String.join(" ", parts.subList(definition.size() + 1, parts.size())));
    }
    time();
    to.event(event);
  }

  private void time() throws ForeignException {
    String time = event.get("Time");
    if (!time.isEmpty()) {
      try {
        event.at(Seconds.nanos(time));
      } catch (NumberFormatException e) {
        String shown = time.length() > 100 ? time.substring(0, 100) : time;
        throw wrong("time is not a number of seconds", "time=" + shown);
      }
    }
  }
}
