package dev.kymo.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.Definition;
import dev.kymo.testkit.RecordingBuilder;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong with a recording is said by every command that reads it, to everybody. */
@Timeout(600)
class DamageTest {
  private static final String SAID =
      "kymo: recording is damaged, what cannot be read is missing here";

  @TempDir Path directory;
  private Path path = Path.of("");

  @BeforeEach
  void record() {
    RecordingBuilder r = new RecordingBuilder().packetSize(120);
    r.process(1).thread(1, 1, "main").thread(1, 2, "other").method(1, 1, "a.B", "run");
    r.ring(1, 0, 1).enter(100, 1).leave(200, 1).enter(300, 1).leave(400, 1).enter(500, 1);
    r.ring(1, 0, 1).leave(600, 1);
    r.ring(1, 1, 2).enter(100, 1).leave(200, 1);
    path = r.end(1, 0).listed().write(directory.resolve("run.kymo"));
  }

  private Kymo run(String command) {
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    words.add(1, path.toString());
    return Kymo.run(words.toArray());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "report",
        "report --json",
        "report --csv",
        "report --waits",
        "report --events --json",
        "report --threads --csv",
        "report --locks --json",
        "replay",
        "replay --csv",
        "replay --json",
        "print",
        "print --csv",
        "print --json",
        "why 1/1@0.0 --json",
        "info"
      })
  void isSaidBesideTheAnswer(String command) throws IOException {
    assertThat(run(command).err()).as("nothing is wrong yet").doesNotContain("damaged");
    Files.delete(path.resolve("p1-ring-1"));
    Kymo kymo = run(command);
    assertThat(kymo.code()).as(kymo.err()).isZero();
    String missing = "p1-ring-1: stream of the recording is missing";
    if (command.equals("info")) {
      assertThat(kymo.out()).contains("oddities     1").contains(missing);
    } else {
      assertThat(kymo.err())
          .contains(SAID + ": path=" + path + " oddities=1 first=\"" + missing)
          .endsWith("'kymo info' lists them\n");
    }
    if (command.endsWith("--json")
        && !command.startsWith("print")
        && !command.startsWith("replay")) {
      assertThat(kymo.out()).contains("\"oddities\" : [ \"" + missing);
    }
  }

  @Test
  void aStreamThatEndsAtAPacketIsShorter() throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.resolve("p1-ring-0").toFile(), "rw")) {
      file.setLength(120);
    }
    assertThat(run("print").err()).contains("p1-ring-0: stream is shorter than it was: offset=120");
  }

  @Test
  void aSliceCarriesIt() throws IOException {
    Files.delete(path.resolve("p1-ring-1"));
    Path slice = directory.resolve("slice.kymo");
    assertThat(run("slice -o " + slice).err()).contains(SAID);
    Kymo info = Kymo.run("info", slice);
    assertThat(info.out())
        .contains("oddities     1")
        .contains(
            "notice       cut from a damaged recording: p1-ring-1: stream of the recording is"
                + " missing");
    assertThat(Kymo.run("print", slice).err()).startsWith(SAID);
    Path again = directory.resolve("again.kymo");
    assertThat(Kymo.run("slice", slice, "-o", again).code()).isZero();
    assertThat(Kymo.run("info", again).out())
        .contains("oddities     1")
        .containsOnlyOnce("notice       cut from a damaged recording");
  }

  @Test
  void aDamagedIndexIsSaid() throws IOException {
    assertThat(run("index").code()).isZero();
    Path states = path.resolve(".index/states");
    byte[] bytes = Files.readAllBytes(states);
    bytes[0] ^= 1;
    Files.write(states, bytes);
    Kymo kymo = run("why 1/1@0.0");
    assertThat(kymo.code()).isEqualTo(1);
    assertThat(kymo.err())
        .startsWith("kymo: the recording's index is damaged, delete its directory .index: ");
  }

  @Test
  void anIndexThatCannotBeKeptIsSaid() throws IOException {
    Files.createFile(path.resolve(".index"));
    Kymo kymo = run("index");
    assertThat(kymo.code()).isEqualTo(1);
    assertThat(kymo.err())
        .isEqualTo(
            "kymo: the index cannot be kept in the recording: path="
                + path
                + " reason=\".index is not a directory\"; every 'kymo view' makes one for"
                + " itself\n");
  }

  /** What it is about is whole: only where the rest of it was is not known. */
  @Test
  void whatNamesTheSharedMemoryMayBeAnything() throws IOException {
    for (byte[] rings :
        new byte[][] {
          {}, {0}, {(byte) 0xff, (byte) 0xfe}, "/\0/".getBytes(StandardCharsets.US_ASCII)
        }) {
      Files.write(path.resolve(".rings"), rings);
      Kymo kymo = run("report");
      assertThat(kymo.code()).as(kymo.err()).isZero();
      assertThat(kymo.out()).contains("a.B.run");
      assertThat(kymo.err()).startsWith("kymo: the end of the recording ");
    }
  }

  @Test
  void aSliceOfADamagedRecordingSaysSoInItsPage() throws IOException {
    Files.delete(path.resolve("p1-ring-1"));
    Path page = directory.resolve("slice.html");
    Kymo kymo = run("slice -o " + page);
    assertThat(kymo.err()).contains(SAID);
    assertThat(kymo.code()).isIn(0, 1); // 1: the viewer was not built
  }

  /** An empty name is no name. */
  @Test
  void threadsWithoutANameAreCalledSomething() {
    RecordingBuilder r = new RecordingBuilder();
    r.process(1).virtualThread(1, 1490, "").method(1, 1, "a.B", "run");
    r.define(1, new Definition.TracedThread(2, Definition.TracedThread.PLATFORM, 3, 4, ""));
    r.ring(1, 0, 1490).enter(100, 1).leave(200, 1);
    Path unnamed = r.write(directory.resolve("unnamed.kymo"));
    assertThat(Kymo.run("replay", unnamed, "--merged").out())
        .contains("virtual thread/1490")
        .doesNotContain(" /1490");
    assertThat(Kymo.run("replay", unnamed).out()).contains("thread 1490 \"virtual thread\"");
    assertThat(Kymo.run("print", unnamed).out()).contains(" 1/1490 virtual thread enter a.B.run");
    assertThat(Kymo.run("print", unnamed, "--format", "table").out())
        .contains("1/1490 virtual thread");
    assertThat(Kymo.run("print", unnamed, "--json").out()).contains("\"threadName\":\"\"");
  }
}
