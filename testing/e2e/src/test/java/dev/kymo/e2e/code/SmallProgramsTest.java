package dev.kymo.e2e.code;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import dev.kymo.e2e.kit.Uftrace;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.model.timeline.Track;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Small C and C++ programs, one for each way in which functions are called, left, interrupted or
 * never come back. The first comment of each says how often which function is called; uftrace, if
 * it is installed, has to report the same for those it can follow.
 */
@Tag("instructions")
class SmallProgramsTest {
  private static final Path SOURCES = Path.of("src/native/small").toAbsolutePath();
  private static final Pattern EXPECTED =
      Pattern.compile("([^,]+?) (\\d+)(?:, |\\s*\\*/|\\s*$)", Pattern.MULTILINE);

  @TempDir Path folder;

  static Stream<String> programs() throws IOException {
    try (Stream<Path> files = Files.list(SOURCES)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("programs")
  void everyCallIsCounted(String name) throws Exception {
    String source = Files.readString(SOURCES.resolve(name));
    Path program = compile(name, words(line(source, "options")));
    Kymo.Result plain = Kymo.exec(folder, program.toString());
    assertThat(plain.exit()).isEqualTo(Integer.parseInt("0" + line(source, "exit")));
    Map<String, Long> expected = expected(source, plain.out());

    Path recording = folder.resolve("r.kymo");
    Kymo.Result result =
        Kymo.runIn(
            folder,
            Map.of(),
            "",
            "record",
            "-q",
            "--no-index",
            "--when-full",
            "block",
            "-o",
            recording.toString(),
            "--",
            program.toString());
    assertThat(result.exit()).isEqualTo(plain.exit());
    if (expected.size() == expected(source, "").size()) {
      assertThat(result.out()).isEqualTo(plain.out());
    }
    assertThat(calls(recording)).containsAllEntriesOf(expected(source, result.out()));
    String differs = line(source, "uftrace");
    if (differs.isEmpty() && Files.isExecutable(Path.of("/usr/bin/uftrace"))) {
      Map<String, Long> others = Uftrace.calls(folder, List.of(program.toString()));
      assertThat(others).as("uftrace").containsAllEntriesOf(expected(source, ""));
    }
  }

  private Path compile(String name, List<String> options) throws Exception {
    NativePrograms.assumeInstalled();
    boolean plus = name.endsWith(".cc");
    List<String> command = new ArrayList<>(List.of(plus ? "g++" : "gcc", "-O0", "-g", "-pthread"));
    command.addAll(List.of("-Wall", "-Wextra", "-Werror", "-finstrument-functions"));
    command.add("-finstrument-functions-exclude-file-list=/usr/");
    command.addAll(options);
    Path program = folder.resolve(name.replaceAll("\\..*", ""));
    command.addAll(List.of("-o", program.toString(), SOURCES.resolve(name).toString()));
    Kymo.Result result = Kymo.exec(folder, command.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isZero();
    return program;
  }

  /**
   * What follows a word at the beginning of a line of the first comment; empty if there is no such
   * line.
   */
  private static String line(String source, String word) {
    String comment = source.substring(0, source.indexOf("*/"));
    Matcher line = Pattern.compile("(?m)^[/ ]\\*? ?" + word + ": (.*)$").matcher(comment);
    return line.find() ? line.group(1).strip() : "";
  }

  private static List<String> words(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(" "));
  }

  /** How often functions are called: by the comment, and by the program's own output. */
  private static Map<String, Long> expected(String source, String out) {
    Map<String, Long> expected = new TreeMap<>();
    Matcher each = EXPECTED.matcher(line(source, "calls"));
    while (each.find()) {
      expected.put(each.group(1), Long.parseLong(each.group(2)));
    }
    for (String line : out.lines().toList()) {
      String[] words = line.split(" ");
      expected.put(words[0], Long.parseLong(words[1]));
    }
    assertThat(expected).isNotEmpty();
    return expected;
  }

  /** By name. Calls that a child made by fork is in when it begins count as called. */
  private static Map<String, Long> calls(Path recording) throws Exception {
    Map<String, Long> calls = new TreeMap<>();
    try (Timeline timeline = Timelines.open(recording, (done, all) -> {})) {
      assertThat(timeline.oddities()).isEmpty();
      for (Track track : timeline.tracks()) {
        assertThat(track.lost()).isZero();
        timeline.slices(
            track.id(),
            0,
            timeline.duration() + 1,
            0,
            (depth, method, begin, end, count, flags) ->
                calls.merge(timeline.method(method).qualifiedName(), count, Long::sum));
      }
    }
    return calls;
  }
}
