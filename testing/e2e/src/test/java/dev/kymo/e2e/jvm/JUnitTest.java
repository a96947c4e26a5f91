package dev.kymo.e2e.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Recorded;
import dev.kymo.testkit.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A project of a user's, built by Maven, records its tests. */
@Tag("builds")
class JUnitTest {
  private static final Path MAVEN = Path.of("/usr/bin/mvn");
  private static final Pattern TEST =
      Pattern.compile("<testcase name=\"(\\w+)[^\"]*\"[^>]*?(/>|>.*?</testcase>)", Pattern.DOTALL);

  @TempDir Path folder;

  private static String version(String pattern) throws IOException {
    Matcher matcher =
        Pattern.compile(pattern, Pattern.DOTALL)
            .matcher(Files.readString(SourceTree.path("pom.xml")));
    assertThat(matcher.find()).as(pattern).isTrue();
    return matcher.group(1);
  }

  private static Path jar(String module, String name) throws IOException {
    try (Stream<Path> files = Files.list(SourceTree.path(module, "target"))) {
      return files
          .filter(file -> file.getFileName().toString().matches(name + "-[^-]*(-SNAPSHOT)?\\.jar"))
          .findFirst()
          .orElseThrow()
          .toAbsolutePath();
    }
  }

  /** Runs Maven in the project. */
  private Kymo.Result maven(Jdk jdk, String... arguments) throws Exception {
    assumeTrue(Files.isExecutable(MAVEN), "skipped: not installed: maven");
    if (Files.notExists(project())) {
      String sample = Path.of("src/sample").toAbsolutePath().toString();
      assertThat(Kymo.exec(folder, "cp", "-r", sample, project().toString()).exit()).isZero();
    }
    List<String> words =
        new ArrayList<>(
            List.of(
                "env",
                "JAVA_HOME=" + jdk.home(),
                MAVEN.toString(),
                "-B",
                "-Djunit.version=" + version("<junit.version>(.*?)<"),
                "-Dsurefire.version="
                    + version("maven-surefire-plugin</artifactId>\\s*<version>(.*?)<"),
                "-Dkymo.junit=" + jar("integrations/junit", "kymo-junit"),
                "-Dkymo.embedded=" + jar("integrations/embedded", "kymo-embedded"),
                "-Dkymo.api=" + jar("recording/api", "kymo-api"),
                "-Dmaven.test.failure.ignore=true"));
    words.addAll(List.of(arguments));
    return Kymo.exec(project(), words.toArray(String[]::new));
  }

  /** Runs the tests; returns what the report says of each, by its name. */
  private Map<String, String> test(Jdk jdk, String... options) throws Exception {
    Kymo.Result result =
        maven(jdk, Stream.concat(Stream.of("test"), Stream.of(options)).toArray(String[]::new));
    assertThat(result.exit()).as(result.out() + result.err()).isZero();
    Map<String, String> tests = new TreeMap<>();
    try (Stream<Path> reports = Files.list(project().resolve("target/surefire-reports"))) {
      for (Path report : (Iterable<Path>) reports::iterator) {
        if (report.toString().endsWith(".xml")) {
          Matcher matcher = TEST.matcher(Files.readString(report));
          while (matcher.find()) {
            tests.merge(matcher.group(1), matcher.group(), String::concat);
          }
        }
      }
    }
    return tests;
  }

