package dev.kymo.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kymo begins with classes as the build has prepared them. */
class StartTest {
  @ParameterizedTest
  @CsvSource({"record, record", "read, report"})
  void theCachesOfTheBuildFitItsClasses(String cache, String command) throws Exception {
    Path installation = Kymo.INSTALLATION;
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:AOTMode=on", // a cache that does not fit ends the virtual machine
                "-XX:AOTCache=" + installation.resolve(cache + ".aot"),
                "-XX:+UseSerialGC",
                "-Xlog:class+load",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                installation.resolve("lib") + "/*",
                "dev.kymo.cli.Main",
                command,
                "--help")
            .start();
    Kymo.Result result = Kymo.finish(process, "");
    assertThat(result.exit()).as(result.err() + result.out()).isZero();
    List<String> ours =
        result.out().lines().filter(line -> line.matches(".*] (dev.kymo|picocli)[.].*")).toList();
    assertThat(ours)
        .filteredOn(line -> line.contains("shared objects file"))
        .hasSizeGreaterThan(50);
    assertThat(ours).noneMatch(line -> line.contains("source: file:"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "/nowhere\n"})
  void aJdkIsLookedForIfThatOfTheBuildIsNotKnown(String built, @TempDir Path tree)
      throws Exception {
    Path source = Path.of("..").toRealPath();
    Path installed = Files.createDirectories(tree.resolve("cli/target/kymo"));
    for (String part : List.of("lib", "record.aot")) {
      Files.createSymbolicLink(installed.resolve(part), Kymo.INSTALLATION.resolve(part));
    }
    Files.createSymbolicLink(tree.resolve("build"), source.resolve("build"));
    Files.createDirectories(tree.resolve("cli/src"));
    Files.createDirectories(tree.resolve("viewer"));
    Files.createFile(tree.resolve("pom.xml"));
    Files.createFile(tree.resolve("cli/pom.xml"));
    Files.copy(source.resolve("kymo"), tree.resolve("kymo"), StandardCopyOption.COPY_ATTRIBUTES);
    Files.writeString(installed.resolve(".built"), built);
    for (String given : List.of("", System.getProperty("java.home"))) {
      ProcessBuilder command = new ProcessBuilder(tree.resolve("kymo").toString(), "--version");
      command.environment().put("KYMO_JAVA_HOME", given);
      Kymo.Result result = Kymo.finish(command.start(), "");
      assertThat(result.out()).as(result.err()).startsWith("kymo ");
      assertThat(result.err()).isEmpty();
    }
  }
}
