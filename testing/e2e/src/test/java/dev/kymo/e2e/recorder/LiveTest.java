package dev.kymo.e2e.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Viewing;
import dev.kymo.reader.Recording;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real program is viewed while it is recorded; at the end all of it has been seen. */
class LiveTest {
  @TempDir Path folder;

  @Test
  @Timeout(600)
  void viewFollowsARecordingToItsEnd() throws Exception {
    Path path = folder.resolve("run.kymo");
    Process record =
        Kymo.start(
            folder,
            Map.of(),
            "record",
            "-q",
            "--when-full",
            "block",
            "-o",
            path.toString(),
            "--",
            Jdk.running().java().toString(),
            "-cp",
            Programs.CLASSES.toString(),
            "Counting",
            folder.resolve("counters").toString(),
            "1000");
    try {
      while (!Recording.isRecording(path)) {
        assertThat(record.isAlive()).isTrue();
        TimeUnit.MILLISECONDS.sleep(5);
      }
      follow(record, path);
    } finally {
      record.descendants().forEach(ProcessHandle::destroyForcibly);
      record.destroyForcibly();
    }
  }

  private static void follow(Process record, Path path) throws Exception {
    try (Viewing viewing = Viewing.of(path)) {
      long first = later(viewing, 0);
      later(viewing, first);
      assertThat(viewing.ask("api/recording")).contains("\"growing\":true");
      while (!isIndexed(record)) { // at the same time, from some size on
        assertThat(record.isAlive()).isTrue();
        TimeUnit.MILLISECONDS.sleep(20);
      }
      record.toHandle().destroy(); // leaves its streams to be read
      Kymo.finish(record, "");
      while (viewing.ask("api/growth").contains("\"growing\":true")) {
        TimeUnit.MILLISECONDS.sleep(20);
      }
      String seen = viewing.ask("api/recording");
      assertThat(seen).contains("\"oddities\":[]");
      String info = Kymo.run("info", "--json", path.toString()).out();
      assertThat(sum("\"events\":(\\d+)", seen))
          .isEqualTo(number(info, "events") - number(info, "definitions"));
      assertThat(Kymo.run("index", path.toString()).exit()).isZero(); // if it took too long
      assertThat(path.resolve(".index/contents")).isNotEmptyFile();
    }
  }

  private static boolean isIndexed(Process record) {
    return record
        .descendants()
        .anyMatch(process -> process.info().commandLine().orElse("").contains("Main index"));
  }

  /** Waits until there is more to see than before; returns the nanosecond up to which there is. */
  private static long later(Viewing viewing, long before) throws Exception {
    while (true) {
      String growth = viewing.ask("api/growth");
      assertThat(growth).contains("\"growing\":true");
      long duration = sum("\"duration\":\"(\\d+)\"", growth);
      if (duration > before) {
        return duration;
      }
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  private static long number(String json, String name) {
    Matcher matcher = Pattern.compile('"' + name + "\" : (\\d+)").matcher(json);
    assertThat(matcher.find()).as(json).isTrue();
    return Long.parseLong(matcher.group(1));
  }

  private static long sum(String pattern, String text) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .mapToLong(r -> Long.parseLong(r.group(1)))
        .sum();
  }
}
