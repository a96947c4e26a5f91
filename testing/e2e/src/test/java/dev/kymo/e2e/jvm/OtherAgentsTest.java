package dev.kymo.e2e.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.BesideAgent;
import dev.kymo.e2e.kit.BesideAgent.Way;
import dev.kymo.e2e.kit.JacocoFile;
import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.ListedJars;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What another agent finds out about a program is the same with Kymo, whichever comes first. */
class OtherAgentsTest {
  private static final Path PEERS = Path.of("target/peers").toAbsolutePath();
  private static final List<String> COVERED =
      List.of("-cp", Programs.CLASSES.toString(), "Twice", "Covered");

  private static final String SPAN = "LoggingSpanExporter - ";
  private static final String OPENTELEMETRY =
      "io.opentelemetry.javaagent:opentelemetry-javaagent:2.33.1";

  @TempDir Path folder;

  static List<Jdk> jdks() {
    return Jdk.all();
  }

  /** All ways. */
  static Stream<Arguments> ways() {
    return each(Way.values());
  }

  /** The ways in which both are there from the beginning. */
  static Stream<Arguments> starts() {
    return each(Way.KYMO_FIRST, Way.KYMO_LAST, Way.RECORDED, Way.RECORDED_LAST);
  }

  /** Both orders of two agents, with Kymo's jar alone. */
  static Stream<Arguments> ends() {
    return each(Way.KYMO_FIRST, Way.KYMO_LAST);
  }

  /** Both orders, and all that becomes of a running program. */
  static Stream<Arguments> changes() {
    return each(Way.KYMO_FIRST, Way.KYMO_LAST, Way.SWITCHED, Way.GONE);
  }

  /** Both orders of two agents, with Kymo's jar alone; and Kymo attached. */
  static Stream<Arguments> orders() {
    return each(Way.KYMO_FIRST, Way.KYMO_LAST, Way.ATTACHED, Way.GONE);
  }

  private static Stream<Arguments> each(Way... ways) {
    return Jdk.all().stream().flatMap(jdk -> Stream.of(ways).map(way -> Arguments.of(jdk, way)));
  }

  private static String peer(String jar) {
    Path file = PEERS.resolve(jar);
    assumeTrue(Files.exists(file), "skipped: not there, Maven did not fetch it: " + jar);
    return "-javaagent:" + file;
  }

  /** Kymo has no class where others look, and opens nothing of the JDK to the program. */
  @ParameterizedTest
  @MethodSource("starts")
  void anAgentThatLooksAtAllClassFiles(Jdk jdk, Way way) throws Exception {
    BesideAgent both = new BesideAgent(folder, jdk, "-javaagent:" + agent("Watcher"), COVERED);
    Kymo.Result plain = both.plain(folder.resolve("plain"));
    assertThat(plain.out()).contains("seen Covered$Circle ", "open: false");
    assertThat(both.beside(way)).isEqualTo(plain);
    assertRecorded(both, way);
  }

  /** Both change a class that is loaded, again and again, and each keeps what the other did. */
  @ParameterizedTest
  @MethodSource("changes")
  void anAgentThatChangesLoadedClasses(Jdk jdk, Way way) throws Exception {
    String agent = "-javaagent:" + agent("Changer");
    Path classes = Files.createDirectory(folder.resolve("changed"));
    String changer = folder.resolve("Changer").toString();
    Programs.compile(Path.of("src/agents/Changed.java"), 17, classes, changer);
    String path = String.join(":", Programs.CLASSES.toString(), classes.toString());
    BesideAgent both =
        new BesideAgent(folder, jdk, agent, List.of("-cp", path, "Twice", "Changed"));
    Kymo.Result plain = both.plain(folder.resolve("plain"));
    assertThat(plain.out()).contains("plain0\nother01\nthird012\n", "ready\nother0\n");
    assertThat(both.beside(way)).isEqualTo(plain);
    assertRecorded(both, way, "Changed$Text.say", 10);
  }

