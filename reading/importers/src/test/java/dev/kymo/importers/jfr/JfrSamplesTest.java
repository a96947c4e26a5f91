package dev.kymo.importers.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.importers.ForeignFormats;
import dev.kymo.importers.target.Converted;
import dev.kymo.importers.target.ExchangeSamples;
import dev.kymo.importers.target.ForeignException;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.Import;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Other people's files have what the JDK's own tool says of them. */
class JfrSamplesTest {
  @TempDir Path directory;

  static List<ExchangeSamples.Expected> samples() throws IOException {
    List<ExchangeSamples.Expected> all = ExchangeSamples.of("jfr/");
    return all.isEmpty() ? List.of(new ExchangeSamples.Expected("none", "", "0", "", "")) : all;
  }

  @ParameterizedTest
  @MethodSource("samples")
  void isReadAsTheJdkDoes(ExchangeSamples.Expected expected) throws Exception {
    ExchangeSamples.assume();
    Path file = ExchangeSamples.unpacked(expected.path(), directory);
    if (expected.isRefused()) {
      assertThatThrownBy(() -> convert(file))
          .isInstanceOf(ForeignException.class)
          .hasMessage(
              "only versions 1 and 2 of the Flight Recorder's files can be read: file="
                  + file
                  + " offset=4 version=0.9");
      return;
    }
    Path recording = convert(file);
    assertThat(Converted.notices(recording))
        .anyMatch(notice -> notice.endsWith(" events=" + expected.events()));
    Converted read = Converted.read(recording);
    assertThat(read.oddities()).isEmpty();
    assertThat(read.events().size()).isGreaterThanOrEqualTo((int) expected.events());
    long begin = time(expected.first());
    assertThat(read.duration()).isGreaterThanOrEqualTo(time(expected.last()) - begin);
    assertThat(read.events())
        .anyMatch(event -> has(event, 0, type(expected.first())))
        .anyMatch(event -> has(event, time(expected.last()) - begin, type(expected.last())));
  }

  private static boolean has(String event, long time, String type) {
    return event.contains(": " + time + " ") && event.contains(type + " ");
  }

  private static long time(String event) {
    Instant at = Instant.parse(event.substring(0, event.indexOf(' ')));
    return at.getEpochSecond() * 1_000_000_000 + at.getNano();
  }

  private static String type(String event) {
    return event.substring(event.indexOf(' ') + 1);
  }

  @Test
  void aFileThatWasCutHasItsWholeChunks() throws Exception {
    ExchangeSamples.assume();
    Path sample = ExchangeSamples.unpacked("jfr/overlap.jfr", directory);
    byte[] whole = Files.readAllBytes(sample);
    byte[] two = Arrays.copyOf(whole, 2 * whole.length - 1000);
    System.arraycopy(whole, 0, two, whole.length, whole.length - 1000);
    Path cut = Files.write(directory.resolve("cut.jfr"), two);
    assertThat(Converted.notices(convert(cut)))
        .contains("imported from JDK Flight Recorder: file=cut.jfr events=1389")
        .contains(
            "the file ends within a chunk, whose events are missing: file=cut.jfr offset=%d bytes=%d"
                .formatted(whole.length, whole.length - 1000));
    Path shorter = Files.write(directory.resolve("short.jfr"), Arrays.copyOf(whole, 5000));
    assertThatThrownBy(() -> convert(shorter))
        .isInstanceOf(ForeignException.class)
        .hasMessage(
            "the file ends within its first chunk: file=" + shorter + " offset=5000 size=5000");
  }

  private Path convert(Path file) throws IOException {
    Path recording = Files.createTempDirectory(directory, "recording");
    ForeignFile foreign = ForeignFile.of(file);
    ForeignFormats.of(foreign).orElseThrow().convert(foreign, new Import(recording, (d, a) -> {}));
    return recording;
  }
}
