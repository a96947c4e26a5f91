package dev.kymo.e2e.instructions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Kymo;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What QEMU's plugin writes down of command lines is looked at as what drainers write. */
@Timeout(600)
class InstructionSecretsTest extends InstructionRecording {
  private static final String SECRET = "hunter2 with a blank";

  private String recordWith(String... options) throws Exception {
    List<String> words = new ArrayList<>(List.of("record", "--instructions", "-q", "-o"));
    words.add(recording().toString());
    words.addAll(List.of(options));
    words.addAll(List.of("--", nested().toString(), "--pwd=x", "--api-key", SECRET, "-p=" + "y"));
    Kymo.Result result = Kymo.runIn(folder, Map.of(), "", words.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isEqualTo(3); // the program's own
    return Kymo.run("info", "--json", recording().toString()).out();
  }

  private boolean isInFiles() throws Exception {
    try (Stream<Path> all = Files.walk(recording())) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        if (Files.readString(file, StandardCharsets.ISO_8859_1).contains("with a blank")) {
          return true;
        }
      }
    }
    return false;
  }

  @Test
  void areLeftOut() throws Exception {
    assertThat(recordWith())
        .contains("nested --pwd=*** --api-key *** -p=y\"")
        .doesNotContain("blank");
    assertThat(isInFiles()).isFalse();
  }

  @Test
  void areThereWhenTheyAreAskedFor() throws Exception {
    assertThat(recordWith("--no-redact"))
        .contains("nested --pwd=x --api-key " + SECRET + " -p=y\"")
        .doesNotContain("***");
    assertThat(isInFiles()).isTrue();
  }
}
