package dev.kymo.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.testkit.RecordingBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExportCommandTest {
  @TempDir Path directory;

  private Path recording() {
    RecordingBuilder r = new RecordingBuilder().process(1).thread(1, 1, "main");
    r.method(1, 1, "a.B", "x").ring(1, 0, 1).enter(100, 1).leave(200, 1);
    return r.write(directory.resolve("r.kymo"));
  }

  private static void refused(Kymo kymo, String sentence) {
    assertThat(kymo.err()).isEqualTo("kymo: " + sentence + "\n");
    assertThat(kymo.out()).isEmpty();
    assertThat(kymo.code()).isEqualTo(2);
  }

  private Kymo export(String format, Path output, Object... more) {
    Object[] head = {"export", recording(), "--to", format, "-o", output};
    return Kymo.run(Stream.concat(Stream.of(head), Stream.of(more)).toArray());
  }

  @Test
  void saysWhatWasWritten() throws IOException {
    Path output = directory.resolve("r.txt");
    Kymo kymo = export("collapsed", output);
    assertThat(kymo.err()).isEmpty();
    assertThat(kymo.out()).isEqualTo(output + ": 1 stacks, 10 bytes\n");
    assertThat(output).hasContent("a.B.x 100\n");
  }

  @Test
  void saysThatCommandLinesAreInIt() {
    assertThat(export("chrome", directory.resolve("r.json")).err())
        .isEqualTo("kymo: the command line of a process is in it; 'kymo info' shows it\n");
  }

  @Test
  void unknownFormat() {
    refused(
        export("xml", directory.resolve("r.xml")),
        "no such format: to=xml; one of chrome, collapsed, speedscope, pprof, csv, paje, perfetto, otf2, parquet");
  }

  @Test
  void optionsOfOtherFormats() {
    refused(
        export("chrome", directory.resolve("r.json"), "--by", "cpu"),
        "--by and --categories are for otf2: to=chrome");
  }

  @Test
  void outputExists() throws IOException {
    Path output = Files.writeString(directory.resolve("r.json"), "mine");
    refused(
        export("chrome", output),
        "output exists already: path=" + output + "; --force replaces it");
    assertThat(export("chrome", output, "--force").code()).isZero();
    assertThat(output).content().startsWith("{\"displayTimeUnit\"");
  }

  @Test
  void tablesReplaceTablesOnly() throws IOException {
    Path output = directory.resolve("tables");
    assertThat(export("csv", output).code()).isZero();
    assertThat(export("csv", output, "--force").code()).isZero();
    Path other = Files.createDirectory(directory.resolve("other"));
    Files.writeString(other.resolve("mine"), "mine");
    refused(
        export("csv", other, "--force"),
        "output exists and is not a directory that was exported, it is left alone: path=" + other);
    assertThat(other.resolve("mine")).hasContent("mine");
  }

  @Test
  void rangesAndThreadsThatAreNotThere() {
    Path output = directory.resolve("r.json");
    refused(
        export("chrome", output, "--from", "1s"),
        "time range begins after the recording's end: from=1000000000 duration=100");
    refused(
        export("chrome", output, "--from", "20ns", "--to-time", "10ns"),
        "time range ends before it begins: from=20 to=10");
    refused(
        export("chrome", output, "--threads", "x,y"),
        "the recording has no such thread; 'kymo report --per-thread' names them");
    assertThat(output).doesNotExist();
  }
}
