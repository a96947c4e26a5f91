package dev.kymo.events.generate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.kymo.events.Definitions;
import dev.kymo.events.parse.DefinitionFileReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Both kinds of JSON are valid JSON, and say what the file says. */
class JsonGeneratorTest {
  private static final Path EVERY = Path.of("src", "test", "resources", "every.pleco");

  private static List<String> texts(String json) throws IOException {
    List<String> texts = new ArrayList<>();
    try (JsonParser parser = new JsonFactory().createParser(json)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token.isScalarValue()) {
          texts.add(parser.getText());
        }
      }
    }
    return texts;
  }

  @Test
  void complete() throws IOException {
    Definitions definitions =
        DefinitionFileReader.parse(
            "d/disk.pleco",
            """
            subsystem disk = 5 category "I/O" color "#D04040" {
                event READ = 7 begin "Reading" { u32 block; },
                event READ_DONE end READ "",
                event OLD "",
            };
            """);
    GeneratedFile file = Generator.json().generate(definitions).get(0);
    assertThat(file.path()).isEqualTo("disk.json");
    assertThat(file.text())
        .isEqualTo(
            """
            {
              "version": 1,
              "subsystems": [
                {"id": 5, "name": "disk", "category": "I/O", "color": "#d04040", "events": [
                  {"id": 7, "name": "READ", "kind": "begin", "description": "Reading", "untyped": false, "fields": [{"type": "u32", "name": "block"}]},
                  {"id": 0, "name": "READ_DONE", "kind": "end", "begin": "READ", "description": "READ_DONE", "untyped": false, "fields": []},
                  {"id": 1, "name": "OLD", "kind": "instant", "description": "OLD", "untyped": true, "fields": []}
                ]}
              ]
            }
            """);
  }

  @Test
  void whatNeedsEscapes() throws IOException {
    Definitions every = DefinitionFileReader.read(EVERY);
    String description = "the end */ /* of \" \\u0041 Ünïcode ??/ @see <b> \\";
    assertThat(texts(Generator.json().generate(every).get(0).text())).contains(description, "it's");
    assertThat(texts(Generator.plecoJson().generate(every).get(0).text()))
        .contains(description, "ump receive");
    Definitions controls =
        DefinitionFileReader.parse("x", "subsystem s { event A \"\\n\\t\\r\\SOH\\DEL\", };");
    for (Generator each : List.of(Generator.json(), Generator.plecoJson())) {
      assertThat(texts(each.generate(controls).get(0).text())).contains("\n\t\r\u0001\u007f");
    }
  }
}
