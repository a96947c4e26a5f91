package dev.kymo.e2e.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.testkit.SourceTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Programs for ARM64, which QEMU's user mode runs: the recorders in them are ARM64's, what drains
 * them is this machine's own.
 */
public final class Arm64Programs {
  static final Path QEMU = Path.of("/usr/bin/qemu-aarch64");
  private static final Path COMPILER = Path.of("/usr/bin/aarch64-linux-gnu-gcc");

  /** The cross compiler's C library. */
  private static final String LIBRARIES = "/usr/aarch64-linux-gnu";

  private static final Path BUILT =
      SourceTree.path("testing/e2e/target/arm64-native").toAbsolutePath();

  private Arm64Programs() {}

  static void assumeInstalled() {
    assumeInstalled(COMPILER, "gcc-aarch64-linux-gnu");
    assumeInstalled(QEMU, "qemu-user");
  }

  static void assumeInstalled(Path program, String name) {
    assumeTrue(Files.isExecutable(program), "skipped: not installed: " + name);
  }

  /** One of libkymo's libraries, built if it is not there. */
  static Path library(String name) throws Exception {
    Path library = BUILT.resolve(name);
    Kymo.Result made =
        Kymo.exec(
            SourceTree.path("recording/native"),
            "make",
            "-j2",
            "CC=" + COMPILER,
            "OUT=" + BUILT,
            "JAVA_HOME=" + System.getProperty("java.home"),
            library.toString());
    assertThat(made.exit()).as(made.err()).isZero();
    return library;
  }

  static Path compile(Path source, Path program, String... options) throws Exception {
    List<String> command = new ArrayList<>(List.of(COMPILER.toString(), "-O2", "-pthread"));
    command.addAll(List.of("-o", program.toString(), source.toString()));
    command.add("-I" + SourceTree.path("recording/native/src"));
    command.addAll(List.of(options));
    Kymo.Result compiled = Kymo.exec(Path.of("."), command.toArray(String[]::new));
    assertThat(compiled.exit()).as(compiled.err()).isZero();
    return program;
  }

  /**
   * The command that runs a program.
   *
   * @param preloaded empty: nothing
   */
  static List<String> run(String preloaded, Path program, String... arguments) {
    List<String> command = new ArrayList<>(List.of(QEMU.toString(), "-L", LIBRARIES));
    command.addAll(preloaded.isEmpty() ? List.of() : List.of("-E", "LD_PRELOAD=" + preloaded));
    command.add(program.toString());
    command.addAll(List.of(arguments));
    return command;
  }

  public static boolean canCompile() {
    return Files.isExecutable(COMPILER);
  }

  /** A Java that {@code config/arm64-java.sh} has unpacked for {@code ./test}. */
  static Path java(int feature) {
    return home(feature).resolve("bin/java");
  }

  /** The Java 25 among them, which packages are made with. */
  public static Path jdk() {
    return home(25);
  }

  private static Path home(int feature) {
    return unpacked(feature).resolve("usr/lib/jvm/java-%d-openjdk-arm64".formatted(feature));
  }

  private static Path unpacked(int feature) {
    return SourceTree.path("testing/e2e/target/arm64-java-" + feature).toAbsolutePath();
  }

  /** The command that runs Java; what this machine preloads is not for it. */
  static List<String> runJava(int feature, String... arguments) {
    List<String> command = new ArrayList<>(List.of(QEMU.toString(), "-U", "LD_PRELOAD", "-L"));
    command.addAll(List.of(unpacked(feature).toString(), java(feature).toString()));
    command.addAll(List.of(arguments));
    return command;
  }

  static Kymo.Result record(Path recording, List<String> command) throws Exception {
    List<String> words =
        new ArrayList<>(List.of("record", "-q", "--strict", "--when-full", "block"));
    words.addAll(List.of("--clock", "monotonic", "-o", recording.toString(), "--"));
    words.addAll(command);
    return Kymo.run(words.toArray(String[]::new));
  }
}