  /** A program that runs Kymo, as an installed one does. */
  private Path kymo() throws IOException {
    String words =
        Kymo.command().stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
    Path program =
        Files.writeString(folder.resolve("kymo"), "#!/bin/sh\nexec " + words + " \"$@\"\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    return program;
  }

  private Path project() {
    return folder.resolve("shop");
  }

  private Path recording() throws IOException {
    try (Stream<Path> files = Files.list(project().resolve("target/kymo"))) {
      return files.filter(file -> file.toString().endsWith(".kymo")).findFirst().orElseThrow();
    }
  }

  private List<String> pages() throws IOException {
    try (Stream<Path> files = Files.list(project().resolve("target/kymo"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".html"))
          .map(name -> name.replaceFirst("-\\d+\\.html$", ""))
          .sorted()
          .toList();
    }
  }

  /** With the oldest Java: what the agent does with each is tested elsewhere. */
  @Test
  void eachTestIsJudgedAndHasItsPage() throws Exception {
    Map<String, String> tests = test(Jdk.all().getFirst(), "-DargLine=-Dkymo.command=" + kymo());
    assertThat(tests).hasSize(9);
    for (String name : List.of("loadsEachWareOnce", "keepsItsRule", "isNotRecorded")) {
      assertThat(tests.get(name)).as(name).doesNotContain("<failure").doesNotContain("<error");
    }
    assertThat(tests.get("loadsTooOften"))
        .contains("<failure")
        .contains("calls of 'shop.Stock.load' at most 2: 3 calls");
    assertThat(tests.get("breaksBothItsRules"))
        .contains("<failure")
        .contains("no call of shop.Stock.load over 1 us: 3 calls")
        .contains("calls of shop.Stock.load below 3: 3 calls")
        .contains("kymo view");
    assertThat(tests.get("goesOnAfterAViolation"))
        .contains("calls of shop.Stock.count at most 30: 60 calls");
    assertThat(tests.get("waitsForSomebody")).contains("<failure").contains("no wait over 1 ms in");
    assertThat(tests.get("saysWhatIsNoRule")).contains("IllegalArgumentException");
    assertThat(tests.get("countsLetters")).containsOnlyOnce("<failure");
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.calls.keySet()).noneMatch(name -> name.startsWith("dev.kymo"));
    }
    assertThat(pages())
        .containsExactly(
            "shop.StockTest$Many.countsLetters",
            "shop.StockTest.breaksBothItsRules",
            "shop.StockTest.goesOnAfterAViolation",
            "shop.StockTest.loadsEachWareOnce",
            "shop.StockTest.loadsTooOften",
            "shop.StockTest.saysWhatIsNoRule",
            "shop.StockTest.waitsForSomebody");
  }

  /** The recording is there then, for somebody who has it. */
  @Test
  void withoutKymoTestsRunAndTheRecordingIsKept() throws Exception {
    Map<String, String> tests = test(Jdk.running(), "-Dtest=StockTest#loadsTooOften+isNotRecorded");
    assertThat(tests.get("isNotRecorded")).doesNotContain("<failure").doesNotContain("<error");
    assertThat(tests.get("loadsTooOften")).contains("kymo is needed to read a recording");
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.calls("shop.Stock.load")).isGreaterThanOrEqualTo(3);
    }
  }

  /** Settings with which Maven finds the plugin, as if it had been installed. */
  private Path settings() throws IOException {
    Path repository = folder.resolve("repository");
    String version = version("<artifactId>kymo</artifactId>\\s*<version>(.*?)<");
    install(repository, "kymo", version, ".pom", SourceTree.path("pom.xml"));
    Path plugin = SourceTree.path("integrations/maven-plugin");
    install(repository, "kymo-maven-plugin", version, ".pom", plugin.resolve("pom.xml"));
    install(
        repository,
        "kymo-maven-plugin",
        version,
        ".jar",
        jar("integrations/maven-plugin", "kymo-maven-plugin"));
    Path agent = SourceTree.path("recording/agent/target");
    install(repository, "kymo-agent", version, ".pom", agent.resolve("dependency-reduced-pom.xml"));
    install(repository, "kymo-agent", version, ".jar", agent.resolve("kymo-agent.jar"));
    Path known = Path.of(System.getProperty("user.home"), ".m2/repository");
    String mirror =
        Files.isDirectory(known)
            ? "<mirrors><mirror><id>known</id><mirrorOf>*</mirrorOf><url>%s</url></mirror></mirrors>"
                .formatted(known.toUri())
            : "";
    return Files.writeString(
        folder.resolve("settings.xml"),
        "<settings><localRepository>%s</localRepository>%s</settings>"
            .formatted(repository, mirror));
  }

  private static void install(
      Path repository, String artifact, String version, String ending, Path file)
      throws IOException {
    Path place =
        Files.createDirectories(repository.resolve("dev/kymo/" + artifact + "/" + version));
    Files.copy(file, place.resolve(artifact + "-" + version + ending));
  }

  /** All tests of a build are recorded, and compared with those of an earlier one. */
  @Test
  void thePluginRecordsAndCompares() throws Exception {
    String plugin =
        "dev.kymo:kymo-maven-plugin:"
            + version("<artifactId>kymo</artifactId>\\s*<version>(.*?)<")
            + ":";
    String settings = settings().toString();
    Kymo.Result recorded =
        maven(
            Jdk.running(),
            "-s",
            settings,
            plugin + "record",
            "test",
            "-Dtest=StockTest#isNotRecorded",
            "-Dkymo.options=budget=none,include=shop");
    assertThat(recorded.exit()).as(recorded.out()).isZero();
    Path made = project().resolve("target/kymo");
    Path base = project().resolve("base");
    try (Recorded calls = new Recorded(recording())) {
      assertThat(calls.calls("shop.Stock.load")).isEqualTo(3);
      assertThat(calls.calls("shop.Stock.count")).isEqualTo(30);
    }
    Files.move(made, base);
    Kymo.Result same =
        maven(
            Jdk.running(),
            "-s",
            settings,
            plugin + "diff",
            "-Dkymo.base=" + base,
            "-Dkymo.with=" + base,
            "-Dkymo.gates=shop.Stock.load calls +10%",
            "-Dkymo.command=" + kymo());
    assertThat(same.exit()).as(same.out()).isZero();
    Kymo.Result more =
        maven(
            Jdk.running(),
            "-s",
            settings,
            plugin + "record",
            "test",
            plugin + "diff",
            "-Dtest=StockTest#isNotRecorded+countsLetters+keepsItsRule",
            "-Dkymo.options=budget=none,include=shop",
            "-Dkymo.base=" + base,
            "-Dkymo.gates=shop.Stock.load calls +10%",
            "-Dkymo.command=" + folder.resolve("kymo"));
    assertThat(more.out()).contains("a gate is not kept").contains("shop.Stock.load");
    assertThat(more.exit()).isEqualTo(1);
    assertThat(made.resolve("difference.html")).exists();
  }
}
