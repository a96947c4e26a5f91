package dev.kymo.e2e.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import dev.kymo.testkit.SourceTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands in the README of an example, as they stand there, in a copy of the example. */
@Tag("builds")
class ExamplesTest {
  @TempDir Path folder;

  private String readme(String example) throws Exception {
    Path from = SourceTree.path("examples", example);
    try (var files = Files.list(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        if (Files.isRegularFile(file)) {
          Files.copy(file, folder.resolve(file.getFileName()));
        }
      }
    }
    List<String> commands =
        Files.readAllLines(from.resolve("README.md")).stream()
            .filter(line -> line.matches("    (\\.\\./|javac|java|gcc|\\./).*"))
            .map(line -> line.strip().replace("../../kymo", "kymo"))
            .map(line -> line.replace("../../cli/target/kymo", Kymo.INSTALLATION.toString()))
            .toList();
    assertThat(commands).hasSizeGreaterThan(3);
    Path java = Path.of(System.getProperty("java.home"), "bin");
    String script =
        "set -e\nPATH=%s:$PATH\nkymo() { java -Xmx512m --enable-native-access=ALL-UNNAMED -cp '%s/lib/*' dev.kymo.cli.Main \"$@\"; }\n%s\n"
            .formatted(java, Kymo.INSTALLATION, String.join("\n", commands));
    Kymo.Result result = Kymo.exec(folder, "bash", "-c", script);
    assertThat(result.exit()).as(result.err()).isZero();
    return result.out();
  }

  @Test
  void java() throws Exception {
    assertThat(readme("java"))
        .containsPattern("233  instant +cache.EVICT\n")
        .containsPattern("500    begin +cache.LOOKUP\n")
        .containsPattern("297  counter +1 +64 +64 +cache.SIZE\n")
        .containsPattern("297     send +297 .*  loader.ASK\n")
        .containsPattern("cache.EVICT key=0 because=room for \\d+\n");
  }

  @Test
  void c() throws Exception {
    NativePrograms.assumeInstalled();
    assertThat(readme("c"))
        .containsPattern("300    begin +disk.READ\n")
        .containsPattern("60  instant +disk.RETRY\n")
        .containsPattern("600  counter +0 +\\d+ +\\d+ +disk.QUEUE\n")
        .containsPattern("300     send +300 .*  disk.REQUEST\n")
        .contains("disk.READ_DONE result=after some tries\n");
  }
}
