package dev.kymo.events.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.events.DefinitionException;
import dev.kymo.events.Definitions;
import dev.kymo.events.parse.DefinitionFileReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Generated Java compiles, and calls what it should. */
class JavaGeneratorTest {
  private static final Path EVERY = Path.of("src", "test", "resources", "every.pleco");
  private static final Path BARRELFISH =
      Path.of("src", "test", "resources", "barrelfish", "trace_defs.pleco");

  @TempDir Path folder;

  private List<?> run(Definitions definitions, String calls)
      throws IOException, ReflectiveOperationException {
    String main = "package p;\n\npublic class Main {\n  public static void run() {\n%s  }\n}\n";
    try (CompiledJava java = CompiledJava.of(definitions, folder, main.formatted(calls))) {
      java.run();
      return java.calls();
    }
  }

  @Test
  void everyKindOfEvent() throws IOException, ReflectiveOperationException {
    List<?> calls =
        run(
            DefinitionFileReader.read(EVERY),
            """
            Every.alloc(-1L, "me");
            Every.read(0x1_0000_0007L);
            Every.readDone("fine");
            Every.off(1);
            Every.queue(0.5);
            Every.request(1, new byte[3], -2, true, 1.5f, -3, 4);
            Every.reply(2);
            Every.nothing();
            Every.wait_(-5);
            Every.begin();
            Every.toString_();
            Every.register(1, 2, 3);
            Every.oneU8(300);
            Every.oneI16(40000);
            Every.oneF32(1f);
            Every.oneBool(true);
            Every.oneStr("text");
            """);
    assertThat(calls.stream().map(Object::toString))
        .startsWith(
            "subsystem every 5 [I/O] [#d04040]",
            "event 70 ALLOC 0 [Memory given out] [u64 size; str owner;]",
            "event 0 READ 1 [Reading a block] [u32 block;]",
            "event 1 READ_DONE of READ 2 [READ_DONE] [str result;]",
            "event 2 OFF 0 [OFF] []")
        .contains(
            "event 7 WAIT 0 [the end */ /* of \" \\u0041 Ünïcode ??/ @see <b> \\] []",
            "event 10 register 0 [register] [u8 Event_; u16 class; i64 restrict;]")
        .endsWith(
            "payload 100 u64=-1 str=me",
            "enter 101",
            "record 101 7",
            "payload 102 str=fine",
            "leave 102",
            "record 104 " + Double.doubleToRawLongBits(0.5),
            "payload 105 u64=1 bytes=3 i8=-2 bool=true f32=1.5 i16=-3 u16=4",
            "record 106 2",
            "record 107 0",
            "record 108 -5",
            "enter 109",
            "leave 110",
            "payload 111 u8=1 u16=2 i64=3",
            "record 112 44",
            "record 113 -25536",
            "record 114 " + Float.floatToRawIntBits(1f),
            "record 115 1",
            "payload 116 str=text");
  }

  /** Without a recorder everything is off: no event is made of these calls. */
  @Test
  void withTheRealApi() throws IOException, ReflectiveOperationException {
    String main =
        """
        package p;

        public class Main {
          public static void run() {
            Every.alloc(-1L, "me");
            Every.read(7);
            Every.readDone("fine");
            Every.queue(0.5);
            Every.request(1, new byte[3], -2, true, 1.5f, -3, 4);
            Kernel.cswitch(7);
          }
        }
        """;
    String text =
        Files.readString(EVERY).replace("every = 5", "every = 500") + Files.readString(BARRELFISH);
    try (CompiledJava java =
        CompiledJava.withApi(DefinitionFileReader.parse("both", text), folder, main)) {
      java.run();
    }
  }

  @Test
  void namesThatJavaUses() throws IOException, ReflectiveOperationException {
    List<?> calls =
        run(
            DefinitionFileReader.read(EVERY),
            "Float_.new_(1);\nString_.itS(\"a\", 1, 2, 3, \"b\");\nEvery.nothing();\n");
    assertThat(calls.stream().map(Object::toString))
        .contains("record 100 1", "payload 100 str=a i32=1 u8=2 u8=3 str=b", "record 107 0");
  }

  @Test
  void barrelfish() throws IOException, ReflectiveOperationException {
    List<?> calls =
        run(DefinitionFileReader.read(BARRELFISH), "Kernel.cswitch(7);\nMemory.lookup(8);\n");
    assertThat(calls.get(1)).isEqualTo("event 0 CSWITCH 0 [Context Switch] []");
    assertThat(calls).filteredOn(c -> c.toString().startsWith("record ")).hasSize(2);
    assertThat(calls.get(calls.size() - 1)).isEqualTo("record 104 8");
  }

  @Tag("slow")
  @Test
  void moreThanOneClassCanRegister() throws IOException, ReflectiveOperationException {
    String description = "what it means ".repeat(20);
    StringBuilder text = new StringBuilder("subsystem big {\n");
    for (int i = 0; i < 10_000; i++) {
      text.append("event E%d \"%s%d\",\n".formatted(i, description, i));
    }
    List<?> calls =
        run(
            DefinitionFileReader.parse("big", text + "};"),
            "Big.e0(1);\nBig.e200(2);\nBig.e9999(3);\n");
    assertThat(calls).hasSize(10_001 + 3);
    assertThat(calls.get(10_000)).isEqualTo("event 9999 E9999 0 [" + description + "9999] []");
    assertThat(calls.subList(10_001, 10_004).toString())
        .isEqualTo("[record 100 1, record 300 2, record 10099 3]");
    String tooMany = text + "event LAST \"\", };";
    assertThatThrownBy(
            () -> Generator.java("p").generate(DefinitionFileReader.parse("big", tooMany)))
        .hasMessage(
            "big:1:11: subsystem 'big' has too many events for a Java class: events=10001"
                + " most=10000; split it into two");
  }

  @Test
  void namesThatAreOneInJava() throws DefinitionException {
    Definitions definitions =
        DefinitionFileReader.parse(
            "x",
            """
            subsystem a_b { event READ_DONE "",
            event readDone "", };
            subsystem AB { event A "", };
            subsystem aB { event A "", };\
            """);
    assertThatThrownBy(() -> Generator.java("p").generate(definitions))
        .hasMessage(
            """
            x:2:7: 'readDone' and 'READ_DONE' (line 1) are the same Java method 'AB.readDone'; rename one of them
            x:4:11: 'aB' and 'a_b' (line 1) are the same Java class 'AB'; rename one of them\
            """);
  }

  @Test
  void packagesHaveNamesOfPackages() {
    assertThatThrownBy(() -> Generator.java("a.class"))
        .hasMessage("not the name of a Java package: package=a.class; expected NAME.NAME");
    assertThatThrownBy(() -> Generator.java("a..b")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Generator.java("1a")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Generator.java("a/b")).isInstanceOf(IllegalArgumentException.class);
    assertThat(Generator.java("a.b_c.d1")).isNotNull();
  }
}
