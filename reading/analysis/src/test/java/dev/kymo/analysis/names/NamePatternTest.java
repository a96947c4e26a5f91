package dev.kymo.analysis.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.UnanswerableException;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.testkit.RecordingBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(600)
class NamePatternTest {
  private Timeline timeline;

  @BeforeEach
  void open(@TempDir Path directory) throws IOException {
    RecordingBuilder recording = new RecordingBuilder().process(1).thread(1, 1, "main");
    recording.method(1, 0, "com.example.Shop", "order");
    recording.method(1, 1, "com.example.Shop", "reOrder");
    recording.method(1, 2, "com.example.Stock", "a".repeat(5000));
    recording.ring(1, 1, 1).enter(0, 0).leave(1, 0);
    timeline = Timelines.open(recording.write(directory.resolve("r")), ProgressListener.NONE);
  }

  @AfterEach
  void close() {
    timeline.close();
  }

  private BitSet methods(String pattern) {
    return NamePattern.of(pattern).methods(timeline, new Progress());
  }

  @ParameterizedTest
  @CsvSource({
    "order, '{0, 1}'",
    "Order, {1}",
    "shop\\.re, {1}",
    "\\Sorder$, '{0, 1}'",
    "\\Border$, {1}",
    "^com\\.example\\.Sto, {2}",
    "a{4000}, {2}",
    "nowhere, {}"
  })
  void findsNames(String pattern, String found) {
    assertThat(methods(pattern)).hasToString(found);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {"(a|aa)+$b", "(.*)*(.*)*(.*)*x", "(a*)\\1(a*)\\2(a*)\\3b"})
  void patternsThatTakeTooLongAreStopped(String pattern) {
    assertThatThrownBy(() -> methods(pattern))
        .isInstanceOf(UnanswerableException.class)
        .hasMessageMatching(
            "The pattern (takes too long to match; use a simpler one|needs too much memory to"
                + " match)\\.");
  }

  @Test
  void patternsThatCannotBeCompiledAreToldWhy() {
    assertThatThrownBy(() -> NamePattern.of("[a"))
        .isInstanceOf(UnanswerableException.class)
        .hasMessage("Not a regular expression: Unclosed character class, at=1.");
    assertThatThrownBy(() -> NamePattern.of("a".repeat(1001)))
        .hasMessage("The pattern is too long: length=1001, at most 1000.");
    assertThatThrownBy(() -> NamePattern.of("((?:){99999}){99999}"))
        .hasMessageStartingWith("The pattern repeats too often");
    assertThatThrownBy(() -> NamePattern.of("a{99999999999}"))
        .isInstanceOf(UnanswerableException.class);
  }

  @Test
  void searchesThatNobodyWantsEnd() {
    Progress progress = new Progress();
    progress.giveUp();
    assertThatThrownBy(() -> NamePattern.of("a").methods(timeline, progress))
        .isInstanceOf(CancellationException.class);
  }
}
