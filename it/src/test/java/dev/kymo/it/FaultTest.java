package dev.kymo.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the agent cannot weave is left alone: the program sees what it would have seen without. */
class FaultTest {
  @TempDir Path folder;

  static List<Jdk> jdks() {
    return Jdk.all();
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void brokenClassesFailAsTheyDoUnrecorded(Jdk jdk) throws Exception {
    List<String> program =
        List.of(jdk.java().toString(), "-cp", Programs.CLASSES.toString(), "Broken");
    Kymo.Result plain = Kymo.exec(folder, program.toArray(String[]::new));
    Path recording = folder.resolve("broken.kymo");
    Kymo.Result result = Kymo.run(record(recording, List.of("-q"), program));
    assertThat(result).isEqualTo(plain);
    assertThat(result.out()).startsWith("victim 42\njava.lang.");
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.calls("Broken.load")).isEqualTo(4);
      assertThat(recorded.calls("Broken$Victim.toString")).isEqualTo(1);
    }
    assertThat(Kymo.run("info", recording.toString()).out())
        .contains("class is not recorded: class=Broken$Victim error=");
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void strictMakesAFaultTheEnd(Jdk jdk) throws Exception {
    List<String> program =
        List.of(jdk.java().toString(), "-cp", Programs.CLASSES.toString(), "Broken");
    Kymo.Result result =
        Kymo.run(record(folder.resolve("strict.kymo"), List.of("-q", "--strict"), program));
    assertThat(result.exit()).isEqualTo(70);
    assertThat(result.err())
        .startsWith(
            "kymo: weaving failed: class=Broken$Victim, recording of this process stops: java.lang.");
  }

  private static String[] record(Path recording, List<String> options, List<String> program) {
    List<String> arguments = new ArrayList<>(List.of("record", "-o", recording.toString()));
    arguments.addAll(options);
    arguments.add("--");
    arguments.addAll(program);
    return arguments.toArray(String[]::new);
  }
}
