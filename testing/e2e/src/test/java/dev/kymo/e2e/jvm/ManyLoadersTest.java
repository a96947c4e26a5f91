package dev.kymo.e2e.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.testkit.SourceTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A program whose threads load classes all the time ends: it hung in a third of its runs while a
 * thread of the recorder's looked through all classes with the locks the other way round.
 */
@Tag("survival")
class ManyLoadersTest {
  private static final Path SOURCES = SourceTree.path("../shared/samples/faults/jvm");
  private static final int TIMES = 5;

  @TempDir Path folder;

  static Stream<Arguments> runs() {
    return Jdk.all().stream()
        .flatMap(jdk -> IntStream.rangeClosed(1, TIMES).mapToObj(time -> Arguments.of(jdk, time)));
  }

  @ParameterizedTest
  @MethodSource("runs")
  void eightThreadsLoadClasses(Jdk jdk, int time) throws Exception {
    assumeTrue(Files.exists(SOURCES), "no samples: missing=" + SOURCES);
    Programs.compile(SOURCES.resolve("T00000.java"), 17, folder);
    Programs.compile(SOURCES.resolve("Load.java"), 17, folder);
    // With the options that everybody has, so with a budget, which is what looks through them.
    List<String> command =
        List.of("record", "-q", "--max-size", "100M", "--budget", "5%", "-o", "load.kymo", "--");
    List<String> program =
        List.of(jdk.java().toString(), "-Xmx2g", "-cp", folder.toString(), "Load", "8", "3");
    Kymo.Result result =
        Kymo.runIn(
            folder,
            Map.of(),
            "",
            Stream.concat(command.stream(), program.stream()).toArray(String[]::new));
    assertThat(result).isEqualTo(new Kymo.Result(0, "loaded true\n", ""));
  }
}
