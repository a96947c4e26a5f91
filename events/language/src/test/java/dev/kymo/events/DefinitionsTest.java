package dev.kymo.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.events.parse.DefinitionFileReader;
import dev.kymo.format.EventKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The meaning of a definition file. */
class DefinitionsTest {
  @TempDir Path directory;

  private static Subsystem only(String text) throws DefinitionException {
    Definitions definitions = DefinitionFileReader.parse("x.pleco", text);
    assertThat(definitions.subsystems()).hasSize(1);
    return definitions.subsystems().get(0);
  }

  private static Event event(String text) throws DefinitionException {
    return only("subsystem s { event " + text + ", };").events().get(0);
  }

  @Test
  void everythingThereIs() throws DefinitionException {
    Subsystem disk =
        only(
            """
            subsystem disk = 5 category "I/O" color "#d04040" {
                event ALLOC = 0x10 "Memory given out" { u64 size; str owner; },
                event READ begin "Reading a block" { u32 block; },
                event READ_DONE end READ "",
                event QUEUE counter "" { f32 length; },
            };
            """);
    assertThat(disk.name()).isEqualTo("disk");
    assertThat(disk.id()).isEqualTo(5);
    assertThat(disk.category()).isEqualTo("I/O");
    assertThat(disk.color()).isEqualTo("#d04040");
    Event alloc = disk.events().get(0);
    assertThat(alloc.id()).isEqualTo(16);
    assertThat(alloc.description()).isEqualTo("Memory given out");
    assertThat(alloc.fieldsText()).isEqualTo("u64 size; str owner;");
    assertThat(alloc.place()).isEqualTo(new Place(2, 11));
    assertThat(disk.events())
        .extracting(Event::kind)
        .containsExactly(EventKind.INSTANT, EventKind.BEGIN, EventKind.END, EventKind.COUNTER);
    assertThat(disk.events().get(2).begin()).isEqualTo("READ");
    assertThat(disk.events().get(2).description()).isEqualTo("READ_DONE");
  }

  @Test
  void whatKindsCarryByDefault() throws DefinitionException {
    assertThat(event("A \"\"").untyped()).isTrue();
    assertThat(event("A \"\" { }").untyped()).isFalse();
    assertThat(event("A begin \"\"").untyped()).isFalse();
    assertThat(event("A begin \"\"").fields()).isEmpty();
    assertThat(event("A counter \"\"").fieldsText()).isEqualTo("i64 value;");
    assertThat(event("A send \"\"").fieldsText()).isEqualTo("u64 key;");
    assertThat(event("A receive \"\"").fieldsText()).isEqualTo("u64 key;");
  }

  @Test
  void wordsOfTheLanguageAreNames() throws DefinitionException {
    Subsystem counter =
        only(
            """
            subsystem counter {
                event begin begin "",
                event end end begin "",
                event u64 "" { u64 u64; str category; },
                event color "",
                event it's_2 "",
            };
            """);
    assertThat(counter.events())
        .extracting(Event::name)
        .containsExactly("begin", "end", "u64", "color", "it's_2");
  }

  @Test
  void plecosCommentsKeywordsAndEscapes() throws DefinitionException {
    Subsystem s =
        only(
            "/* a /* nested */ comment */ SubSystem s{// to the end\r\n"
                + "\tEVENT A\"\\\"q\\\" \\\\ \\t\\x41\\66\\o103\\&\\DEL\\^A\\SOH\\SO \\  "
                + " \\ü\",};");
    assertThat(s.events().get(0).description())
        .isEqualTo("\"q\" \\ \tABC\u007f\u0001\u0001\u000e ü");
  }

  @Test
  void idsCountThoseThatNameNone() throws DefinitionException {
    Subsystem s =
        only("subsystem s { event A \"\", event X = 9 \"\", event B \"\", event C \"\", };");
    assertThat(s.events()).extracting(Event::id).containsExactly(0, 9, 1, 2);
  }

