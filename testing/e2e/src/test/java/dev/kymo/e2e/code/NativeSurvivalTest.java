package dev.kymo.e2e.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import dev.kymo.e2e.kit.Recorded;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Little memory, a stopped recorder, shared pages that somebody overwrites: the program {@code
 * survive.c} runs on.
 */
@Tag("slow")
@Tag("survival")
class NativeSurvivalTest {
  @TempDir Path folder;
  private Path program = Path.of("");

  @BeforeEach
  void compile() throws Exception {
    Path source = Path.of("src/native/survive.c").toAbsolutePath();
    program = NativePrograms.compile(source, folder.resolve("survive"), "-finstrument-functions");
  }

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  private Path recording() {
    return folder.resolve("survived.kymo");
  }

  private Kymo.Result record(Map<String, String> environment, String whenFull, String... how)
      throws Exception {
    List<String> all =
        new ArrayList<>(
            List.of("record", "-q", "--when-full", whenFull, "-o", recording().toString()));
    all.addAll(List.of("--", program.toString()));
    all.addAll(List.of(how));
    return Kymo.runIn(folder, environment, "", all.toArray(String[]::new));
  }

  private static long number(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as(text).isTrue();
    return Long.parseLong(matcher.group(1));
  }

  /** A store into memory that tmpfs does not have would end the program. */
  @Test
  void littleMemoryForRings() throws Exception {
    assumeTrue(
        System.getProperty("user.name").equals("root"),
        "skipped: only root can mount a small file system");
    Path disk = Files.createDirectory(folder.resolve("shm"));
    Kymo.Result mounted =
        Kymo.exec(folder, "mount", "-t", "tmpfs", "-o", "size=600k", "kymo-test", disk.toString());
    assumeTrue(mounted.exit() == 0, "skipped: cannot mount here: " + mounted.err());
    try {
      Kymo.Result result =
          record(Map.of("KYMO_SHARED_MEMORY", disk.toString()), "discard", "threads", "8", "50000");
      assertThat(result.exit()).isEqualTo(3);
      assertThat(result.err())
          .containsOnlyOnce(
              "kymo: no memory for a thread's ring, its events are lost and counted: ")
          .contains("No space left on device");
      assertThat(disk).isEmptyDirectory();
    } finally {
      Kymo.exec(folder, "umount", disk.toString());
    }
    String info = Kymo.run("info", recording().toString()).out();
    assertThat(info)
        .containsOnlyOnce("are lost from here on and counted, because shared memory is full: tid=");
    long recorded = number("(\\d+) enter, ", info) + number("(\\d+) leave, ", info);
    long lost = number("(?m)^lost +(\\d+) events", info);
    assertThat(recorded).isPositive();
    assertThat(lost).isPositive();
    // main, and its end.
    assertThat(recorded + lost).isBetween(2 * 8 * 50_000L + 2, 2 * 8 * 50_000L + 10);
  }

  @Test
  void aRecorderThatStandsStill() throws Exception {
    Kymo.Result result = record(Map.of(), "block", "stall");
    assertThat(result).isEqualTo(new Kymo.Result(3, "count=30\n", ""));
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.calls("counted")).isEqualTo(30);
    }
  }

  @Test
  void sharedPagesThatAreWrittenOver() throws Exception {
    Kymo.Result result = record(Map.of(), "block", "wild");
    assertThat(result.exit()).isEqualTo(3);
    assertThat(result.out()).isEqualTo("count=2060010\n");
  }

  @Test
  void everyOneOfManyChildren() throws Exception {
    assertThat(record(Map.of(), "block", "forks", "300").exit()).isEqualTo(3);
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.calls("counted")).isEqualTo(300);
      assertThat(recorded.timeline.processes()).hasSize(301);
    }
  }
}
