package dev.kymo.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A project of a user's, built by Maven, records its tests. */
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

  /** Runs the tests; returns what the report says of each, by its name. */
  private Map<String, String> test(Jdk jdk, String... options) throws Exception {
    assumeTrue(Files.isExecutable(MAVEN), "skipped: not installed: maven");
    Path project = project();
    assertThat(
            Kymo.exec(
                    folder,
                    "cp",
                    "-r",
                    Path.of("src/sample").toAbsolutePath().toString(),
                    project.toString())
                .exit())
        .isZero();
    List<String> words =
        new ArrayList<>(
            List.of(
                "env",
                "JAVA_HOME=" + jdk.home(),
                MAVEN.toString(),
                "-q",
                "-B",
                "-Djunit.version=" + version("<junit.version>(.*?)<"),
                "-Dsurefire.version="
                    + version("maven-surefire-plugin</artifactId>\\s*<version>(.*?)<"),
                "-Dkymo.junit=" + jar("recording/junit", "kymo-junit"),
                "-Dkymo.api=" + jar("recording/api", "kymo-api"),
                "-Dmaven.test.failure.ignore=true"));
    words.addAll(List.of(options));
    words.add("test");
    Kymo.Result result = Kymo.exec(project, words.toArray(String[]::new));
    assertThat(result.exit()).as(result.out() + result.err()).isZero();
    Map<String, String> tests = new TreeMap<>();
    try (Stream<Path> reports = Files.list(project.resolve("target/surefire-reports"))) {
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
    assertThat(tests).hasSize(8);
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
    assertThat(tests.get("waitsForSomebody")).contains("<failure").contains("no wait over");
    assertThat(tests.get("saysWhatIsNoRule")).contains("IllegalArgumentException");
    assertThat(tests.get("countsLetters")).containsOnlyOnce("<failure");
    assertThat(pages())
        .containsExactly(
            "shop.StockTest$Many.countsLetters",
            "shop.StockTest.breaksBothItsRules",
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
    try (Stream<Path> files = Files.list(project().resolve("target/kymo"))) {
      Path recording =
          files.filter(file -> file.toString().endsWith(".kymo")).findFirst().orElseThrow();
      try (Recorded recorded = new Recorded(recording)) {
        assertThat(recorded.calls("shop.Stock.load")).isGreaterThanOrEqualTo(3);
      }
    }
  }
}