  @Test
  void manySubsystems() throws DefinitionException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 65536; i++) {
      text.append("subsystem s").append(i).append(" { event A \"\", };\n");
    }
    List<Subsystem> all = DefinitionFileReader.parse("x", text.toString()).subsystems();
    assertThat(all.get(65535).id()).isEqualTo(65535);
    text.append("subsystem t { event A \"\", };\nsubsystem u { event A \"\", };\n");
    assertThatThrownBy(() -> DefinitionFileReader.parse("x", text.toString()))
        .hasMessage(
            "x:65537:11: too many: subsystem 't' would have id=65536, largest=65535;"
                + " give it a free id with '= ID'");
  }

  @Test
  void tooManyEvents() throws DefinitionException {
    StringBuilder text = new StringBuilder("subsystem s {\n");
    for (int i = 0; i < 65536; i++) {
      text.append("event A").append(i).append(" \"\",\n");
    }
    assertThat(only(text + "};").events().get(65535).id()).isEqualTo(65535);
    assertThatThrownBy(() -> DefinitionFileReader.parse("x", text + "event B \"\",\n};"))
        .hasMessage(
            "x:65538:7: too many: event 'B' would have id=65536, largest=65535;"
                + " give it a free id with '= ID'");
  }

  @Test
  void tooMuchOfEverything() {
    String fields = "u8 a%d; ".repeat(101);
    for (int i = 0; i < 101; i++) {
      fields = fields.replaceFirst("%d", Integer.toString(i));
    }
    String text =
        "subsystem s { event %s \"%s\" { %s }, };"
            .formatted("N".repeat(256), "d".repeat(4097), fields);
    assertThatThrownBy(() -> DefinitionFileReader.parse("x", text))
        .hasMessage(
            """
            x:1:21: name of event is too long: characters=256 most=255
            x:1:278: text is too long: characters=4097 most=4096
            x:1:4378: too many fields: count=101 most=100\
            """);
  }

  @Test
  void changedIdsAreNamed() throws DefinitionException {
    Definitions old =
        DefinitionFileReader.parse(
            "old",
            "subsystem a { event A \"\", event B \"\", event GONE \"\", };"
                + "subsystem b { event A \"\", };");
    Definitions same =
        DefinitionFileReader.parse(
            "now",
            "subsystem z = 7 { event A \"\", };subsystem a { event NEW = 3 \"\", event A \"\","
                + " event B \"\", event LAST \"\", };subsystem b { event A \"other\", };");
    assertThat(StableIds.changed(old, same)).isEmpty();
    Definitions now =
        DefinitionFileReader.parse(
            "now",
            "subsystem b { event A \"\", };\nsubsystem a {\nevent NEW \"\",\n event A \"\", event B = 4 \"\", };");
    assertThat(StableIds.changed(old, now).stream().map(Problem::toString))
        .containsExactly(
            "now:1:11: id of subsystem 'b' has changed: old=1 new=0; give it '= 1', or add new"
                + " definitions at the end",
            "now:2:11: id of subsystem 'a' has changed: old=0 new=1; give it '= 0', or add new"
                + " definitions at the end",
            "now:4:8: id of event 'A' of subsystem 'a' has changed: old=0 new=1; give it '= 0', or"
                + " add new definitions at the end",
            "now:4:20: id of event 'B' of subsystem 'a' has changed: old=1 new=4; give it '= 1', or"
                + " add new definitions at the end");
  }

  @Test
  void filesAreUtf8() throws IOException {
    Path file = directory.resolve("a.b.pleco");
    Files.write(file, new byte[] {'/', '/', (byte) 0xE4});
    assertThatThrownBy(() -> DefinitionFileReader.read(file))
        .hasMessage("file is not UTF-8: path=" + file + "; save it as UTF-8");
    Files.writeString(file, "\uFEFFsubsystem ö { event A \"\", };");
    Definitions read = DefinitionFileReader.read(file);
    assertThat(read.baseName()).isEqualTo("a.b");
    assertThat(read.subsystems().get(0).name()).isEqualTo("ö");
  }
}
