package dev.kymo.e2e.instructions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Classes that the agent cannot weave are left alone: the program sees what it would have seen
 * without the agent.
 */
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

  static List<Jdk> jdksWithSecurityManager() {
    return Jdk.all().stream().filter(jdk -> jdk.feature() < 24).toList();
  }

  /** Threads without permissions are recorded all the same, even if {@code System.err} throws. */
  @ParameterizedTest
  @MethodSource("jdksWithSecurityManager")
  void nothingIsThrownIntoAProgramWithASecurityManager(Jdk jdk) throws Exception {
    Path policy = folder.resolve("all.policy");
    Files.writeString(policy, "grant { permission java.security.AllPermission; };");
    List<String> program =
        List.of(
            jdk.java().toString(),
            "-Djava.security.manager",
            "-Djava.security.policy=" + policy,
            "-cp",
            Programs.CLASSES.toString(),
            "Restricted");
    Kymo.Result plain = Kymo.exec(folder, program.toArray(String[]::new));
    assertThat(plain.exit()).isEqualTo(3);
    Path recording = folder.resolve("restricted.kymo");
    assertThat(Kymo.run(record(recording, List.of("-q", "--strict"), program))).isEqualTo(plain);
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.calls("Restricted$Worker.run")).isEqualTo(3);
      assertThat(recorded.calls("Restricted.add")).isEqualTo(300);
      assertThat(recorded.unbalanced.keySet()).as("it exits").allMatch(s -> s.contains(".main"));
    }
  }

  /** A policy that leaves the agent no rights: the agent says what to do, and the program runs. */
  @ParameterizedTest
  @MethodSource("jdksWithSecurityManager")
  void aPolicyThatForbidsTheAgentIsNamed(Jdk jdk) throws Exception {
    List<String> program =
        List.of(
            jdk.java().toString(),
            "-Djava.security.manager",
            "-cp",
            Programs.CLASSES.toString(),
            "Broken$Victim");
    Kymo.Result result = Kymo.run(record(folder.resolve("none.kymo"), List.of(), program));
    assertThat(result.exit()).isEqualTo(1); // no main method
    assertThat(result.err())
        .contains(
            "the program's security policy must grant java.security.AllPermission to the agent's"
                + " jar");
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void aProgramWithoutStandardError(Jdk jdk) throws Exception {
    Path recording = folder.resolve("closed.kymo");
    String java = "'%s' -cp '%s' Nameless 2>&-".formatted(jdk.java(), Programs.CLASSES);
    Kymo.Result result =
        Kymo.run(record(recording, List.of("-q", "-v"), List.of("sh", "-c", java)));
    assertThat(result.exit()).isZero();
    assertThat(result.out()).startsWith("Nameless$Work\n");
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.calls("Nameless.main")).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void classesThatAreDefinedWithoutAName(Jdk jdk) throws Exception {
    List<String> program =
        List.of(jdk.java().toString(), "-cp", Programs.CLASSES.toString(), "Nameless");
    Kymo.Result plain = Kymo.exec(folder, program.toArray(String[]::new));
    assertThat(plain.exit()).as(plain.err()).isZero();
    Path recording = folder.resolve("nameless.kymo");
    assertThat(Kymo.run(record(recording, List.of("-q"), program))).isEqualTo(plain);
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.calls("Nameless$Work.run")).isEqualTo(20);
    }
  }

  private static String[] record(Path recording, List<String> options, List<String> program) {
    List<String> arguments = new ArrayList<>(List.of("record", "-o", recording.toString()));
    arguments.addAll(options);
    arguments.add("--");
    arguments.addAll(program);
    return arguments.toArray(String[]::new);
  }
}
