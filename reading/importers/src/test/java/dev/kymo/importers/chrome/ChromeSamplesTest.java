package dev.kymo.importers.chrome;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.importers.chrome.json.TraceEvent;
import dev.kymo.importers.chrome.json.TraceReader;
import dev.kymo.importers.chrome.json.TraceVisitor;
import dev.kymo.importers.target.Converted;
import dev.kymo.importers.target.ExchangeSamples;
import dev.kymo.importers.target.ExchangeSamples.Expected;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.Import;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files that others wrote are what their judges say. */
class ChromeSamplesTest {
  @TempDir Path folder;

  static List<Expected> samples() throws Exception {
    return ExchangeSamples.of("chrome/");
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("samples")
  void isWhatIsExpected(Expected expected) throws Exception {
    ExchangeSamples.assume();
    Path file = ExchangeSamples.unpacked(expected.path(), folder);
    ForeignFile foreign = ForeignFile.of(file);
    ChromeFormat format = new ChromeFormat();
    assertThat(format.recognises(foreign)).isTrue();
    Path recording = Files.createDirectory(folder.resolve("out.kymo"));
    format.convert(foreign, new Import(recording, (done, all) -> {}));
    Converted read = Converted.read(recording);
    assertThat(read.notices())
        .contains(
            "imported from Chrome's trace events (JSON): file=%s events=%d"
                .formatted(file.getFileName(), expected.events()));
    assertThat(read.oddities()).isEmpty();

    Ends ends = new Ends();
    TraceReader.read(file, done -> {}, ends);
    assertThat(ends.first).isEqualTo(expected.first());
    assertThat(ends.last).isEqualTo(expected.last());
  }

  /** The first and the last event by time, as the samples' list has them. */
  private static final class Ends implements TraceVisitor {
    private String first = "";
    private String last = "";
    private long firstTime = Long.MAX_VALUE;
    private long lastTime = Long.MIN_VALUE;

    @Override
    public void event(TraceEvent event, long offset) {
      if (event.phase().equals("M")) {
        return;
      }
      if (event.time() < firstTime) {
        firstTime = event.time();
        first = text(event);
      }
      if (event.time() >= lastTime) {
        lastTime = event.time();
        last = text(event);
      }
    }

    private static String text(TraceEvent event) {
      String micros =
          event.time() == 0
              ? "0"
              : BigDecimal.valueOf(event.time(), 3).stripTrailingZeros().toPlainString();
      return "ph=%s ts=%s pid=%s tid=%s name=%s"
          .formatted(event.phase(), micros, event.pid(), event.tid(), event.name());
    }

    @Override
    public void frame(String id, String name, String parent) {
      // not asked
    }

    @Override
    public void beside(String key, String text) {
      // not asked
    }

    @Override
    public void cut(long offset) {
      throw new AssertionError("cut: offset=" + offset);
    }
  }
}
