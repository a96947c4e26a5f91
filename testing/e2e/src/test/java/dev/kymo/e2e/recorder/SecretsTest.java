package dev.kymo.e2e.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import dev.kymo.e2e.kit.Programs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Secrets in command lines do not get into recordings, unless they are asked for. */
@Timeout(600)
class SecretsTest {
  private static final String SECRET = "hunter2 with a blank";

  private static final String LOCKS =
      """
      #include <pthread.h>
      static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
      int main(void) { return pthread_mutex_lock(&lock); }
      """;

  @TempDir Path folder;

  /** The commands of a recording's processes, as they are told. */
  private String record(List<String> options, List<String> command) throws Exception {
    Path recording = folder.resolve("r.kymo");
    List<String> words = new ArrayList<>(List.of("record", "-q", "-o", recording.toString()));
    words.addAll(options);
    words.add("--");
    words.addAll(command);
    Kymo.Result result = Kymo.run(words.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isZero();
    return Kymo.run("info", "--json", recording.toString()).out();
  }

  private List<String> command(String kind) throws Exception {
    String java = Jdk.running().java().toString();
    String classes = Programs.CLASSES.toString();
    return switch (kind) {
      case "java" ->
          List.of(java, "-Ddb.password=" + SECRET, "-cp", classes, "Waiting", "--api-key", SECRET);
      default -> {
        Path source = Files.writeString(folder.resolve("locks.c"), LOCKS);
        Path program = NativePrograms.compile(source, folder.resolve("locks"), "-pthread");
        yield List.of(program.toString(), "--db-password=" + SECRET, "--api-key", SECRET);
      }
    };
  }

  /** Of the files nothing is compressed here but the index, which is made of the others. */
  private boolean isInFiles() throws IOException {
    try (Stream<Path> all = Files.walk(folder.resolve("r.kymo"))) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        String content = Files.readString(file, StandardCharsets.ISO_8859_1);
        if (content.contains(SECRET) || content.contains("with a blank")) {
          return true;
        }
      }
    }
    return false;
  }

  @ParameterizedTest
  @ValueSource(strings = {"java", "native"})
  void areLeftOut(String kind) throws Exception {
    String told = record(List.of("--threads"), command(kind));
    assertThat(told).contains("password=***", "--api-key ***").doesNotContain("hunter2", "blank");
    assertThat(isInFiles()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"java", "native"})
  void areThereWhenTheyAreAskedFor(String kind) throws Exception {
    String told = record(List.of("--threads", "--no-redact"), command(kind));
    assertThat(told).contains("password=" + SECRET, "--api-key " + SECRET).doesNotContain("***");
    assertThat(isInFiles()).isTrue();
  }
}
