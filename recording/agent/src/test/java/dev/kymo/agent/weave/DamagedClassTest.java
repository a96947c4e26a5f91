package dev.kymo.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.testkit.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs may define classes from any bytes: the weaver in C reads nothing beyond them. */
class DamagedClassTest {
  private static final Path WEAVER = SourceTree.path("recording/native/agent");

  @TempDir private Path directory;

  @Tag("slow")
  @Test
  void damagedClassFilesAreWovenOrRefused() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "skipped: gcc is not installed");
    Path program = directory.resolve("damage");
    List<String> build =
        new ArrayList<>(
            List.of(
                "gcc",
                "-std=c11",
                "-D_GNU_SOURCE",
                "-g",
                "-O1",
                "-fsanitize=address,undefined",
                "-fno-sanitize-recover=all",
                "-I" + WEAVER,
                "-o",
                program.toString(),
                "src/test/c/damage.c"));
    build.addAll(files(WEAVER, ".c", "java.c"));
    build.remove(WEAVER.resolve("waits.c").toString()); // needs a virtual machine
    assertThat(run(build)).as("what the compiler says").isEmpty();

    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(files(Path.of("target/test-classes"), ".class", ""));
    command.addAll(files(Path.of("target/classes/dev"), ".class", ""));
    String woven = run(command);

    assertThat(woven).matches("\\d+\\s*");
    assertThat(Integer.parseInt(woven.strip()))
        .as("class files with damage that does not matter")
        .isGreaterThan(1000);
  }

  private static List<String> files(Path from, String end, String without) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      return files
          .map(Path::toString)
          .filter(file -> file.endsWith(end) && (without.isEmpty() || !file.endsWith(without)))
          .sorted()
          .toList();
    }
  }

  /** What it prints, errors as well. */
  private String run(List<String> command) throws IOException, InterruptedException {
    Path output = directory.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended = process.waitFor(10, TimeUnit.MINUTES);
    process.destroyForcibly();
    assertThat(ended).as("whether %s ends", command.get(0)).isTrue();
    return Files.readString(output);
  }
}
