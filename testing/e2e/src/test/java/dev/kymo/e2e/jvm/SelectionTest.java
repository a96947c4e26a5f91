package dev.kymo.e2e.jvm;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The program is recorded, or what is named; what cannot be recorded is reported. */
class SelectionTest {
  @TempDir Path folder;

  static List<Jdk> jdks() {
    return Jdk.all();
  }

  /** Also classes that the recorder uses itself: its own calls do not belong to the program. */
  @ParameterizedTest
  @MethodSource("jdks")
  void classesOfTheJdkThatAreNamed(Jdk jdk) throws Exception {
    Path recording = folder.resolve("jdk.kymo");
    Kymo.Result result =
        record(
            recording,
            jdk,
            List.of(
                "--strict", "--waits", "off", "--jvm-events", "off", "--include", "java.util.*"),
            "Collecting");
    assertThat(result).isEqualTo(new Kymo.Result(0, "1000 1000\n", ""));
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.timeline.oddities()).isEmpty();
      assertThat(recorded.calls("java.util.PriorityQueue.offer")).isEqualTo(1000);
      assertThat(recorded.calls("java.util.BitSet.set")).isEqualTo(1000);
      assertThat(recorded.calls("java.util.HashMap.computeIfAbsent"))
          .as("the program's, and a few of the JDK's")
          .isBetween(4000L, 4100L);
      assertThat(recorded.calls.keySet()).allMatch(name -> name.startsWith("java.util."));
      assertThat(recorded.tracks()).noneMatch(track -> track.name().startsWith("kymo"));
    }
    assertThat(Kymo.run("info", recording.toString()).out())
        .contains("classes are not recorded, because recording itself needs them: classes=")
        .contains("java.util.Objects")
        .containsPattern("native or the JIT compiler .* class=java.util.Arrays methods=copyOf");
  }

  /** Whatever is named, the program behaves as it does without recording. */
  @ParameterizedTest
  @MethodSource("jdks")
  void everything(Jdk jdk) throws Exception {
    Path recording = folder.resolve("all.kymo");
    Kymo.Result result =
        record(
            recording,
            jdk,
            List.of("--strict", "--when-full", "block", "--waits", "on", "--include", "**"),
            "Collecting");
    assertThat(result).isEqualTo(new Kymo.Result(0, "1000 1000\n", ""));
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.calls("Collecting.collect")).isEqualTo(4);
      assertThat(recorded.calls("java.util.PriorityQueue.offer")).isGreaterThanOrEqualTo(1000);
      assertThat(recorded.calls.keySet())
          .noneMatch(name -> name.startsWith("java.lang.") || name.startsWith("dev.kymo."));
    }
  }

  /**
   * Probes must not make a method longer than what HotSpot compiles: many returns share one leave;
   * if even that does not fit, the method is named.
   */
  @ParameterizedTest
  @MethodSource("jdks")
  void methodsThatAreLongAlready(Jdk jdk) throws Exception {
    String cases =
        IntStream.range(0, 700).mapToObj("case %1$d: return %1$d;"::formatted).collect(joining());
    Path source =
        Files.writeString(
            folder.resolve("Long.java"),
            """
            class Long {
              static int full(int x) { %s return x; }
              static int many(int x) { switch (x) { %s default: throw new IllegalStateException(); } }
              public static void main(String[] args) {
                long sum = 0;
                for (int i = 0; i < 7000; i++) {
                  sum += many(i %% 700) + full(1);
                }
                try {
                  many(700);
                } catch (IllegalStateException e) {
                  System.out.println(sum);
                }
              }
            }
            """
                .formatted("x++;".repeat(2660), cases));
    Programs.compile(source, 17, folder);
    Path recording = folder.resolve("long.kymo");
    Kymo.Result result =
        Kymo.run(
            "record",
            "-q",
            "--strict",
            "-o",
            recording.toString(),
            "--",
            jdk.java().toString(),
            "-cp",
            folder.toString(),
            "Long");
    assertThat(result).isEqualTo(new Kymo.Result(0, 10 * 699 * 350 + 7000 * 2661 + "\n", ""));
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.timeline.oddities()).isEmpty();
      assertThat(recorded.calls("Long.many")).isEqualTo(7001);
      assertThat(recorded.unwound).containsEntry("Long.many", 1L);
      assertThat(recorded.calls("Long.full")).isZero();
    }
    assertNamesWhatDoesNotFit(recording);
  }

  private static void assertNamesWhatDoesNotFit(Path recording) throws Exception {
    assertThat(Kymo.run("info", recording.toString()).out())
        .contains("probes do not fit into them: class=Long methods=full");
    assertThat(Kymo.run("report", recording.toString()).out())
        .contains("\nnot recorded, so their time is in their callers' self: Long.full\n")
        .doesNotContain("at least");
    assertThat(Kymo.run("report", "--json", recording.toString()).out())
        .contains("\"notRecorded\" : [ {\n    \"method\" : \"Long.full\",");
    String unfit = "SELECT name, not_recorded FROM methods WHERE not_recorded IS NOT NULL";
    assertThat(Kymo.run("query", "--format", "csv", recording.toString(), unfit).out().lines())
        .satisfiesExactly(
            head -> assertThat(head).isEqualTo("name,not_recorded"),
            row ->
                assertThat(row)
                    .matches(
                        "Long.full,it cannot be recorded: its probes do not fit into it:"
                            + " bytes=79\\d\\d returns=1"));
  }

  @Test
  void whatNamesNothingIsTold() throws Exception {
    Path recording = folder.resolve("nothing.kymo");
    Kymo.Result result =
        record(
            recording,
            Jdk.running(),
            List.of("--include", "Collecting", "--include", "nosuch.**", "--stop-on", "nothing"),
            "Collecting");
    assertThat(result.exit()).isZero();
    assertThat(result.err().lines())
        .containsExactly(
            "kymo: no class or method that can be recorded was there: --include nosuch.**",
            "kymo: the event was not there: --stop-on nothing");
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void otherAgentsAreNoPartOfTheProgram(Jdk jdk) throws Exception {
    Path jar = folder.resolve("beside.jar");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(new Attributes.Name("Premain-Class"), "Beside");
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out, manifest)) {
      entries.putNextEntry(new JarEntry("Beside.class"));
      Files.copy(Programs.CLASSES.resolve("Beside.class"), entries);
    }
    Path classes = Files.createDirectory(folder.resolve("classes"));
    try (var files = Files.newDirectoryStream(Programs.CLASSES, "Collecting*.class")) {
      for (Path file : files) {
        Files.copy(file, classes.resolve(file.getFileName()));
      }
    }
    List<String> program =
        List.of(jdk.java() + "", "-javaagent:" + jar, "-cp", classes + "", "Collecting");
    Path recording = folder.resolve("beside.kymo");
    Kymo.Result result = run(recording, List.of("-q"), program);
    assertThat(result.out()).startsWith("agent 36\n");
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.calls("Collecting.collect")).isEqualTo(4);
      assertThat(recorded.calls.keySet()).noneMatch(name -> name.startsWith("Beside"));
    }
    Path named = folder.resolve("named.kymo");
    run(named, List.of("-q", "--include", "Beside"), program);
    try (Recorded recorded = new Recorded(named)) {
      assertThat(recorded.calls("Beside.square")).isEqualTo(1);
    }
  }

  private static Kymo.Result record(Path recording, Jdk jdk, List<String> options, String program)
      throws Exception {
    List<String> all = new ArrayList<>(List.of("-q"));
    all.addAll(options);
    return run(
        recording,
        all,
        List.of(jdk.java().toString(), "-cp", Programs.CLASSES.toString(), program));
  }

  private static Kymo.Result run(Path recording, List<String> options, List<String> program)
      throws Exception {
    List<String> arguments = new ArrayList<>(List.of("record", "-o", recording.toString()));
    arguments.addAll(options);
    arguments.add("--");
    arguments.addAll(program);
    return Kymo.run(arguments.toArray(String[]::new));
  }
}
