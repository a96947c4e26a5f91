package dev.kymo.cli.print;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.cli.Kymo;
import dev.kymo.format.Clock;
import dev.kymo.format.CountRecord;
import dev.kymo.format.CountersLayout;
import dev.kymo.format.Definition;
import dev.kymo.format.Definition.MethodMode;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.SourceTree;
import dev.kymo.testkit.StreamWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An independent reader of the format reads what we write, and counts what we count. */
@Tag("peer")
class BabeltraceTest {
  private static final Path BABELTRACE = Path.of("/usr/bin/babeltrace2");

  @TempDir Path directory;

  @BeforeAll
  static void isThere() {
    assumeTrue(
        Files.isExecutable(BABELTRACE),
        "BabeltraceTest skipped: babeltrace2 is not installed: path=" + BABELTRACE);
  }

  private static String babeltrace(Object... args) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(BABELTRACE.toString());
    for (Object arg : args) {
      builder.command().add(arg.toString());
    }
    Process process = builder.redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    return out;
  }

  private static long number(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    assertThat(matcher.find()).as(text).isTrue();
    return Long.parseLong(matcher.group(1));
  }

  private static void sameCount(Path recording) throws IOException, InterruptedException {
    String counted = babeltrace(recording, "-c", "sink.utils.counter", "-p", "step=+0");
    long theirs = number(Pattern.compile("(\\d+) Event messages"), counted);
    Kymo info = Kymo.run("info", "--json", recording);
    assertThat(number(Pattern.compile("\"events\" : (\\d+)"), info.out())).isEqualTo(theirs);
    assertThat(info.out()).contains("\"oddityCount\" : 0");
  }

  @Test
  void countsTheSame() throws IOException, InterruptedException {
    SplittableRandom random = new SplittableRandom(5);
    RecordingBuilder r =
        new RecordingBuilder()
            .packetSize(2000)
            .clock(new Clock(Clock.TSC, 2_596_180_000L, 1_700_000_000_123_456_789L));
    long base = 0x1_FFFF_0000L;
    r.at(base).process(1).thread(1, 1, "main").virtualThread(1, 2, "v").method(1, 5, "a.B", "x");
    r.define(1, new Definition.ClockPair(base, 1, 2));
    r.define(0, new Definition.Notice(0, "Grüße"));
    for (int ring = 0; ring < 3; ring++) {
      StreamWriter writer = r.ring(1, ring, ring + 1);
      long now = base;
      for (int i = 0; i < 2000; i++) {
        now += random.nextInt(50) == 0 ? 6_000_000_000L : random.nextInt(100);
        switch (random.nextInt(8)) {
          case 0 -> writer.switchTo(now, 10 + ring);
          case 1 -> writer.unwind(now, 5);
          case 2 -> writer.lose(random.nextInt(2));
          case 3, 4, 5 -> writer.enter(now, 5);
          default -> writer.leave(now, 5);
        }
      }
      writer.lose(9).empty(now + 10);
    }
    addStatesAndCounts(r, base);
    Path whole = r.write(directory.resolve("random"));
    sameCount(whole);
    Path slice = directory.resolve("slice.kymo");
    Kymo kymo = Kymo.run("slice", "--from", "5us", "--to", "20s", whole, "-o", slice);
    assertThat(kymo.code()).as(kymo.err()).isZero();
    sameCount(slice);
  }

  private static void addStatesAndCounts(RecordingBuilder r, long base) {
    r.states(1, 21, 1, "main").probeCost(1, 50_000, 9_000, 6_000, 400);
    r.step(1, 5, MethodMode.TIMED, MethodMode.EVENTS, "2.0 %");
    StreamWriter states = r.ring(1, 4, 21);
    for (int i = 1; i < 50; i++) {
      long now = base + i * 900_000_000L; // some words are extended
      states.enter(now, 5).detail(now + 100, i, 21).leave(now + 100, 5);
      int[] histogram = new int[CountersLayout.BUCKETS];
      histogram[i % CountersLayout.BUCKETS] = i;
      CountRecord count =
          new CountRecord(1, 5, MethodMode.SAMPLED, 90L * i, i, 7L * i, 8L * i, 9, histogram);
      r.counts(1).count(now, count);
    }
  }

  @Test
  void readsTheStoredRecordings() throws IOException, InterruptedException {
    sameCount(SourceTree.path("corpus", "succeed", "1.0", "recording"));
    sameCount(SourceTree.path("corpus", "succeed", "1.1", "recording"));
    sameCount(SourceTree.path("corpus", "succeed", "1.2", "recording"));
    sameCount(SourceTree.path("corpus", "succeed", "1.5", "recording"));
    sameCount(SourceTree.path("corpus", "succeed", "1.6", "recording"));
    sameCount(SourceTree.path("corpus", "succeed", "1.7", "recording"));
  }

  @Test
  void readsTimesAsWeDo() throws IOException, InterruptedException {
    RecordingBuilder r = new RecordingBuilder().process(1).thread(1, 1, "main");
    r.method(1, 5, "a.B", "x");
    r.ring(1, 0, 1).enter(0x1_0000_0005L, 5).leave(0x7_1234_5678L, 5);
    String events =
        babeltrace("--clock-gmt", "--clock-seconds", r.write(directory.resolve("times")));
    // 1 700 000 000 s + 0x712345678 ns, beyond one wrap of the low half of the clock
    assertThat(events)
        .contains("[1700000030.370190968]")
        .contains("leave: { process = 1, thread = 1 }");
  }
}
