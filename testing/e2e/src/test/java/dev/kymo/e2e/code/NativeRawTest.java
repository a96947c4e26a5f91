package dev.kymo.e2e.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import dev.kymo.e2e.kit.Recorded;
import dev.kymo.kernel.KernelException;
import dev.kymo.kernel.Tracefs;
import dev.kymo.model.timeline.Track;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Records that a C program fills in by itself, and its other settings for its recording. */
@Tag("native")
class NativeRawTest {
  private static final Path SOURCE = Path.of("src/native/raw.c").toAbsolutePath();

  @TempDir Path folder;
  private Path program = Path.of("");

  @BeforeEach
  void compile() throws Exception {
    program = NativePrograms.compile(SOURCE, folder.resolve("raw"), NativePrograms.shared());
  }

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  private Path recording() {
    return folder.resolve("raw.kymo");
  }

  private Kymo.Result record(List<String> options, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("record", "-q", "-o", recording().toString()));
    all.addAll(options.isEmpty() ? List.of("--when-full", "block") : options);
    all.addAll(List.of("--", program.toString()));
    all.addAll(List.of(arguments));
    return Kymo.run(all.toArray(String[]::new));
  }

  private Map<String, List<String>> recorded() throws Exception {
    return recorded(recording());
  }

  private static Map<String, List<String>> recorded(Path recording) throws Exception {
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.timeline.oddities()).isEmpty();
      return recorded.ownEvents();
    }
  }

  private static List<String> data(Map<String, List<String>> events) {
    return events.getOrDefault("raw.DATA", List.of());
  }

  private static String text(long n, int bytes) {
    return "n=" + n + " b=" + "%02x".formatted(n & 0xFF).repeat(bytes);
  }

  private static List<String> ticks(long from, long to) {
    return LongStream.rangeClosed(from, to).mapToObj(n -> "n=" + n).toList();
  }

  private long lost() throws Exception {
    Matcher lost =
        Pattern.compile("(?m)^lost +(\\d+) event")
            .matcher(Kymo.run("info", recording().toString()).out());
    assertThat(lost.find()).isTrue();
    return Long.parseLong(lost.group(1));
  }

  private static long said(Kymo.Result result, String name) {
    Matcher matcher = Pattern.compile(name + "=(\\d+)").matcher(result.out());
    assertThat(matcher.find()).as(result.out()).isTrue();
    return Long.parseLong(matcher.group(1));
  }

  @Test
  void whatIsEndedIsRecorded() throws Exception {
    Kymo.Result result = record(List.of(), "each", "900");
    assertThat(result.out()).isEqualTo("1 fine\n");
    assertThat(result.err()).startsWith("kymo: an event is too large and is lost: event=raw.DATA");
    List<String> expected = new ArrayList<>();
    for (int n = 1; n <= 900; n++) {
      if (n % 3 != 0) {
        expected.add(text(n, n % 400));
      }
    }
    expected.add(""); // without data
    Map<String, List<String>> events = recorded();
    assertThat(data(events)).isEqualTo(expected);
    assertThat(events.get("raw.TICK")).isEqualTo(ticks(1, 900));
    assertThat(lost()).isEqualTo(2);
  }

  @Test
  void handlersInBetweenAreNotLost() throws Exception {
    Kymo.Result result = record(List.of(), "signals", "500");
    Map<String, List<String>> events = recorded();
    assertThat(data(events)).hasSize((int) said(result, "main")).containsOnly(text(0xAA, 2000));
    assertThat(events.get("raw.TICK")).hasSize((int) said(result, "handled"));
    assertThat(lost()).isZero();
  }

  @Test
  void handlersThatBeginOneEndTheOther() throws Exception {
    Kymo.Result result = record(List.of(), "handlers", "500");
    List<String> data = data(recorded());
    assertThat(data).containsOnly(text(0xAA, 2000), text(0x55, 50));
    assertThat(data.size() + lost()).isEqualTo(said(result, "main") + said(result, "handled"));
    assertThat(lost()).isPositive();
  }

  @Test
  void whatIsRecordedInBetweenComesBehind() throws Exception {
    record(List.of(), "between");
    Map<String, List<String>> events = recorded();
    assertThat(data(events)).containsExactly(text(1, 0), text(2, 90));
    List<String> ticks = events.getOrDefault("raw.TICK", List.of());
    assertThat(ticks).startsWith("n=1", "n=2", "n=3", "n=100", "n=101");
    assertThat(ticks).hasSizeBetween(60, 200);
    assertThat(ticks.size() + lost()).isEqualTo(1003);
  }

  @Test
  void forgottenOnesAreDroppedByTheNext() throws Exception {
    record(List.of(), "forgotten");
    Map<String, List<String>> events = recorded();
    assertThat(data(events)).containsExactly(text(1, 5), text(2, 5), text(3, 5));
    assertThat(events).containsEntry("raw.TICK", List.of("n=1"));
    assertThat(lost()).isEqualTo(4);
  }

  @Test
  void aChildMadeInBetweenDoesNotTouchIt() throws Exception {
    record(List.of(), "forks");
    Map<String, List<String>> events = recorded();
    assertThat(data(events)).containsExactlyInAnyOrder(text(5, 100), text(6, 20), text(8, 20));
    assertThat(events).containsEntry("raw.TICK", List.of("n=77"));
    assertThat(lost()).isZero();
  }

  @Test
  void whatIsNotEndedIsNotThere() throws Exception {
    assertThat(record(List.of(), "killed").exit()).isEqualTo(137);
    assertThat(data(recorded())).containsExactly(text(1, 30));
  }

  @Test
  void aSnapshotInBetween() throws Exception {
    List<String> command = new ArrayList<>(List.of("record", "-q", "-o", recording().toString()));
    command.addAll(List.of("--when-full", "overwrite", "--", program.toString(), "begun"));
    Process recorder = Kymo.start(folder, Map.of(), command.toArray(String[]::new));
    try {
      StringBuilder pid = new StringBuilder();
      for (int c = recorder.getInputStream().read();
          c != '\n';
          c = recorder.getInputStream().read()) {
        assertThat(c).isNotNegative();
        pid.append((char) c);
      }
      assertThat(Kymo.run("ctl", pid.toString(), "snapshot").out())
          .isEqualTo("snapshot asked for\n");
      while (!Files.isDirectory(folder.resolve("raw-1.kymo"))) {
        Thread.sleep(5);
      }
    } finally {
      recorder.getOutputStream().close();
      recorder.waitFor();
    }
    assertThat(data(recorded(folder.resolve("raw-1.kymo")))).containsExactly(text(1, 30));
    assertThat(data(recorded())).containsExactly(text(1, 30), text(2, 100));
  }

  @ParameterizedTest
  @CsvSource({"block", "discard", "overwrite"})
  void whatIsMissingIsCounted(String whenFull) throws Exception {
    List<String> options = List.of("--when-full", whenFull, "--buffer", "128K");
    Kymo.Result result = record(options, "streams", "20000");
    List<String> data = data(recorded());
    assertThat(data)
        .allSatisfy(text -> {
          int n = Integer.parseInt(text.substring(2, text.indexOf(' ')));
          assertThat(text).isEqualTo(text(n, 1000));
        });
    assertThat(data.size() + lost() - 80_000).isBetween(0L, 4L); // a switch of threads may be lost
    if (whenFull.equals("block")) {
      assertThat(said(result, "ended")).isEqualTo(80_000);
      assertThat(lost()).isZero();
    }
  }

  @Test
  void theyTrigger() throws Exception {
    record(List.of("--start-on", "raw.DATA=5", "--stop-on", "raw.DATA#7"), "numbered", "100");
    assertThat(data(recorded()))
        .isEqualTo(LongStream.rangeClosed(5, 11).mapToObj(n -> text(n, 10)).toList());
  }

  @Test
  void theProgramsOwnNumbersAndBuffers() throws Exception {
    Kymo.Result result = record(List.of("--buffer", "512K"), "threads");
    int kilobyte = 1024;
    // The rings of the first round, passed on in the second; and the ring of the thread that is not
    // asked.
    assertThat(result.out())
        .isEqualTo(
            "%d %d %d %d fine\n"
                .formatted(512 * kilobyte, 1024 * kilobyte, 256 * kilobyte, 128 * kilobyte));
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.tracks())
          .extracting(Track::name)
          .containsExactlyInAnyOrder(
              "worker 0",
              "worker 1",
              "worker 2",
              "worker 3",
              "worker 10",
              "worker 11",
              "worker 12",
              "worker 13",
              "worker");
      assertThat(recorded.ownEvents().get("raw.TICK"))
          .containsExactlyInAnyOrder(
              "n=0", "n=1", "n=2", "n=3", "n=10", "n=11", "n=12", "n=13", "n=99");
    }
    assertThat(lost()).isEqualTo(8); // its records while it is asked
  }

  @Test
  void whereNothingIsRecordedNothingHappens() throws Exception {
    String expected = "0 1 0 0 1 0 fine\n";
    assertThat(Kymo.exec(folder, program.toString(), "quiet", "1"))
        .isEqualTo(new Kymo.Result(0, expected, ""));
    Kymo.Result never = record(List.of(), "quiet", "0");
    assertThat(never.out()).isEqualTo(expected);
    assertThat(never.err()).startsWith("kymo: nothing recorded: ");
    assertThat(record(List.of(), "quiet", "1")).isEqualTo(new Kymo.Result(0, expected, ""));
    assertThat(recorded()).containsOnlyKeys("app.before");
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "1, 0", "2, 1", "3, 0", "4, 1", "5, -1", "6, -1", "8, -1"})
  void programsThatNeedKernelEventsAreNotRecordedWithout(int flags, int answer) throws Exception {
    Kymo.Result result = record(List.of(), "init", "" + flags);
    assertThat(result.out()).isEqualTo(answer + " fine\n");
    assertThat(result.err())
        .isEqualTo(
            answer != 0
                ? ""
                : "kymo: this process needs kernel events, which the recording does not have, and"
                    + " is not recorded: recording="
                    + recording()
                    + "; use kymo record --kernel\n");
    Map<String, List<String>> events = recorded();
    assertThat(events).containsKey("app.before");
    if (answer == 0) {
      assertThat(events).doesNotContainKeys("app.after", "app.child");
    } else {
      assertThat(events).containsKeys("app.after", "app.child");
    }
    String info = Kymo.run("info", recording().toString()).out();
    assertThat(info.contains("this process wants kernel events, which the recording does not have"))
        .isEqualTo(flags == 2);
    assertThat(info.contains("named")).isEqualTo(answer == 1);
  }

  private static void assumeKernelEvents() {
    try {
      Tracefs.find();
    } catch (KernelException e) {
      assumeTrue(false, "skipped: " + e.getMessage());
    }
  }

  @Test
  void programsThatNeedKernelEventsAndHaveThem() throws Exception {
    List<String> options = List.of("--when-full", "block", "--kernel", "cswitch");
    assumeKernelEvents();
    assertThat(record(options, "init", "3")).isEqualTo(new Kymo.Result(0, "1 fine\n", ""));
    assertThat(recorded()).containsKeys("app.before", "app.after", "app.child");
    assertThat(Kymo.run("info", recording().toString()).out())
        .doesNotContain("wants kernel events");
  }
}
