package dev.kymo.recorder.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs jcstress, which starts a virtual machine for each of its tests. */
@Tag("stress")
class StressTest {
  /** {@link StressedRing} has memory for a few times as many rings. */
  private static final List<String> STATES = List.of("-strideSize", "128", "-strideCount", "4");

  private static final Path QEMU = Path.of("/usr/bin/qemu-aarch64");
  private static final Path ARM64 =
      Path.of("../e2e/target/arm64-java-17").toAbsolutePath().normalize();

  /** How many classes of stress there are. */
  private static final int STRESSES = 7;

  @TempDir Path folder;

  @Test
  void nothingForbiddenIsSeenInAFewSeconds() throws Exception {
    assertThat(run("-f", "1", "-iters", "1", "-time", "300")).contains("Failed tests: No matches");
  }

  @Test
  @Tag("stress")
  void nothingForbiddenIsSeenInMinutes() throws Exception {
    assertThat(run("-f", "2", "-iters", "10", "-time", "1000"))
        .contains("Failed tests: No matches");
  }

  /**
   * The machine code that a Java for ARM64 makes, executed by QEMU. A processor for x86-64 keeps
   * the order of stores, and of loads, so this finds what the compiler moves, and not what a
   * processor for ARM64 may.
   */
  @Test
  @Tag("stress")
  void nothingForbiddenIsSeenOfJavaForArm64() throws Exception {
    Path java = ARM64.resolve("usr/lib/jvm/java-17-openjdk-arm64/bin/java");
    assumeTrue(
        Files.isExecutable(QEMU) && Files.isExecutable(java),
        "skipped: not installed: qemu-user and Java for ARM64, see config/arm64-java.sh");
    Path home = folder.resolve("home");
    Process made =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jlink").toString(),
                "--add-modules",
                "java.desktop,jdk.management,jdk.unsupported",
                "--output",
                home.toString())
            .inheritIO()
            .start();
    assertThat(made.waitFor()).isZero();
    // What jcstress starts as its own Java.
    Path here = Files.move(home.resolve("bin/java"), home.resolve("bin/java-of-this-machine"));
    Path emulated = home.resolve("bin/java");
    Files.writeString(
        emulated, "#!/bin/sh\nexec %s -L %s %s \"$@\"\n".formatted(QEMU, ARM64, java));
    Files.setPosixFilePermissions(emulated, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(run(here, "-f", "1", "-iters", "1", "-time", "1000"))
        .contains("Failed tests: No matches")
        .contains("Error tests: No matches")
        .contains("0 failed, 0 soft errs, 0 hard errs")
        .contains("All remaining tests: " + STRESSES + " matching");
  }

  private String run(String... options) throws IOException, InterruptedException {
    return run(Path.of(System.getProperty("java.home"), "bin", "java"), options);
  }

  private String run(Path java, String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(java.toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("org.openjdk.jcstress.Main");
    command.addAll(List.of("-af", "NONE", "-sc", "false", "-r", folder.toString()));
    command.addAll(List.of("-jvmArgs", "-XX:+UseSerialGC -Xmx256m -XX:MaxDirectMemorySize=256m"));
    command.addAll(STATES);
    command.addAll(List.of(options));
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }
}
