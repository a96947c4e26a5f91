package dev.kymo.exporters.otf2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.analysis.names.Categories;
import dev.kymo.exporters.source.MadeUp;
import dev.kymo.exporters.source.Tools;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("peer")
class Otf2FormatTest {
  @TempDir Path directory;

  private Path export(Path recording, boolean byCpu, @Nullable Categories categories)
      throws IOException {
    Tools.assume("otf2-print", "otf2-tools");
    Path to = Files.createTempDirectory(directory, "archive");
    try (Recording open = Recording.open(recording)) {
      new Otf2Export(byCpu, categories).write(MadeUp.open(open), to);
    }
    return to;
  }

  private static String print(Path archive, String... options) throws IOException {
    Path anchor = archive.resolve("traces.otf2");
    List<String> command = new java.util.ArrayList<>(List.of("otf2-print"));
    command.addAll(List.of(options));
    command.add(anchor.toString());
    String text = Tools.run(anchor, command);
    assertThat(text.toLowerCase(java.util.Locale.ROOT)).doesNotContain("warning", "error");
    return text;
  }

  private static Map<String, Integer> kinds(String text) {
    Map<String, Integer> kinds = new HashMap<>();
    text.lines()
        .filter(line -> line.matches("[A-Z_]+ +\\d+ +\\d+ .*"))
        .forEach(line -> kinds.merge(line.split(" ", 2)[0], 1, Integer::sum));
    return kinds;
  }

  @Test
  void printHasAllCalls() throws IOException {
    for (Path recording : MadeUp.all(directory).toList()) {
      long calls = MadeUp.calls(recording).size();
      Map<String, Integer> kinds = kinds(print(export(recording, false, null)));
      boolean everything = recording.endsWith("everything.kymo");
      // Of the made up one, the processor's two are left out; four events and a loss are regions.
      long others = everything ? 5 - 2 : losses(recording);
      assertThat(kinds.get("ENTER")).isEqualTo(Math.toIntExact(calls + others));
      assertThat(kinds.get("LEAVE")).isEqualTo(kinds.get("ENTER"));
      if (everything) {
        assertThat(kinds)
            .containsEntry("METRIC", 2)
            .containsEntry("MPI_SEND", 1)
            .containsEntry("MPI_RECV", 1);
      }
    }
  }

  private static long losses(Path recording) throws IOException {
    try (Recording open = Recording.open(recording)) {
      var source = MadeUp.open(open);
      return source.tracks().stream().mapToLong(track -> source.losses(track).size()).sum();
    }
  }

  @Test
  void timesAreNanoseconds() throws IOException {
    String text = print(export(MadeUp.everything(directory), false, null));
    assertThat(text.lines().map(line -> line.replaceAll(" +", " ")))
        .anyMatch(line -> line.matches("ENTER \\d+ 1100 Region: \"a.Main.work<T>\" .*"))
        .anyMatch(line -> line.matches("LEAVE \\d+ 600 Region: \"a.B.f.*"));
  }

  @Test
  void byProcessorAndByCategory() throws IOException {
    Path recording = MadeUp.everything(directory);
    Map<String, Integer> kinds = kinds(print(export(recording, true, null)));
    assertThat(kinds).containsEntry("ENTER", 2).containsEntry("LEAVE", 2);
    Categories categories = Categories.of(List.of("mains = a.Main.*"));
    String text = print(export(recording, false, categories), "-G");
    assertThat(text).contains("\"mains\"").contains("\"(other)\"");
  }

  @Test
  void archivesAreKnown() throws IOException {
    assertThat(Otf2Export.isArchive(directory)).isFalse();
    assertThat(Otf2Export.isArchive(export(MadeUp.everything(directory), false, null))).isTrue();
  }
}
