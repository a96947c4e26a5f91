package dev.kymo.cli.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.cli.Kymo;
import dev.kymo.format.Definition;
import dev.kymo.format.EventKind;
import dev.kymo.model.arrows.ArrowKind;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.calls.Slice;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.testkit.HoppingThreads;
import dev.kymo.testkit.RecordingBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What goes out as an archive of OTF2 comes back as it was. */
@Tag("peer")
class Otf2RoundTripTest {
  @TempDir Path directory;

  private Path archive(Path recording, String name) {
    Path archive = directory.resolve(name);
    Kymo exported = Kymo.run("export", recording, "--to", "otf2", "-o", archive);
    assumeTrue(
        !exported.err().contains("libopen-trace-format2-10"),
        "libopen-trace-format2 is not installed; Debian has it in libopen-trace-format2-10");
    assertThat(exported.code()).as(exported.err()).isZero();
    return archive;
  }

  private Path back(Path archive) {
    Path back = directory.resolve(archive.getFileName() + ".kymo");
    Kymo imported = Kymo.run("import", archive, "-o", back, "--from", "otf2");
    assertThat(imported.err()).isEmpty();
    return back;
  }

  private static Timeline open(Path recording) throws IOException {
    return Timelines.open(recording, ProgressListener.NONE);
  }

  private record Call(String track, String name, long begin, long end, boolean whole) {}

  /**
   * Calls, from the first end on: a recording begins with its first record, of which an archive has
   * no trace if it says nothing about calls.
   */
  private static List<Call> calls(Path recording) throws IOException {
    List<Call> calls = new ArrayList<>();
    try (Timeline timeline = open(recording)) {
      for (int track = 0; track < timeline.tracks().size(); track++) {
        String name = timeline.tracks().get(track).name();
        timeline.calls(
            track,
            0,
            Long.MAX_VALUE,
            (depth, method, begin, end, flags) ->
                calls.add(
                    new Call(
                        name,
                        timeline.method(method).qualifiedName(),
                        begin,
                        end,
                        (flags & Slice.OPEN_BEGIN) == 0)));
      }
    }
    long first = calls.stream().mapToLong(Call::end).min().orElseThrow();
    calls.replaceAll(c -> new Call(c.track, c.name, c.begin - first, c.end - first, c.whole));
    return calls;
  }

  private static List<String> ends(List<Call> calls) {
    return calls.stream().map(c -> c.track + " " + c.name + " " + c.end).sorted().toList();
  }

  private static int messages(Path recording) throws IOException {
    try (Timeline timeline = open(recording)) {
      return timeline
          .arrows(ArrowKind.MESSAGE, 0, Long.MAX_VALUE, Integer.MAX_VALUE - 1)
          .arrows()
          .size();
    }
  }

  @Test
  void callsAreTheSameToTheNanosecond() throws IOException {
    for (long seed = 0; seed < 3; seed++) {
      Path recording =
          HoppingThreads.recording(seed, 3_000, false)
              .write(directory.resolve("seed-" + seed + ".kymo"));
      Path back = back(archive(recording, "archive" + seed));
      List<Call> calls = calls(recording);
      List<Call> again = calls(back);
      assertThat(ends(again)).isEqualTo(ends(calls)).isNotEmpty();
      // Times of an archive do not go back: a begin that is not known is not where the model has
      // it.
      assertThat(again).containsAll(calls.stream().filter(Call::whole).toList());
    }
  }

  @Test
  void messagesAreTheSame() throws IOException {
    RecordingBuilder r = new RecordingBuilder().process(1).thread(1, 1, "a").thread(1, 2, "b");
    r.method(1, 1, "a.B", "x").define(1, new Definition.Subsystem(1, 7, "shop", "", ""));
    r.define(1, new Definition.Event(22, 1, 22, EventKind.SEND.number(), "ASK", "", "u64 key;"));
    r.define(
        1, new Definition.Event(23, 1, 23, EventKind.RECEIVE.number(), "ASKED", "", "u64 key;"));
    r.ring(1, 0, 1).enter(100, 1).own(110, 22, 1).own(120, 22, 2).leave(200, 1);
    r.ring(1, 1, 2).enter(130, 1).own(140, 23, 2).own(150, 23, 1).leave(200, 1);
    Path recording = r.write(directory.resolve("r.kymo"));
    assertThat(messages(recording)).isEqualTo(2);
    assertThat(messages(back(archive(recording, "archive")))).isEqualTo(2);
  }

  @Test
  void eventsAreAsManyAsOthersCount() throws IOException, InterruptedException {
    Path archive =
        archive(
            HoppingThreads.recording(5, 3_000, true).write(directory.resolve("lossy.kymo")),
            "archive");
    Process there =
        new ProcessBuilder("sh", "-c", "command -v otf2-print")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assumeTrue(there.waitFor() == 0, "otf2-print is not installed; Debian has it in otf2-tools");
    Path text = directory.resolve("printed");
    Process process =
        new ProcessBuilder("otf2-print", archive.resolve("traces.otf2").toString())
            .redirectOutput(text.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(process.waitFor()).isZero();
    long count =
        Files.readAllLines(text, StandardCharsets.UTF_8).stream()
            .filter(line -> line.matches("[A-Z_0-9]+ +\\d+ +\\d+ .*"))
            .count();
    assertThat(Kymo.run("info", back(archive)).out())
        .contains("imported from OTF2: file=archive events=" + count + "\n");
  }
}
