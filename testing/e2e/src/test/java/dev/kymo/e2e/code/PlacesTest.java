package dev.kymo.e2e.code;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import dev.kymo.testkit.SourceTree;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The functions that libkymo finds at code addresses; {@code nm} and {@code readelf} know them,
 * too.
 */
@Tag("packages")
class PlacesTest {
  private static final Path SOURCE = Path.of("src/native/places.c").toAbsolutePath();
  private static final Path PLUGIN = Path.of("src/native/plugin.c").toAbsolutePath();
  private static final Path LIBRARY =
      SourceTree.path("recording/native/src").toAbsolutePath().normalize();

  @TempDir Path folder;
  private Path program = Path.of("");

  @BeforeEach
  void name() throws Exception {
    folder = folder.toRealPath();
    program = folder.resolve("places");
  }

  private void compile(String... more) throws Exception {
    List<String> options = new ArrayList<>(List.of("-D_GNU_SOURCE", "-I" + LIBRARY, "-ldl"));
    for (String file :
        List.of("base/modules.c", "base/symbols.c", "base/guest.c", "base/private.c")) {
      options.add(LIBRARY.resolve(file).toString());
    }
    options.addAll(List.of(more));
    NativePrograms.compile(SOURCE, program, options.toArray(String[]::new));
  }

  private Path plugin(String name, int number) throws Exception {
    Path file = folder.resolve(name);
    return NativePrograms.compile(PLUGIN, file, "-shared", "-fPIC", "-DN=" + number);
  }

  private String tool(String... command) throws Exception {
    Kymo.Result result = Kymo.exec(folder, command);
    assertThat(result.exit()).as(String.join(" ", command) + "\n" + result.err()).isZero();
    return result.out();
  }

  private List<String> run(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    Kymo.Result result = Kymo.exec(folder, command.toArray(String[]::new));
    assertThat(result.err()).isEmpty();
    assertThat(result.exit()).isZero();
    return result.out().lines().toList();
  }

  /** The words after the first of a line. */
  private static Map<String, String> facts(List<String> lines, String what) {
    Map<String, String> facts = new HashMap<>();
    String line = lines.stream().filter(l -> l.startsWith(what + " ")).findFirst().orElseThrow();
    Arrays.stream(line.split(" "))
        .skip(1)
        .map(word -> word.split("=", 2))
        .forEach(pair -> facts.put(pair[0], pair[1]));
    return facts;
  }

  private static String fact(List<String> lines, String what, String name) {
    return String.valueOf(facts(lines, what).get(name));
  }

  private String address(Path file, String symbol) throws Exception {
    String[] line =
        tool("nm", file.toString())
            .lines()
            .filter(l -> l.endsWith(" " + symbol))
            .findFirst()
            .orElseThrow()
            .split(" ");
    return Long.toHexString(Long.parseLong(line[0], 16));
  }

