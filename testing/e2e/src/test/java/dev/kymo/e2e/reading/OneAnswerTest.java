package dev.kymo.e2e.reading;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.SameAnswers;
import dev.kymo.e2e.kit.TableFaces;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.SourceTree;
import dev.kymo.testkit.StreamWriter;
import java.io.BufferedReader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where a recording has losses, reports, SQL and viewer say the same, and say that there may be
 * more.
 */
@Timeout(600)
class OneAnswerTest {
  private static final String WAITS =
      "SELECT count(*) AS n, max(duration) AS max, sum(duration) AS total FROM waits WHERE state = 'mutex'";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"discard", "overwrite"})
  void aboutLocksAndWaits(String whenFull) throws Exception {
    Path program = NativePrograms.compile(Path.of("src/native/lossy.c"), folder.resolve("lossy"));
    Path recording = folder.resolve("r.kymo");
    Kymo.Result recorded =
        Kymo.run(
            "record",
            "-q",
            "--threads",
            "--buffer",
            "128K",
            "--when-full",
            whenFull,
            "-o",
            recording.toString(),
            "--",
            program.toString());
    assertThat(recorded.out()).isEqualTo("1200000\n");
    try (TableFaces faces = new TableFaces(recording)) {
      boolean lossy =
          faces.query("SELECT count(*) AS n FROM gaps").getFirst().path("n").asLong() > 0;
      assertThat(lossy || whenFull.equals("discard")).isTrue(); // 75 MB of events and more
      SameAnswers.hasSameRows(faces, "locks");
      JsonNode lock = faces.report("--locks").path("locks").path(0);
      assertThat(lock.path("atLeast").asBoolean()).isEqualTo(lossy);
      assertThat(faces.ask("summary?kind=states").path("atLeast").asBoolean()).isEqualTo(lossy);
      assertThat(faces.ask("threads").at("/threads/columns/6/id").asText()).isEqualTo("waited");
      assertThat(faces.ask("threads").at("/threads/columns/6/atLeast").isArray()).isEqualTo(lossy);

      JsonNode waits = null;
      for (JsonNode each : faces.report("--waits").path("methods")) {
        waits = each.path("method").asText().startsWith("mutex") ? each : waits;
      }
      JsonNode single = faces.query(WAITS).getFirst();
      if (waits == null) { // nobody had to wait in what is left
        assertThat(single.path("n").asLong()).isZero();
      } else {
        assertThat(waits.path("atLeast").asBoolean()).isEqualTo(lossy);
        assertThat(waits.path("calls")).isEqualTo(single.path("n"));
        areNotLonger(waits, lock);
      }
    }
  }

  /**
   * A wait whose begin was lost is not longer than what the thread itself said at its end: a time,
   * where the other is the difference of two, each cut off to a nanosecond.
   */
  private static void areNotLonger(JsonNode waits, JsonNode said) {
    assertThat(waits.path("max").asLong()).isLessThanOrEqualTo(said.path("waitedMax").asLong() + 1);
    assertThat(waits.path("total").asLong())
        .isLessThanOrEqualTo(said.path("waited").asLong() + waits.path("calls").asLong());
  }

  private Path copy(Path recording) throws Exception {
    Path copy = Files.createDirectory(folder.resolve("copy.kymo"));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(recording)) {
      for (Path file : files) {
        boolean hidden = file.getFileName().toString().startsWith("."); // leads to what still runs
        if (Files.isRegularFile(file) && !hidden) {
          Files.copy(file, copy.resolve(file.getFileName()));
        }
      }
    }
    return copy;
  }

  /** Of all that has been in a recording: Java, counts, kernel events, states, own events. */
  @ParameterizedTest
  @ValueSource(strings = {"1.0", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "1.10"})
  void aboutAll(String version) throws Exception {
    SameAnswers.compare(copy(SourceTree.path("corpus/succeed", version, "recording")));
  }

  /** Events of one of them were lost. */
  @Test
  void aboutTwoProcesses() throws Exception {
    RecordingBuilder recording = new RecordingBuilder();
    for (int process = 1; process <= 2; process++) {
      recording.process(process).thread(process, 1, "main").thread(process, 2, "other, \"a\"");
      recording.method(process, 1, "a.B", "run").method(process, 2, "monitor", "a.C");
      recording.states(process, 3, 1, "main").states(process, 4, 2, "other, \"a\"");
      StreamWriter calls = recording.ring(process, 1, 1).enter(1000, 1);
      if (process == 2) {
        calls.lose(7);
      }
      calls.leave(2000, 1);
      recording.ring(process, 2, 2).enter(1000, 1).leave(2000, 1);
      recording.ring(process, 3, 3).enter(1100, 2).detail(1300, 0x1f, 4).leave(1300, 2);
      recording.ring(process, 4, 4).enter(1200, 2).detail(1500, 0x1f, 3); // has not ended
    }
    SameAnswers.compare(recording.write(folder.resolve("two.kymo")));
  }

  /** As it is while the program runs. */
  @Test
  void aboutWhatStillGrows() throws Exception {
    Path recording = folder.resolve("r.kymo");
    List<String> program = List.of("-cp", Programs.CLASSES.toString(), "Twice", "Busy");
    List<String> words = new ArrayList<>(List.of("record", "-q", "-o", recording.toString(), "--"));
    words.add(Jdk.running().java().toString());
    words.addAll(program);
    Process recorder = Kymo.start(folder, Map.of(), words.toArray(String[]::new));
    try {
      BufferedReader out = recorder.inputReader();
      String line = out.readLine();
      while (line != null && !line.equals("ready")) {
        line = out.readLine();
      }
      assertThat(line).isEqualTo("ready");
      SameAnswers.compare(copy(recording));
    } finally {
      Kymo.finish(recorder, "\n");
    }
  }

  /** A report reads all events, or takes the sums that were kept when the recording was viewed. */
  @ParameterizedTest
  @ValueSource(strings = {"Waiting", "SelfTimes", "Busy", "Collecting"})
  void withKeptSums(String program) throws Exception {
    Path recording = folder.resolve("r.kymo");
    String[] record = {
      "record",
      "-q",
      "--budget",
      "3%",
      "-o",
      recording.toString(),
      "--",
      Jdk.running().java().toString(),
      "-cp",
      Programs.CLASSES.toString(),
      program
    };
    Kymo.Result recorded = Kymo.run(record);
    assertThat(recorded.exit()).as(recorded.err()).isZero();
    Path index = recording.resolve(".index");
    assertThat(index.resolve("totals")).doesNotExist();
    Kymo.Result read = Kymo.run("report", "--json", recording.toString());
    assertThat(Kymo.run("index", recording.toString()).exit()).isZero();
    assertThat(Kymo.run("report", "--json", recording.toString())).isEqualTo(read);
  }
}
