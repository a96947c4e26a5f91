package dev.kymo.events.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.events.DefinitionException;
import dev.kymo.events.Definitions;
import dev.kymo.events.parse.DefinitionFileReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Generated headers compile without a warning as C and C++, and call what they should. */
class CHeaderTest {
  private static final Path RESOURCES = Path.of("src", "test", "resources");
  private static final String CALLS =
      """
      #include "%s"
      #include "kymo.h"
      #include "every.h"
      int main(void) {
        static char large[70000];
        memset(large, 'x', sizeof large - 1);
        trace_every_alloc(258, "me");
        trace_every_alloc(1, 0);
        trace_every_alloc(1, large);
        trace_every_read(7);
        trace_every_read_done("ok");
        trace_every_off(1);
        trace_every_off(1);
        trace_every_queue(0.5);
        trace_every_request(1, "abc", 3, -2, 5, 1.5f, -3, 4);
        trace_every_reply(2);
        trace_every_nothing();
        trace_every_wait(9);
        trace_every_begin();
        trace_every_to_string();
        trace_every_register(1, 2, -3);
        trace_every_one_i16(-4);
        trace_every_one_bool(8);
        trace_string_it_s("a", 1, 2, 3, "b");
        return TRACE_SUBSYS_EVERY - TRACE_EVENT_EVERY_REPLY - TRACE_NUM_SUBSYSTEMS + 3;
      }
      """;

  @TempDir Path folder;

  private static boolean installed(String compiler) {
    return Stream.of(System.getenv("PATH").split(":"))
        .anyMatch(p -> Files.isExecutable(Path.of(p, compiler)));
  }

  private String run(List<String> command) throws IOException, InterruptedException {
    Path out = folder.resolve("out");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    int code = process.waitFor();
    String said = Files.readString(out, StandardCharsets.UTF_8);
    assertThat(code).as(said).isZero();
    return said;
  }

  private String compiledAndRun(String compiler, String standard, String source)
      throws IOException, InterruptedException {
    assumeTrue(installed(compiler), "no compiler to try the header with: install " + compiler);
    Definitions definitions = DefinitionFileReader.read(RESOURCES.resolve("every.pleco"));
    Generator.cHeader().generate(definitions).get(0).writeTo(folder);
    Files.copy(RESOURCES.resolve("fake-c/kymo.h"), folder.resolve("kymo.h"));
    Files.copy(RESOURCES.resolve("fake-c/kymo.c"), folder.resolve("kymo.c"));
    Files.writeString(folder.resolve("main.c"), source);
    List<String> options =
        List.of(
            compiler, standard, "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1", "-o", "main");
    List<String> files = List.of("main.c", "kymo.c");
    assertThat(run(Stream.of(options, files).flatMap(List::stream).toList())).isEmpty();
    return run(List.of(folder.resolve("main").toString()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gcc -std=c11", "g++ -std=c++11", "g++ -std=c++20"})
  void callsWhatItShould(String compiler) throws IOException, InterruptedException {
    String[] words = compiler.split(" ", 2);
    // Macros alone first, then again with functions.
    String said = compiledAndRun(words[0], words[1], CALLS.formatted("every.h"));
    assertThat(said.lines().filter(l -> !l.startsWith("define ")))
        .containsExactly(
            "data 170 12 02 01 00 00 00 00 00 00 02 00 6d 65",
            "data 170 10 01 00 00 00 00 00 00 00 00 00",
            "data 170 70009",
            "enter 100",
            "event 100 7",
            "data 101 4 02 00 6f 6b",
            "leave 101",
            "event 103 " + Double.doubleToRawLongBits(0.5),
            "data 104 23 01 00 00 00 00 00 00 00 03 00 61 62 63 fe 01 00 00 c0 3f fd ff 04 00",
            "event 106 0",
            "event 107 9",
            "enter 108",
            "leave 109",
            "data 110 11 01 02 00 fd ff ff ff ff ff ff ff",
            "event 112 -4",
            "event 114 1",
            "data 100 12 01 00 61 01 00 00 00 02 03 01 00 62");
    assertThat(said.lines().filter(l -> l.startsWith("define ")))
        .startsWith(
            "define every 5 [I/O] [#d04040] 70 ALLOC 0 [] [Memory given out] [u64 size; str"
                + " owner;]",
            "define every 5 [I/O] [#d04040] 0 READ 1 [] [Reading a block] [u32 block;]",
            "define every 5 [I/O] [#d04040] 1 READ_DONE 2 [READ] [READ_DONE] [str result;]")
        .contains(
            "define every 5 [I/O] [#d04040] 7 WAIT 0 [] [the end */ /* of \" \\u0041 Ünïcode ??/"
                + " @see <b> \\] []")
        .filteredOn(l -> l.contains(" OFF "))
        .as("asked again while there is no number")
        .hasSize(2);
  }

  @Test
  void macrosAreEnoughWithoutTheLibrary() throws IOException, InterruptedException {
    compiledAndRun(
        "gcc", "-std=c11", "#include \"every.h\"\nint main(void) { return TRACE_SUBSYS_FLOAT; }\n");
  }

  @Test
  void namesThatAreOneInC() throws DefinitionException {
    Definitions definitions =
        DefinitionFileReader.parse(
            "x",
            "subsystem a { event B_c \"\",\nevent b_C \"\", };\nsubsystem a_b { event c \"\", };");
    assertThatThrownBy(() -> Generator.cHeader().generate(definitions))
        .hasMessage(
            """
            x:2:7: 'b_C' and 'B_c' (line 1) are the same C macro 'TRACE_EVENT_A_B_C'; rename one of them
            x:3:23: 'c' and 'B_c' (line 1) are the same C macro 'TRACE_EVENT_A_B_C'; rename one of them\
            """);
  }
}
