package dev.kymo.e2e.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Shell;
import dev.kymo.kernel.KernelException;
import dev.kymo.kernel.Tracefs;
import dev.kymo.testkit.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs every command line of {@code kymo} that stands in docs/ and the README, in a folder that has
 * what they speak of. What they print is looked at elsewhere; here each must do what it is there
 * for, and succeed. Pages whose lines follow from one another are run as a whole by {@link
 * DocumentedCommandsTest}.
 */
@Tag("kernel")
@Tag("documents")
class DocumentedLinesTest {
  private static final Path SOURCES = SourceTree.path("testing/e2e/src/documents").toAbsolutePath();
  private static final Pattern COMMAND = Pattern.compile(" {4}(?:(sudo) )?(?:\\./)?(kymo .*)");
  private static final Pattern COMMENT = Pattern.compile("  +# .*$");

  /** A place in somebody's recording. */
  private static final Pattern PLACE =
      Pattern.compile("\\b\\d+/\\d+(:\\d+)?@\\d+\\.\\d+(\\+\\d+\\.\\d+)?");

  private static final String SOME_PLACE =
      "\\$(kymo report run.kymo | grep -o '[0-9]*/[0-9]*:[0-9]*@[0-9.]*' | head -1)";

  /** Begins of lines that need more than a folder, by what they have; and the test that has it. */
  private static final Map<String, String> ELSEWHERE =
      Map.ofEntries(
          Map.entry("kymo demo", "DemoTest"),
          Map.entry("kymo machine", "MachineTest"),
          Map.entry("boot.kymo", "MachineTest"),
          Map.entry("kymo daemon", "KernelDaemonRecordTest"),
          Map.entry("kymo listen", "NetworkTest"),
          Map.entry("kymo trust", "NetworkTest"),
          Map.entry("--to receiver:7700", "NetworkTest"),
          Map.entry("--to localhost:7700", "NetworkTest"),
          Map.entry("kafka:", "KafkaTest"),
          Map.entry("traces/", "HostsTest"),
          Map.entry("--engine spark", "SparkTest"),
          Map.entry("pgrep -P", "ContainerTest"),
          Map.entry("qemu-aarch64", "Arm64Test"),
          Map.entry("-XX:AOTCache", "ArchivesTest"),
          Map.entry("--pid $!", "NativeAttachTest"),
          Map.entry("run.log", "ServeLogTest"));

  @TempDir Path folder;

  private record Line(String page, int number, String command) {
    String place() {
      return page + ":" + number + ": " + command;
    }
  }