  private String buildId(Path file) throws Exception {
    String notes = tool("readelf", "-n", file.toString());
    return notes.contains("Build ID: ") ? notes.split("Build ID: ")[1].split("\n")[0] : "";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-pie",
        "-no-pie",
        "-DKYMO_OLD_LOADER",
        "-fsanitize=address,undefined",
        "-Wl,--build-id=none"
      })
  void functionsOfProgramAndLibraries(String option) throws Exception {
    compile(option);
    List<String> lines = run("own", "unknown");
    for (String name : List.of("shown", "hidden")) {
      assertThat(facts(lines, name))
          .isEqualTo(
              Map.of(
                  "module",
                  "1",
                  "program",
                  "1",
                  "path",
                  program.toString(),
                  "build",
                  buildId(program),
                  "address",
                  address(program, name),
                  "symbol",
                  name + "+0"));
    }
    assertThat(fact(lines, "inside", "symbol")).isEqualTo("shown+1");
    assertThat(fact(lines, "label", "symbol")).isEqualTo("assembler_label+0");
    assertThat(fact(lines, "label-inside", "symbol")).isEqualTo("assembler_label+1");
    assertThat(facts(lines, "library")).containsEntry("module", "2").containsEntry("program", "0");
    assertThat(fact(lines, "library", "symbol")).endsWith("qsort+0");
    assertThat(lines).contains("anonymous none", "null none", "vdso none");
  }

  @Test
  void strippedPrograms() throws Exception {
    compile("-rdynamic");
    String build = buildId(program);
    tool("strip", "-x", program.toString());
    List<String> lines = run("own");
    assertThat(fact(lines, "shown", "symbol")).isEqualTo("shown+0");
    assertThat(fact(lines, "hidden", "symbol")).startsWith("assembler_label+");
    tool("strip", program.toString());
    lines = run("own");
    assertThat(fact(lines, "shown", "symbol")).isEqualTo("shown+0"); // it is exported
    assertThat(fact(lines, "shown", "build")).isEqualTo(build);

    compile();
    tool("strip", program.toString());
    lines = run("own");
    assertThat(fact(lines, "shown", "symbol")).isEqualTo("-");
    assertThat(fact(lines, "shown", "address")).isNotEqualTo("0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-O2", "-DKYMO_OLD_LOADER"})
  void anotherLibraryAtTheSamePlace(String option) throws Exception {
    compile(option);
    Path first = plugin("first.so", 1);
    Path second = plugin("second.so", 2);
    List<String> all = new ArrayList<>();
    for (String one : List.of("ask unloading", "unloading ask", "ask unloading")) {
      all.addAll(List.of("load", all.size() == 6 ? "./second.so" : "./first.so"));
      all.addAll(List.of(one.split(" ")));
      all.addAll(List.of("unload", "unloaded"));
    }
    List<String> lines = run(all.toArray(String[]::new));
    assertThat(lines).hasSize(3);
    List<Path> expected = List.of(first, second, first);
    for (int i = 0; i < 3; i++) {
      List<String> line = lines.subList(i, i + 1);
      assertThat(fact(line, "plugged", "path")).isEqualTo(expected.get(i).toString());
      assertThat(fact(line, "plugged", "build")).isEqualTo(buildId(expected.get(i)));
      assertThat(fact(line, "plugged", "symbol")).isEqualTo("plugged+0");
      assertThat(fact(line, "plugged", "module")).isEqualTo(i == 1 ? "2" : "1");
    }
  }

  @Test
  void filesThatAreNoLongerThose() throws Exception {
    compile();
    plugin("plugin.so", 1);
    plugin("other.so", 2);
    List<String> lines = run("load", "./plugin.so", "rename", "other.so", "plugin.so", "ask");
    assertThat(fact(lines, "plugged", "symbol")).isEqualTo("-");
    assertThat(fact(lines, "plugged", "build")).isEmpty();
    assertThat(fact(lines, "plugged", "path")).isEqualTo(folder + "/plugin.so");
    lines = run("load", "./plugin.so", "rename", "plugin.so", "gone.so", "ask");
    assertThat(fact(lines, "plugged", "symbol")).isEqualTo("plugged+0"); // the kernel knows it
  }

  @Test
  void childrenMadeWhileAnotherThreadAsks() throws Exception {
    compile();
    assertThat(run("fork")).containsExactly("children failed=0");
  }

  private static int symbolTable(ByteBuffer elf, int sections) {
    for (int at = sections; ; at += 64) {
      if (elf.getInt(at + 4) == 2) {
        return (int) elf.getLong(at + 24);
      }
    }
  }

  /** What the loader does not look at: sections, symbols, names. */
  @Test
  void damagedFiles() throws Exception {
    compile("-fsanitize=address,undefined", "-fno-sanitize-recover=all");
    Path whole = plugin("whole.so", 1);
    byte[] bytes = Files.readAllBytes(whole);
    ByteBuffer elf = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int sections = (int) elf.getLong(0x28);
    int symbols = symbolTable(elf, sections); // after it comes only what the loader does not read
    Random random = new Random(7);
    List<String> arguments = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      byte[] damaged = bytes.clone();
      int begin = i % 2 == 0 ? sections : symbols;
      for (int n = 0; n < 12; n++) {
        int at = begin + random.nextInt(bytes.length - begin);
        damaged[at] = (byte) (random.nextBoolean() ? 0xFF : random.nextInt());
      }
      Path file = folder.resolve("damaged" + i + ".so");
      Files.write(file, i % 10 == 9 ? Arrays.copyOf(damaged, sections + 70) : damaged);
      arguments.addAll(List.of("load", file.toString(), "ask", "unload"));
    }
    assertThat(run(arguments.toArray(String[]::new)).stream().filter(l -> l.startsWith("plugged ")))
        .hasSize(150);
    Files.copy(whole, folder.resolve("damaged0.so"), StandardCopyOption.REPLACE_EXISTING);
    assertThat(run("load", "./damaged0.so", "ask").getFirst()).endsWith("symbol=plugged+0");
  }
}
