package dev.kymo.importers.otf2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Made archives are archives, and their events are what they are for others, too. */
@Tag("peer")
class Otf2PrintTest {
  @TempDir Path folder;

  private static List<String> print(Path anchor) throws IOException, InterruptedException {
    Process there =
        new ProcessBuilder("sh", "-c", "command -v otf2-print")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assumeTrue(there.waitFor() == 0, "otf2-print is not installed; Debian has it in otf2-tools");
    Process process =
        new ProcessBuilder("otf2-print", anchor.toString()).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(text).isZero();
    return text.lines().toList();
  }

  @Test
  void eachKindHasTheNumbersThatOthersSee() throws Exception {
    MadeArchive archive = new MadeArchive(ByteOrder.LITTLE_ENDIAN);
    AllKinds all = new AllKinds(archive);
    all.write(archive.events(0));
    List<String> lines = print(archive.write(folder));
    Map<String, Long> times =
        lines.stream()
            .filter(line -> line.matches("[A-Z_0-9]+ +0 +\\d+ .*"))
            .collect(
                Collectors.toMap(
                    line -> line.split(" ", 2)[0],
                    line -> Long.parseLong(line.split(" +")[2]),
                    (a, b) -> b));
    assertThat(times).containsOnlyKeys(all.numbers.keySet());
    all.numbers.forEach((kind, numbers) -> {
      String own =
          lines.stream().filter(line -> line.startsWith(kind + " ")).collect(Collectors.joining());
      for (long number : numbers) {
        assertThat(own).as(kind).containsPattern("\\b" + number + "\\b");
      }
    });
  }

  @Test
  void attributesAreThoseThatOthersSee() throws Exception {
    MadeArchive archive = new MadeArchive(ByteOrder.BIG_ENDIAN);
    AllKinds.attributes(archive, archive.events(0).at(1_000));
    archive.events(0).add(12, 0).add(13, 0);
    String text = String.join("\n", print(archive.write(folder)));
    for (int type = 1; type <= 25; type++) {
      assertThat(text).contains("(\"attribute " + type + "\" <" + type + ">; ");
    }
    assertThat(text).contains("UINT16; 1799").contains("UINT32; 1000").contains("DOUBLE; 2.5");
  }
}
