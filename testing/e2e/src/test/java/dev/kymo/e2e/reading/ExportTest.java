package dev.kymo.e2e.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import dev.kymo.model.timeline.Track;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real recording in each format: as many calls, states and events as it has. */
class ExportTest {
  @TempDir Path folder;
  private Path recording = Path.of("");
  private long calls;
  private long events;

  @BeforeEach
  void record() throws Exception {
    recording = folder.resolve("own.kymo");
    Kymo.Result result =
        Kymo.run(
            "record",
            "-q",
            "--when-full",
            "block",
            "-o",
            recording.toString(),
            "--",
            Jdk.all().getFirst().java().toString(),
            "-XX:+EnableDynamicAgentLoading",
            "-cp",
            Programs.CLASSES + ":" + Programs.API,
            "Own",
            "each",
            "100");
    assertThat(result.exit()).isZero();
    try (Recorded recorded = new Recorded(recording)) {
      calls = recorded.timeline.tracks().stream().mapToLong(Track::calls).sum();
      events = recorded.timeline.tracks().stream().mapToLong(Track::own).sum();
    }
    assertThat(calls).isPositive();
    assertThat(events).isPositive();
  }

  private Path export(String format) throws Exception {
    Path output = folder.resolve("out." + format);
    Kymo.Result result =
        Kymo.run("export", recording.toString(), "--to", format, "-o", output.toString());
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out()).startsWith(output + ": ");
    return output;
  }

  private static long lines(Path file, String with) throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.filter(line -> line.contains(with)).count();
    }
  }

  @Test
  void allFormats() throws Exception {
    Path chrome = export("chrome");
    assertThat(lines(chrome, "{\"ph\":\"B\"")).isEqualTo(calls);
    assertThat(lines(chrome, "{\"ph\":\"E\"")).isEqualTo(calls);
    assertThat(lines(export("speedscope"), "{\"type\":\"O\"")).isEqualTo(calls);
    Path paje = export("paje");
    try (Stream<String> lines = Files.lines(paje)) {
      assertThat(lines.filter(line -> line.startsWith("8 "))).hasSize(Math.toIntExact(calls));
    }
    Path tables = export("csv");
    long rows = 0;
    for (String table : List.of("calls.csv", "states.csv", "waits.csv")) {
      rows += lines(tables.resolve(table), ",") - 1;
    }
    assertThat(rows).isEqualTo(calls);
    assertThat(lines(export("collapsed"), "app.work ")).isPositive();
    try (InputStream pprof = new GZIPInputStream(Files.newInputStream(export("pprof")))) {
      assertThat(pprof.readAllBytes()).isNotEmpty();
    }
    assertThat(export("perfetto")).isNotEmptyFile();
    assertThat(export("parquet").resolve("calls.parquet")).isNotEmptyFile();
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).allMatch(file -> !file.getFileName().toString().startsWith("."));
    }
  }

  @Test
  void tablesOfParquetInADirectoryForEachDay() throws Exception {
    Path output = folder.resolve("tables");
    Kymo.Result result =
        Kymo.run(
            "export",
            recording.toString(),
            "--to",
            "parquet",
            "--partition",
            "day,host",
            "-o",
            output.toString());
    assertThat(result.err())
        .isEqualTo("kymo: the command line of a process is in it; 'kymo info' shows it\n");
    assertThat(result.out()).startsWith(output + ": ").contains(" calls, ");
    try (Stream<Path> days = Files.list(output.resolve("calls"))) {
      assertThat(days).isNotEmpty().allMatch(day -> day.toString().matches(".*/day=20[-0-9]{8}"));
    }
    result =
        Kymo.run(
            "export", recording.toString(), "--to", "csv", "--partition", "day", "-o", "unused");
    assertThat(result.err()).isEqualTo("kymo: --partition is for parquet: to=csv\n");
    assertThat(result.exit()).isEqualTo(2);
  }
}
