package dev.kymo.e2e.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import dev.kymo.e2e.kit.Recorded;
import dev.kymo.model.arrows.ArrowKind;
import dev.kymo.model.timeline.Track;
import dev.kymo.testkit.SourceTree;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Events that a C program records: the program {@code own.c} counts them, too. */
class NativeTest {
  private static final Path SOURCE = Path.of("src/native/own.c").toAbsolutePath();

  @TempDir Path folder;
  private Path program = Path.of("");

  @BeforeEach
  void compile() throws Exception {
    program = NativePrograms.compile(SOURCE, folder.resolve("own"), NativePrograms.shared());
  }

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  private Path recording() {
    return folder.resolve("own.kymo");
  }

  private Kymo.Result record(String whenFull, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("record", "-q", "--when-full", whenFull));
    all.addAll(List.of("-o", recording().toString(), "--", program.toString()));
    all.addAll(List.of(arguments));
    return Kymo.run(all.toArray(String[]::new));
  }

  /** A number that the program has printed. */
  private static long said(Kymo.Result result, String name) {
    Matcher matcher = Pattern.compile(name + "=(\\d+)").matcher(result.out());
    assertThat(matcher.find()).as(result.out()).isTrue();
    return Long.parseLong(matcher.group(1));
  }

  private static long count(Map<String, List<String>> events, String name) {
    return events.getOrDefault(name, List.of()).size();
  }

  private Map<String, List<String>> recorded() throws Exception {
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.unbalanced).isEmpty();
      return recorded.ownEvents();
    }
  }

  @ParameterizedTest
  @CsvSource({"shared", "static", "c++"})
  void allKindsHoweverLinked(String how) throws Exception {
    Path source = SOURCE;
    String archive = NativePrograms.LIBRARY.resolve("libkymo.a").toString();
    if (how.equals("c++")) {
      source = Files.writeString(folder.resolve("each.cc"), CPP);
      NativePrograms.compile(source, program, "-std=c++11", "-pedantic", archive);
    } else if (how.equals("static")) {
      NativePrograms.compile(source, program, archive);
    }
    Kymo.Result result = record("block", "each", "1000");
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).isEqualTo("count=1000\n");
    assertThat(result.exit()).isEqualTo(3);
    try (Recorded recorded = new Recorded(recording())) {
      Map<String, List<String>> events = recorded.ownEvents();
      assertThat(events.get("own.TICK")).hasSize(1000).startsWith("i=0", "i=1").endsWith("i=999");
      assertThat(events.get("app.hello")).hasSize(1000).containsOnly("");
      assertThat(count(events, "cache.miss")).isEqualTo(1000);
      assertThat(events.get("app.queue")).hasSize(1000).endsWith("value=-999");
      assertThat(recorded.calls("own.WORK")).isEqualTo(1000);
      assertThat(recorded.unbalanced).isEmpty();
      assertThat(recorded.timeline.arrows(ArrowKind.MESSAGE, 0, Long.MAX_VALUE, 2000).arrows())
          .hasSize(1000);
    }
  }

  private static final String CPP =
      """
      #include <cstdio>
      #include <kymo.h>
      int main() {
        uint32_t tick = kymo_event_define("own", 7, "", "", 1, "TICK", KYMO_INSTANT, "", "", "u64 i;");
        uint32_t work = kymo_event_define("own", 7, "", "", 2, "WORK", KYMO_BEGIN, "", "", "");
        uint32_t worked = kymo_event_define("own", 7, "", "", 3, "WORKED", KYMO_END, "WORK", "", "");
        for (int i = 0; i < 1000; i++) {
          if (kymo_event_on(tick)) {
            kymo_event(tick, i);
          }
          kymo_enter_event(work);
          kymo_instant("hello");
          kymo_instant("cache/miss");
          kymo_leave_event(worked);
          kymo_counter("queue", -i);
          kymo_send("channel", i);
          kymo_receive("channel", i);
        }
        std::puts("count=1000");
        return 3;
      }
      """;

  @Test
  void withoutARecorderNothingHappens() throws Exception {
    Kymo.Result result = Kymo.exec(folder, program.toString(), "each", "10");
    assertThat(result).isEqualTo(new Kymo.Result(3, "count=10\n", ""));
    Kymo.Result over =
        Kymo.exec(folder, "env", "KYMO_SESSION=" + folder, program.toString(), "pauses", "10");
    assertThat(over).isEqualTo(new Kymo.Result(3, "-1 0 0\ncount=10\n", ""));
  }

  @Test
  void manyThreadsAndOthersCountTheSame() throws Exception {
    record("block", "threads", "5000", "8");
    assertThat(count(recorded(), "own.TICK")).isEqualTo(40_000);
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/babeltrace2")),
        "skipped: babeltrace2 is not installed, it was not asked");
    Kymo.Result read = Kymo.exec(folder, "babeltrace2", recording().toString());
    assertThat(read.exit()).isZero();
    assertThat(read.err()).isEmpty();
    assertThat(read.out().lines().filter(line -> line.contains(" event: { process = 1")))
        .hasSize(40_000 + 4); // four definitions have that name, too
    assertThat(read.out().lines().filter(line -> line.contains(" leave: "))).hasSize(40_000);
  }

  @Tag("native")
  @Test
  void tenThousandShortThreadsShareAFewRings() throws Exception {
    record("block", "short", "3", "10000");
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.tracks()).hasSize(10_000);
      assertThat(recorded.calls("own.WORK")).isEqualTo(30_000);
      assertThat(recorded.unbalanced).isEmpty();
    }
    try (var rings = Files.newDirectoryStream(recording(), "p1-ring-*")) {
      assertThat(rings).hasSizeLessThan(100);
    }
  }

  @Test
  void threadsAreCalledWhatTheyAreCalledLast() throws Exception {
    record("block", "named");
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.tracks()).extracting(Track::name).containsExactly("renamed");
    }
  }

  @Test
  void dataUpTo64KilobytesLargerOnesAreCounted() throws Exception {
    Kymo.Result result = record("block", "data");
    assertThat(result.err())
        .isEqualTo(
            "kymo: an event is too large and is lost: event=own.DATA bytes=65537 most=65536;"
                + " record less of it\n");
    List<String> data = recorded().getOrDefault("own.DATA", List.of());
    assertThat(data).hasSize((int) said(result, "count")).last().isEqualTo("");
    assertThat(data.getFirst()).isEqualTo("size=6 b=");
    for (String text : data.subList(0, data.size() - 2)) {
      int size = Integer.parseInt(text.substring("size=".length(), text.indexOf(' ')));
      String expected = "%02x".formatted(size & 0xFF).repeat(size - 6);
      assertThat(text.substring(text.indexOf("b=") + 2)).isEqualTo(expected);
    }
    assertThat(Kymo.run("info", recording().toString()).out())
        .containsPattern("(?m)^lost +2 events");
  }

  @Test
  void eachProcessForItself() throws Exception {
    Kymo.Result result = record("block", "fork", "1000");
    assertThat(result.exit()).isEqualTo(3);
    Map<String, List<String>> events = recorded();
    // Four times by the first process, then three children, a child's child, a child made by the
    // bare system call, and one after vfork.
    assertThat(count(events, "own.TICK")).isEqualTo(9 * 1000 + 1);
    assertThat(count(events, "app.child")).isEqualTo(3);
    String info = Kymo.run("info", recording().toString()).out();
    assertThat(info.lines().filter(line -> line.startsWith("process "))).hasSize(6);
    assertThat(info.lines().filter(line -> line.matches("process \\d .*ended, native"))).hasSize(4);
    assertThat(info.lines().filter(line -> line.matches("process \\d .*killed, native")))
        .as("left by _exit")
        .hasSize(2);
  }

  @Test
  void handlersThatInterruptRecordsLoseNothing() throws Exception {
    Kymo.Result result = record("block", "signals", "500");
    long handled = said(result, "count");
    assertThat(Kymo.run("info", recording().toString()).out())
        .contains("%d enter, %d leave, ".formatted(handled, handled))
        .contains(", %d of the program's own,".formatted(said(result, "main") + handled))
        .containsPattern("(?m)^lost +0 events")
        .containsPattern("(?m)^unmatched +0 leaves without enter, 0 enters without leave, 0 open");
  }

  @Test
  void handlersThatNeverReturn() throws Exception {
    Kymo.Result result = record("block", "jumps", "300");
    long jumps = said(result, "count");
    String info = Kymo.run("info", recording().toString()).out();
    assertThat(info).containsPattern("(?m)^lost +0 events").containsPattern("(?m)^oddities +0");
    Matcher own = Pattern.compile("(\\d+) of the program's own").matcher(info);
    assertThat(own.find()).isTrue();
    long ticks = Long.parseLong(own.group(1)) - 1; // and one event that the jumps are over
    // When a jump leaves an event, it may be complete and not yet counted.
    assertThat(ticks - said(result, "main")).isBetween(0L, jumps);
  }

  @Test
  void theProcessEndsWithItsLastThread() throws Exception {
    assertThat(record("block", "main", "1000").exit()).isZero();
    assertThat(count(recorded(), "own.TICK")).isEqualTo(1000);
  }

  @Test
  void destructorsAndExitHandlersRecord() throws Exception {
    record("block", "destructors", "100");
    Map<String, List<String>> events = recorded();
    assertThat(count(events, "app.destructor")).isEqualTo(100);
    assertThat(count(events, "app.atexit")).isEqualTo(1);
  }

  @Test
  void pausesAndJoinsAgain() throws Exception {
    assertThat(record("block", "pauses", "500").out()).isEqualTo("-1 1 1\ncount=500\n");
    Map<String, List<String>> events = recorded();
    assertThat(count(events, "own.TICK")).isEqualTo(1500);
    assertThat(events).doesNotContainKey("app.never");
    assertThat(Kymo.run("info", recording().toString()).out())
        .contains("recording was stopped by the program here", "recording goes on here", "again");
  }

  @ParameterizedTest
  @CsvSource({"exit, 5, ended", "_exit, 6, killed", "abort, 134, killed", "kill, 137, killed"})
  void endsInTheMiddle(String how, int exit, String end) throws Exception {
    assertThat(record("block", how, "777").exit()).isEqualTo(exit);
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(count(recorded.ownEvents(), "app.counted")).isEqualTo(777);
    }
    assertThat(Kymo.run("info", recording().toString()).out())
        .contains(end + ", native")
        .containsPattern("(?m)^oddities +0");
  }

  @ParameterizedTest
  @CsvSource({"discard", "overwrite"})
  void whatIsMissingIsCounted(String whenFull) throws Exception {
    record(whenFull, "threads", "400000", "4");
    String info = Kymo.run("info", recording().toString()).out();
    Matcher numbers =
        Pattern.compile(
                "(?s)(\\d+) enter, (\\d+) leave, 0 unwind, \\d+ switch, (\\d+) of the program's own"
                    + ".*\nlost +(\\d+) events.*\noddities +0")
            .matcher(info);
    assertThat(numbers.find()).as(info).isTrue();
    long recorded = 0;
    for (int i = 1; i <= 3; i++) {
      recorded += Long.parseLong(numbers.group(i));
    }
    long lost = Long.parseLong(numbers.group(4));
    // A switch to the thread that took over a ring is not an event of the program's, but may be
    // lost.
    assertThat(recorded + lost - 3 * 4 * 400_000L).isBetween(0L, 4L);
    assertThat(recorded).isPositive();
  }

  @Test
  void eventsThatAreOff() throws Exception {
    Kymo.Result result =
        Kymo.run(
            "record",
            "-q",
            "--disable-events",
            "app,cache.m*,kind:counter,category:test",
            "-o",
            recording().toString(),
            "--",
            program.toString(),
            "each",
            "10");
    assertThat(result.exit()).isEqualTo(3);
    assertThat(recorded()).containsOnlyKeys("channel.send", "channel.receive");
  }

  /** The net in which all tests of native programs run. */
  @Test
  void aLockAgainstTheOrderEndsTheProgram() throws Exception {
    NativePrograms.assumeInstalled();
    Path sources = SourceTree.path("recording/native/src").toAbsolutePath();
    Path program =
        NativePrograms.compile(
            Path.of("src/native/plain/unordered.c").toAbsolutePath(),
            folder.resolve("unordered"),
            "-D_GNU_SOURCE",
            "-I" + sources,
            sources.resolve("base/guest.c").toString());
    assertThat(Kymo.exec(folder, program.toString(), "3", "5").exit()).isZero();
    Kymo.Result wrong = Kymo.exec(folder, program.toString(), "5", "3");
    assertThat(wrong.exit()).isEqualTo(128 + 6);
    assertThat(wrong.err()).contains("a lock is taken against the order: rank=3 held=0x20");
    assertThat(System.getenv("KYMO_CHECK_LOCKS")).isEqualTo("1");
  }
}
