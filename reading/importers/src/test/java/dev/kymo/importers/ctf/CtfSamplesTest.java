package dev.kymo.importers.ctf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.importers.ctf.stream.CtfEventKind;
import dev.kymo.importers.ctf.stream.CtfMerger;
import dev.kymo.importers.ctf.stream.CtfStream;
import dev.kymo.importers.ctf.stream.CtfTrace;
import dev.kymo.importers.target.Converted;
import dev.kymo.importers.target.ExchangeSamples;
import dev.kymo.importers.target.ForeignException;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.Import;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Traces of other tracers: read as their own tools read them, or refused. */
class CtfSamplesTest {
  private static final Pattern LINE = Pattern.compile("(?:\\[(\\d+)\\.(\\d{9})] )?([^({]*?): .*");

  @TempDir Path directory;

  static List<ExchangeSamples.Expected> read() throws IOException {
    return ExchangeSamples.of("ctf/").stream().filter(sample -> !sample.isRefused()).toList();
  }

  static List<ExchangeSamples.Expected> refused() throws IOException {
    return ExchangeSamples.of("ctf/").stream().filter(sample -> sample.isRefused()).toList();
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("read")
  void samplesHaveTheirEvents(ExchangeSamples.Expected sample) throws Exception {
    ExchangeSamples.assume();
    ForeignFile file = ForeignFile.of(ExchangeSamples.unpacked(sample.path(), directory));
    assertThat(new CtfFormat().recognises(file)).isTrue();
    Path recording = Files.createDirectory(directory.resolve("x.kymo"));
    new CtfFormat().convert(file, new Import(recording, (done, all) -> {}));
    assertThat(Converted.notices(recording))
        .contains(
            "imported from CTF 1.8: file=%s events=%d".formatted(file.name(), sample.events()));
    List<String> ends = ends(file.path());
    if (sample.events() > 0) {
      check(ends.get(0), sample.first());
      check(ends.get(1), sample.last());
    }
  }

  /** Compares time, where there is one, and the last word of the name. */
  private static void check(String found, String expected) {
    Matcher line = LINE.matcher(expected + " ");
    if (line.matches()) {
      assertThat(found).endsWith(" " + line.group(3));
      if (line.group(1) != null) {
        assertThat(found).startsWith(Long.parseLong(line.group(1) + line.group(2)) + " ");
      }
    }
  }

  private static List<String> ends(Path path) throws IOException {
    List<CtfEventKind> kinds = new ArrayList<>();
    List<CtfTrace> traces = new ArrayList<>();
    for (Path each : Directories.of(path)) {
      traces.add(new CtfTrace(each, CtfFormat.classes(each), kinds));
    }
    String first = "";
    String last = "";
    long latest = Long.MIN_VALUE;
    try (CtfMerger events = new CtfMerger(traces)) {
      for (CtfStream in = events.next(); in != null; in = events.next()) {
        if (in.kind() != null) {
          String text = in.nanos() + " " + Objects.requireNonNull(in.kind()).name();
          first = first.isEmpty() ? text : first;
          if (in.nanos() >= latest) {
            last = text;
            latest = in.nanos();
          }
        }
      }
    }
    return List.of(first, last);
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("refused")
  void damagedSamplesAreRefused(ExchangeSamples.Expected sample) throws Exception {
    ExchangeSamples.assume();
    ForeignFile file = ForeignFile.of(ExchangeSamples.unpacked(sample.path(), directory));
    assertThat(new CtfFormat().recognises(file)).isTrue();
    Path recording = Files.createDirectory(directory.resolve("x.kymo"));
    Import into = new Import(recording, (done, all) -> {});
    assertThatThrownBy(() -> new CtfFormat().convert(file, into))
        .isInstanceOf(ForeignException.class)
        .hasMessageMatching(
            "(?s).*: file=" + Pattern.quote(file.path() + "/") + "\\S+ (offset|line)=\\d+.*");
    try (var left = Files.walk(recording)) {
      assertThat(left.filter(path -> path.getFileName().toString().startsWith(".sorted")))
          .isEmpty();
    }
  }
}