  /** It is not part of the program, wherever its classes come from. */
  @ParameterizedTest
  @MethodSource("ends")
  void anAgentWithClassLoadersOfItsOwn(Jdk jdk, Way way) throws Exception {
    Path jar = agent("Shaded");
    BesideAgent both = new BesideAgent(folder, jdk, "-javaagent:" + jar + "=" + jar, COVERED);
    Kymo.Result plain = both.plain(folder.resolve("plain"));
    assertThat(plain.out()).contains("boot loader: false\n", "boot loader: true\n");
    assertThat(both.beside(way)).isEqualTo(plain);
    assertRecorded(both, way);
    try (Recorded recorded = new Recorded(both.recording(way))) {
      assertThat(recorded.calls("Shaded$Inner.run")).isZero();
    }
  }

  /** An agent of ours, in a jar. */
  private Path agent(String name) throws Exception {
    Path made = Files.createDirectory(folder.resolve(name));
    Programs.compile(Path.of("src/agents", name + ".java"), 17, made, "");
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(new Attributes.Name("Premain-Class"), name);
    attributes.put(new Attributes.Name("Can-Retransform-Classes"), "true");
    attributes.put(new Attributes.Name("Can-Redefine-Classes"), "true");
    Path jar = folder.resolve(name + ".jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest);
        Stream<Path> classes = Files.list(made)) {
      for (Path type : classes.toList()) {
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
        .filteredOn(type -> !type.contains(" Twice ")) // its input ends where nobody attaches
        .isEqualTo(coverage.stream().filter(type -> !type.contains(" Twice ")).toList());
    assertRecorded(both, way);
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
    BesideAgent both =
        new BesideAgent(folder, jdk, agent, List.of("-cp", path, "Twice", "Covered"));
    Kymo.Result plain = both.plain(folder.resolve("plain"));
    assertThat(plain.out()).contains("advice int Covered.area(Covered.Shape)\n");
    Kymo.Result recorded = both.beside(way);
    assertThat(recorded.exit()).isZero();
    assertThat(recorded.out().lines().sorted()).isEqualTo(plain.out().lines().sorted().toList());
    assertRecorded(both, way);
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
    assertRecorded(both, way);
  }

  /** Its spans, which it prints. */
  @Tag("peers")
  @ParameterizedTest
  @MethodSource("orders")
  void opentelemetry(Jdk jdk, Way way) throws Exception {
    Path jar = ListedJars.fetch(folder.resolve("maven"), OPENTELEMETRY);
    List<String> program =
        List.of(
            "-Dotel.traces.exporter=logging",
            "-Dotel.metrics.exporter=none",
            "-Dotel.logs.exporter=none",
            "-cp",
            Programs.CLASSES.toString(),
            "Twice",
            "Asking");
    BesideAgent both = new BesideAgent(folder, jdk, "-javaagent:" + jar, program);
    Kymo.Result plain = both.plain(folder.resolve("plain"));
    List<String> spans = spans(plain.err());
    assertThat(spans).hasSize(10).anyMatch(span -> span.contains("java-http-client"));
    Kymo.Result recorded = both.beside(way);
    assertThat(recorded.exit()).isZero();
    assertThat(recorded.out()).isEqualTo(plain.out());
    assertThat(spans(recorded.err())).isEqualTo(spans);
    assertRecorded(both, way, "Asking.answer", 2);
  }

  /** Spans without what differs from run to run: identifiers, ports, numbers of threads, order. */
  private static List<String> spans(String err) {
    return err.lines()
        .filter(line -> line.contains(SPAN))
        .map(line -> line.substring(line.indexOf(SPAN) + SPAN.length()))
        .map(line -> line.replaceAll("\\b[0-9a-f]{32} [0-9a-f]{16}\\b", "IDS"))
        .map(line -> line.replaceAll("(localhost:|port=|thread\\.id=)\\d+", "$1N"))
        .map(line -> Stream.of(line.split("[{},] ?")).sorted().collect(Collectors.joining(" ")))
        .sorted()
        .toList();
  }

  /** Mocks of a final class, for which it changes the class; its agent may attach itself. */
  @Tag("peers")
  @ParameterizedTest
  @MethodSource("orders")
  void mockito(Jdk jdk, Way way) throws Exception {
    String mockito = peer("mockito-core.jar");
    mocks(jdk, way, mockito);
  }

  @Tag("peers")
  @ParameterizedTest
  @MethodSource("orders")
  void mockitoThatAttachesItself(Jdk jdk, Way way) throws Exception {
    peer("mockito-core.jar");
    mocks(jdk, way, "");
  }

  private void mocks(Jdk jdk, Way way, String agent) throws Exception {
    String library =
        Stream.of("mockito-core.jar", "byte-buddy.jar", "byte-buddy-agent.jar", "objenesis.jar")
            .map(jar -> PEERS.resolve(jar).toString())
            .collect(Collectors.joining(":"));
    Path classes = Files.createDirectory(folder.resolve("mocked"));
    Programs.compile(Path.of("src/agents/Mocked.java"), 17, classes, library);
    String path = String.join(":", Programs.CLASSES.toString(), classes.toString(), library);
    List<String> program =
        List.of("-Xshare:off", "-Djdk.attach.allowAttachSelf=true", "-cp", path, "Twice", "Mocked");
    BesideAgent both = new BesideAgent(folder, jdk, agent, program);
    Kymo.Result plain = both.plain(folder.resolve("plain"));
    assertThat(plain.out()).contains("mock 9 0 clerk 1\n", "static 103 106 mocked name\n");
    assertThat(both.beside(way)).isEqualTo(plain);
    assertRecorded(both, way, "Mocked.print", 6);
  }

  /** Counts of a method's calls by the calls around them; it changes the class for that. */
  @Tag("peers")
  @ParameterizedTest
  @MethodSource("orders")
  void asyncProfiler(Jdk jdk, Way way) throws Exception {
    peer("async-profiler.jar");
    Path library = folder.resolve("libasyncProfiler.so");
    try (ZipFile jar = new ZipFile(PEERS.resolve("async-profiler.jar").toFile())) {
      String machine = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
      ZipEntry entry = jar.getEntry("linux-" + machine + "/libasyncProfiler.so");
      Files.copy(jar.getInputStream(entry), library);
    }
    String agent =
        "-agentpath:" + library + "=start,event=Covered.area,total,collapsed,file=calls.txt";
    BesideAgent both = new BesideAgent(folder, jdk, agent, COVERED);
    Kymo.Result plain = both.plain(folder.resolve("plain"));
    Map<String, Integer> calls = stacks(folder.resolve("plain/calls.txt"));
    assertThat(calls).containsValue(6);
    assertThat(both.beside(way)).isEqualTo(plain);
    assertThat(stacks(both.of(way).resolve("calls.txt"))).isEqualTo(calls);
    assertRecorded(both, way);
  }

  /**
   * Stacks with their counts, without the virtual machine's numbers of lambdas. One that goes
   * through a class before and after it was woven has two lines, which look the same.
   */
  private static Map<String, Integer> stacks(Path file) throws Exception {
    Map<String, Integer> counts = new TreeMap<>();
    for (String line : Files.readAllLines(file)) {
      int space = line.lastIndexOf(' ');
      String stack = line.substring(0, space).replaceAll("\\$\\$Lambda[^;]*?0x[0-9a-f]+", "Lambda");
      counts.merge(stack, Integer.valueOf(line.substring(space + 1)), Integer::sum);
    }
    return counts;
  }

  private static void assertRecorded(BesideAgent both, Way way) throws Exception {
    assertRecorded(both, way, "Covered.area", 3);
  }

  /**
   * What Kymo has recorded.
   *
   * @param times of each of the program's runs
   */
  private static void assertRecorded(BesideAgent both, Way way, String method, int times)
      throws Exception {
    try (Recorded recorded = new Recorded(both.recording(way))) {
      assertThat(recorded.calls(method)).isEqualTo((long) times * way.runs());
      assertThat(recorded.unbalanced.keySet())
          .filteredOn(what -> !what.matches("(lock|monitor|park|sleep|wait)[.].*")) // its threads'
          .isEmpty();
    }
  }
}
