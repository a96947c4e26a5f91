package dev.kymo.exporters.paje;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.exporters.source.MadeUp;
import dev.kymo.exporters.source.Tools;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PajeFormatTest {
  @TempDir Path directory;

  private Path export(Path recording) throws IOException {
    Path to = Files.createTempFile(directory, "trace", ".paje");
    try (Recording open = Recording.open(recording)) {
      new PajeExport().write(MadeUp.open(open), to);
    }
    return to;
  }

  private static long nanos(String seconds) {
    return new BigDecimal(seconds).movePointRight(9).longValueExact();
  }

  /** A call as name, begin and end. */
  private static String line(String name, long begin, long end) {
    return name + ' ' + begin + ' ' + end;
  }

  /** The model's calls without the thread, as a Paj&eacute; name can be. */
  private static List<String> expected(Path recording) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Recording open = Recording.open(recording)) {
      var source = MadeUp.open(open);
      for (var track : source.tracks()) {
        source.walk(
            track,
            new dev.kymo.exporters.source.ExportSink() {
              @Override
              public void begin(
                  long time,
                  int method,
                  dev.kymo.exporters.source.@org.jspecify.annotations.Nullable EventData data) {}

              @Override
              public void end(dev.kymo.exporters.source.EndedCall call) {
                String name =
                    dev.kymo.exporters.source.ExportWords.name(
                        track.kind(), source.method(call.method()));
                lines.add(line(name, call.begin(), call.end()));
              }
            });
      }
    }
    Collections.sort(lines);
    return lines;
  }

  @Test
  void callsNestAndComeInTheOrderOfTime() throws IOException {
    for (Path recording : MadeUp.all(directory).toList()) {
      List<String> lines = new ArrayList<>();
      Map<String, String> names = new HashMap<>();
      Map<String, List<String[]>> stacks = new HashMap<>();
      long reached = 0;
      for (String line : Files.readAllLines(export(recording))) {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
          case "5" -> names.put(words[1], line.split("\"", -1)[1]);
          case "8" ->
              stacks.computeIfAbsent(words[2] + words[3], s -> new ArrayList<>()).add(words);
          case "9" -> {
            String[] begun = stacks.getOrDefault(words[2] + words[3], List.of()).removeLast();
            lines.add(line(names.getOrDefault(begun[4], "?"), nanos(begun[1]), nanos(words[1])));
          }
          default -> assertThat(words[0]).isNotEqualTo("15");
        }
        if (words[0].matches("[6-9]|1[0-9]")) {
          assertThat(nanos(words[1])).isGreaterThanOrEqualTo(reached);
          reached = nanos(words[1]);
        }
      }
      assertThat(stacks.values()).allMatch(List::isEmpty);
      Collections.sort(lines);
      assertThat(lines).isEqualTo(expected(recording)).hasSameSizeAs(MadeUp.calls(recording));
    }
  }

  @Test
  void leavesNoFileBehind() throws IOException {
    Path recording = MadeUp.everything(directory);
    Path to = export(recording);
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).containsExactlyInAnyOrder(recording, to);
    }
  }

  @Test
  @Tag("peer")
  void dumpHasAllOfIt() throws IOException {
    Tools.assume("pj_dump", "pajeng");
    for (Path recording : MadeUp.all(directory).toList()) {
      Path file = export(recording);
      String dump = Tools.run(file, List.of("pj_dump", "--float-precision=9", file.toString()));
      List<String> lines = new ArrayList<>();
      Map<String, Integer> kinds = new HashMap<>();
      for (String line : dump.lines().toList()) {
        String[] cells = line.split(", ", -1);
        kinds.merge(cells[0], 1, Integer::sum);
        if (cells[0].equals("State")) {
          lines.add(line(cells[7], nanos(cells[3]), nanos(cells[4])));
        }
      }
      Collections.sort(lines);
      assertThat(lines).isEqualTo(expected(recording));
      if (recording.endsWith("everything.kymo")) {
        // four events, one loss, data of one begin; each value of a counter but the last is drawn
        assertThat(kinds.get("Event")).as(dump).isEqualTo(6);
        assertThat(kinds.get("Link")).as(dump).isEqualTo(3);
        assertThat(kinds.get("Variable")).as(dump).isEqualTo(2);
      }
    }
  }
}
