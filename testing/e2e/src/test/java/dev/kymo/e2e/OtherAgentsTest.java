package dev.kymo.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.BesideAgent.Way;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What another agent finds out about a program is the same with Kymo, whichever comes first. */
class OtherAgentsTest {
  private static final Path PEERS = Path.of("target/peers").toAbsolutePath();
  private static final List<String> COVERED =
      List.of("-cp", Programs.CLASSES.toString(), "Covered");

  @TempDir Path folder;

  static List<Jdk> jdks() {
    return Jdk.all();
  }

  static Stream<Arguments> ways() {
    return Jdk.all().stream()
        .flatMap(jdk -> Stream.of(Way.values()).map(way -> Arguments.of(jdk, way)));
  }

  /** Both orders of two agents, with Kymo's jar alone. */
  static Stream<Arguments> orders() {
    return Jdk.all().stream()
        .flatMap(
            jdk -> Stream.of(Way.KYMO_FIRST, Way.KYMO_LAST).map(way -> Arguments.of(jdk, way)));
  }

  private static String peer(String jar) {
    Path file = PEERS.resolve(jar);
    assumeTrue(Files.exists(file), "skipped: not there, Maven did not fetch it: " + jar);
    return "-javaagent:" + file;
  }

  /** Kymo has no class where others look, and opens nothing of the JDK to the program. */
  @ParameterizedTest
  @MethodSource("ways")
  void anAgentThatLooksAtAllClassFiles(Jdk jdk, Way way) throws Exception {
    BesideAgent both = new BesideAgent(folder, jdk, "-javaagent:" + watcher(), COVERED);
    Kymo.Result plain = both.plain(folder.resolve("plain"));
    assertThat(plain.out()).contains("seen Covered$Circle ", "open: false");
    assertThat(both.beside(way)).isEqualTo(plain);
    assertRecorded(both.recording(way));
  }

  private Path watcher() throws Exception {
    Programs.compile(Path.of("src/agents/Watcher.java"), 17, folder, "");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(new Attributes.Name("Premain-Class"), "Watcher");
    Path jar = folder.resolve("watcher.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest);
        Stream<Path> classes = Files.list(folder)) {
      for (Path type : classes.filter(name -> name.toString().endsWith(".class")).toList()) {
        out.putNextEntry(new JarEntry(type.getFileName().toString()));
        Files.copy(type, out);
      }
    }
    return jar;
  }

  /**
   * Its coverage, to each probe; and the classes' numbers, which are checksums of their files. Of
   * Kymo it finds only the class that the virtual machine itself loads from the agent's jar, if it
   * is there before.
   */
  @Tag("peers")
  @ParameterizedTest
  @MethodSource("ways")
  void jacoco(Jdk jdk, Way way) throws Exception {
    String agent = peer("org.jacoco.agent-runtime.jar") + "=destfile=run.exec";
    BesideAgent both = new BesideAgent(folder, jdk, agent, COVERED);
    Kymo.Result plain = both.plain(folder.resolve("plain"));
    List<String> coverage = JacocoFile.classes(folder.resolve("plain/run.exec"));
    assertThat(coverage).anyMatch(type -> type.contains(" Covered "));
    assertThat(both.beside(way)).isEqualTo(plain);
    assertThat(JacocoFile.classes(both.of(way).resolve("run.exec")))
        .filteredOn(type -> !(way.isLast() && type.contains(" dev/kymo/agent/AgentMain ")))
        .isEqualTo(coverage);
    assertRecorded(both.recording(way));
  }

  /** Advice of all methods that there are prints their names. */
  @Tag("peers")
  @ParameterizedTest
  @MethodSource("orders")
  void aspectj(Jdk jdk, Way way) throws Exception {
    String agent = peer("aspectjweaver.jar");
    Path aspects = Files.createDirectory(folder.resolve("aspects"));
    String weaver = PEERS.resolve("aspectjweaver.jar").toString();
    Programs.compile(Path.of("src/agents/Trace.java"), 17, aspects, weaver);
    Files.createDirectory(aspects.resolve("META-INF"));
    Files.writeString(
        aspects.resolve("META-INF/aop.xml"),
        "<aspectj><aspects><aspect name='Trace'/></aspects></aspectj>");
    String path = String.join(":", Programs.CLASSES.toString(), aspects.toString(), weaver);
    BesideAgent both = new BesideAgent(folder, jdk, agent, List.of("-cp", path, "Covered"));
    Kymo.Result plain = both.plain(folder.resolve("plain"));
    assertThat(plain.out()).contains("advice int Covered.area(Covered.Shape)\n");
    Kymo.Result recorded = both.beside(way);
    assertThat(recorded.exit()).isZero();
    assertThat(recorded.out().lines().sorted()).isEqualTo(plain.out().lines().sorted().toList());
    assertRecorded(both.recording(way));
  }

  @Tag("peers")
  @ParameterizedTest
  @MethodSource("orders")
  void byteman(Jdk jdk, Way way) throws Exception {
    Path rules =
        Files.writeString(
            folder.resolve("rules.btm"),
            """
            RULE before
            CLASS Covered
            METHOD area
            AT ENTRY
            IF TRUE
            DO System.out.println("rule before " + $1)
            ENDRULE
            RULE after
            CLASS Covered$Circle
            METHOD area
            AT EXIT
            IF TRUE
            DO System.out.println("rule after " + $!)
            ENDRULE
            """);
    String agent = peer("byteman.jar") + "=script:" + rules;
    BesideAgent both = new BesideAgent(folder, jdk, agent, COVERED);
    Kymo.Result plain = both.plain(folder.resolve("plain"));
    assertThat(plain.out()).contains("rule before Circle[radius=3]\nrule after 27\n");
    assertThat(both.beside(way)).isEqualTo(plain);
    assertRecorded(both.recording(way));
  }

  private static void assertRecorded(Path recording) throws Exception {
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.calls("Covered.area")).isEqualTo(3);
      assertThat(recorded.unbalanced).isEmpty();
    }
  }
}
