package dev.kymo.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kymo begins with classes as the build has prepared them. */
class StartTest {
  @ParameterizedTest
  @ValueSource(strings = {"record", "read"})
  void theCachesOfTheBuildFitItsClasses(String what) throws Exception {
    Path installation = Kymo.INSTALLATION;
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:AOTMode=on", // a cache that does not fit ends the virtual machine
                "-XX:AOTCache=" + installation.resolve(what + ".aot"),
                "-XX:+UseSerialGC",
                "-Xlog:class+load",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                installation.resolve("lib") + "/*",
                "dev.kymo.cli.Main",
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
}