  @Test
  void eachDoesWhatItIsThereFor() throws Exception {
    Path world = Files.createDirectory(folder.resolve("world"));
    Shell shell = new Shell(Files.createDirectory(folder.resolve("bin")));
    Map<String, String> environment = environment(shell);
    Kymo.Result made = shell.script(world, environment, ". '" + SOURCES.resolve("world.sh") + "'");
    assertThat(made.exit()).as(made.err()).isZero();
    List<List<Line>> blocks = blocks();
    assertThat(blocks.stream().mapToInt(List::size).sum()).isGreaterThan(150);
    Set<String> done = new HashSet<>();
    List<String> wrong = new ArrayList<>();
    for (List<Line> block : blocks) {
      Path page = folder.resolve("page");
      Kymo.exec(folder, "rm", "-rf", page.toString());
      Kymo.exec(folder, "cp", "-al", world.toString(), page.toString());
      for (Line line : block) {
        // What only reads has been asked of the same recording.
        boolean again = !line.command.contains("record") && !done.add(line.command);
        Optional<String> missing = missing(line, page);
        missing.ifPresent(what -> System.out.println("SKIPPED " + line.place() + ": " + what));
        if (!again && missing.isEmpty()) {
          Kymo.Result result = shell.script(page, environment, script(line));
          if (result.exit() != 0) {
            wrong.add("%s%n%s%s".formatted(line.place(), result.out(), result.err()));
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void whatRunsElsewhereIsThere() throws IOException {
    try (Stream<Path> tests = Files.walk(SourceTree.path("testing/e2e/src/test/java"))) {
      assertThat(tests.map(test -> String.valueOf(test.getFileName())))
          .containsAll(ELSEWHERE.values().stream().map(test -> test + ".java").toList());
    }
  }

  private static Map<String, String> environment(Shell shell) throws Exception {
    Map<String, String> all = new HashMap<>(shell.variables());
    all.put("SOURCES", SOURCES.toString());
    all.put("SOURCE", SourceTree.path("").toAbsolutePath().normalize().toString());
    Path samples = SourceTree.path("../shared/samples").toAbsolutePath().normalize();
    all.put("SHARED", samples.toString());
    all.put("API", Kymo.INSTALLATION.resolve("api/kymo-api.jar").toString());
    return all;
  }

  /** What a line needs that is not there, or who else runs it. */
  private static Optional<String> missing(Line line, Path folder) {
    for (Map.Entry<String, String> each : ELSEWHERE.entrySet()) {
      if (line.command.contains(each.getKey())) {
        return Optional.of("run by " + each.getValue());
      }
    }
    for (String sample : List.of("trace.dat", "kernel.dat", "demo.1.log", "npc_1_1_0_8.0.log")) {
      if (line.command.contains(sample) && !Files.exists(folder.resolve(sample))) {
        return Optional.of("no sample " + sample);
      }
    }
    boolean qemu = Files.exists(folder.resolve("instructions.kymo"));
    if (!qemu && (line.page.equals("instructions.md") || line.command.contains("--instructions"))) {
      return Optional.of("not installed: qemu-x86_64");
    }
    if (line.command.contains("record --kernel")) {
      try {
        Tracefs.find();
      } catch (KernelException e) {
        return Optional.of(String.valueOf(e.getMessage()));
      }
    }
    return Optional.empty();
  }

  private static String script(Line line) {
    String command = COMMENT.matcher(line.command).replaceFirst("");
    command = PLACE.matcher(command).replaceAll(SOME_PLACE);
    StringBuilder script = new StringBuilder("set -e\n. '" + SOURCES.resolve("reader.sh") + "'\n");
    if (command.contains(" 4711")) {
      script.append(command.contains("ctl 4711") ? "app recorded\n" : "app\n");
      command = command.replace(" 4711", " $app");
    }
    Matcher output = Pattern.compile(" -o ([^- ]\\S*\\.kymo)").matcher(command);
    if (output.find()) {
      script.append("rm -rf ").append(output.group(1)).append('\n');
    }
    if (line.page.equals("instructions.md") && !command.contains("record")) {
      script.append("rm -rf run.kymo; cp -r instructions.kymo run.kymo\n");
    }
    script.append(command);
    // Rules and gates of the pages need not be kept by a program that was made for the test.
    boolean judges = command.startsWith("kymo check") || command.contains("--gate");
    return script.append(judges ? " || [ $? = 3 ]\n" : "\n").toString();
  }

  /** Lines that stand together, which may follow from one another. */
  private static List<List<Line>> blocks() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(SourceTree.path("README.md")));
    try (Stream<Path> files = Files.list(SourceTree.path("docs"))) {
      files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    List<List<Line>> blocks = new ArrayList<>();
    for (Path page : pages) {
      blocks(page, blocks);
    }
    return blocks;
  }

  private static void blocks(Path page, List<List<Line>> into) throws IOException {
    List<String> text = Files.readAllLines(page);
    boolean together = false;
    for (int i = 0; i < text.size(); i++) {
      Matcher command = COMMAND.matcher(text.get(i));
      if (!command.matches()) {
        together &= text.get(i).startsWith("    ");
        continue;
      }
      int number = i + 1;
      StringBuilder all = new StringBuilder(command.group(2));
      while (goesOn(all)) {
        i++;
        all.append('\n').append(text.get(i).strip());
      }
      if (!together) {
        into.add(new ArrayList<>());
      }
      together = true;
      String name = String.valueOf(page.getFileName());
      into.getLast().add(new Line(name, number, all.toString().replace("\\\n", "")));
    }
  }

  private static boolean goesOn(CharSequence command) {
    String plain = command.toString().replaceAll("'[^']*'", "");
    return plain.endsWith("\\") || plain.chars().filter(c -> c == '"').count() % 2 == 1;
  }
}
