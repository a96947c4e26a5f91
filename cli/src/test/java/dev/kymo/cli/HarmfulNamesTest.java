package dev.kymo.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.kymo.format.Definition;
import dev.kymo.testkit.RecordingBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Names come from recorded programs, which may mean harm: no command has them do anything to a
 * terminal, begin a line or turn the order of characters.
 */
class HarmfulNamesTest {
  /**
   * Clears the screen, goes back on the line, begins another, turns the direction, a C1 control.
   */
  private static final String HARM = "x\u001b[2J\ry\nz\t\u202ecod\u2066\u200f\u2028\u009b31m\u007f";

  @TempDir Path directory;
  private Path path = Path.of("");

  @BeforeEach
  void record() {
    RecordingBuilder r = new RecordingBuilder();
    r.define(0, new Definition.Recording("0.1" + HARM, "java" + HARM, HARM, HARM, HARM, 2, HARM));
    r.define(1, new Definition.TracedProcess(1, 1001, 1, "java" + HARM, "OpenJDK" + HARM));
    r.thread(1, 1, "main" + HARM).method(1, 1, "a.B" + HARM, "run" + HARM);
    r.define(1, new Definition.Subsystem(1, 7, "shop" + HARM, HARM, HARM));
    r.define(1, new Definition.Event(99, 1, 3, 0, "SOLD" + HARM, HARM, "str what;"));
    r.define(1, new Definition.Notice(1, "notice" + HARM));
    byte[] data = (HARM + "\0").getBytes(StandardCharsets.UTF_8);
    r.ring(1, 0, 1).enter(100, 1).own(110, 99, data).leave(200, 1);
    path = r.end(1, 0).write(directory.resolve("harm.kymo"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "info",
        "info --steps",
        "info --json",
        "report",
        "report --per-thread",
        "report --csv",
        "report --json",
        "report --events",
        "report --events --csv",
        "report --events --json",
        "report --waits",
        "report --locks",
        "report --threads",
        "report --cpus",
        "replay",
        "replay --merged",
        "replay --csv",
        "replay --json",
        "print",
        "print --definitions",
        "print --format table",
        "print --format raw",
        "print --csv",
        "print --json",
        "why PATH 1/1@0.0",
        "why PATH 1/1@0.0 --json"
      })
  void harmNobody(String command) {
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    if (words.contains("PATH")) {
      words.set(1, path.toString());
    } else {
      words.add(1, path.toString());
    }
    Kymo kymo = Kymo.run(words.toArray());
    assertThat(kymo.code()).as(kymo.err()).isZero();
    assertHarmless(kymo.out());
    assertHarmless(kymo.err());
    if (!command.contains("--csv")) { // there, what is quoted may go on on the next line
      assertThat(kymo.out().lines()).noneMatch(line -> line.startsWith("z"));
    }
  }

  static void assertHarmless(String text) {
    assertThat(text).doesNotContainPattern("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]");
    assertThat(text).doesNotContainPattern("[\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]");
  }

  /** What a program reads is what was recorded. */
  @Test
  void jsonSaysThemExactly() throws IOException {
    assertThat(strings(Kymo.run("report", path, "--json", "--per-thread").out()))
        .contains("a.B" + HARM + ".run" + HARM, "main" + HARM);
    assertThat(strings(Kymo.run("info", path, "--json").out())).contains("notice" + HARM);
    assertThat(strings(Kymo.run("replay", path, "--json").out())).contains("main" + HARM);
    assertThat(strings(Kymo.run("print", path, "--json").out())).contains("main" + HARM);
  }

  private static List<String> strings(String json) throws IOException {
    List<String> all = new ArrayList<>();
    try (JsonParser parser = new JsonFactory().createParser(json)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token == JsonToken.VALUE_STRING) {
          all.add(parser.getText());
        }
      }
    }
    return all;
  }

  @Test
  void csvStaysWhatItIs() {
    assertThat(Kymo.run("replay", path, "--csv").out())
        .contains(
            ",\"mainx\\u001b[2J\\u000dy\nz\t\\u202ecod\\u2066\\u200f\\u2028\\u009b31m\\u007f\",");
  }

  @Test
  void filesOfPartsHarmNobodyEither() throws IOException {
    for (String format : List.of("--csv", "--json", "--format=text", "--format=raw")) {
      Path parts = directory.resolve("parts" + format);
      Kymo kymo = Kymo.run("print", path, "--split", "thread", format, "-o", parts);
      assertThat(kymo.code()).as(kymo.err()).isZero();
      assertHarmless(kymo.out());
      try (Stream<Path> files = Files.list(parts)) {
        for (Path file : files.toList()) {
          assertHarmless(Files.readString(file));
        }
      }
    }
  }

  @Test
  void messagesHarmNobody() {
    Kymo kymo = Kymo.run("info", directory.resolve("none\u001b[2J\n.kymo"));
    assertThat(kymo.code()).isEqualTo(2);
    assertHarmless(kymo.err());
    assertThat(kymo.err().lines()).hasSize(1);
  }
}
