package dev.kymo.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.testkit.SourceTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kymo itself on ARM64, in QEMU's user mode: it records there, and reports what it does here. */
class Arm64KymoTest {
  /** Beside the installation, whose files it shares. */
  private final Path home =
      SourceTree.path("testing/e2e/target/arm64-kymo").toAbsolutePath().normalize();

  @TempDir Path folder;

  @Test
  void recordsJavaAndReportsTheSame() throws Exception {
    Arm64Programs.assumeInstalled();
    Arm64Programs.assumeInstalled(Arm64Programs.java(25), "Debian's Java 25 for ARM64");
    install();
    String recording = folder.resolve("r.kymo").toString();
    List<String> record = new ArrayList<>(List.of("record", "-q", "--strict", "--budget", "none"));
    record.addAll(List.of("--when-full", "block", "-o", recording, "--"));
    record.addAll(Arm64Programs.runJava(25, "-cp", Programs.CLASSES.toString()));
    record.addAll(List.of("OwnCounts", "2", "1", "10"));
    Kymo.Result recorded = kymo(record);
    assertThat(recorded.exit()).as(recorded.err()).isZero();
    try (Recorded read = new Recorded(Path.of(recording))) {
      List<String> counts = recorded.out().lines().filter(line -> !line.endsWith(" 0")).toList();
      assertThat(counts).anyMatch(line -> line.startsWith("OwnCounts.small "));
      assertThat(counts)
          .allMatch(line -> line.equals(counted(read, line.substring(0, line.indexOf(' ')))));
      assertThat(read.unbalanced).isEmpty();
    }
    List<String> report = List.of("report", recording);
    assertThat(kymo(report).out()).isEqualTo(Kymo.run(report.toArray(String[]::new)).out());
  }

  private static String counted(Recorded recorded, String method) {
    return method + " " + recorded.calls(method);
  }

  /** What is not machine code is the same, and the rest is built for ARM64. */
  private void install() throws Exception {
    remove();
    String own = home.toString();
    assertThat(Kymo.exec(folder, "cp", "-al", Kymo.INSTALLATION.toString(), own).exit()).isZero();
    for (String library : List.of("native/libkymo.so", "agent/libkymo-agent.so")) {
      Path file = home.resolve(library);
      Files.delete(file);
      Files.copy(Arm64Programs.library(file.getFileName().toString()), file);
    }
  }

  @AfterEach
  void remove() throws Exception {
    Kymo.exec(folder, "rm", "-rf", home.toString());
  }

  private Kymo.Result kymo(List<String> arguments) throws Exception {
    List<String> command =
        Arm64Programs.runJava(
            25,
            "-Xmx512m",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            home + "/lib/*",
            "dev.kymo.cli.Main");
    command.addAll(arguments);
    return Kymo.exec(folder, command.toArray(String[]::new));
  }
}
