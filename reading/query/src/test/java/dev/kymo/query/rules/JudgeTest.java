package dev.kymo.query.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.Selected;
import dev.kymo.format.CountRecord;
import dev.kymo.format.CountersLayout;
import dev.kymo.format.Definition;
import dev.kymo.format.EventKind;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.query.ask.Questions;
import dev.kymo.reader.Recording;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rules about recordings of which everything is known; one nanosecond is one tick. */
class JudgeTest {
  private static final int FAST = 1;
  private static final int SLOW = 2;
  private static final int MONITOR = 3;
  private static final int SLEEP = 4;
  private static final int ORDER = 11;

  @TempDir Path folder;

  private final RecordingBuilder builder = new RecordingBuilder().process(1);

  JudgeTest() {
    builder.thread(1, 1, "main").thread(1, 2, "http-1");
    builder.method(1, FAST, "a.B", "fast").method(1, SLOW, "a.B", "slow");
  }

  private StreamWriter main() {
    return builder.ring(1, 1, 1);
  }

  private StreamWriter http() {
    return builder.ring(1, 2, 2);
  }

  /** What http-1 waited for. */
  private StreamWriter waits() {
    builder.states(1, 3, 2, "http-1");
    builder.method(1, MONITOR, "monitor", "a.Lock").method(1, SLEEP, "sleep", "");
    return builder.ring(1, 3, 3);
  }

  private RuleVerdict judge(String rule) throws Exception {
    Path path = folder.resolve("r.kymo");
    if (!Files.exists(path)) {
      builder.write(path);
    }
    try (Recording recording = Recording.open(path)) {
      ExportSource source =
          ExportSource.open(
              recording, Selected.all(), ProgressListener.NONE, ProgressListener.NONE);
      Path room = Files.createTempDirectory(folder, "room");
      try (Questions questions =
          Questions.open(
              Map.of("r.kymo", source),
              room,
              new Questions.Settings(false, 128, Questions.May.CHANGE))) {
        Judge judge = new Judge(source, questions, 2, ProgressListener.NONE);
        return judge.judge(Rules.parse("r", rule).getFirst());
      }
    }
  }

  private void is(String rule, String expected) throws Exception {
    RuleVerdict verdict = judge(rule);
    StringBuilder text = new StringBuilder(verdict.outcome().word());
    text.append(verdict.why().isEmpty() ? "" : ": " + verdict.why());
    for (Violation v : verdict.violations()) {
      text.append(
          " | %d/%d:%d %s %d-%d %s"
              .formatted(
                  v.process(), v.thread(), v.depth(), v.name(), v.begin(), v.finish(), v.what()));
    }
    assertThat(text.toString().strip()).as(rule).isEqualTo(expected);
  }

  private static void calls(StreamWriter to, int method, long from, int count, long duration) {
    for (int i = 0; i < count; i++) {
      to.enter(from + 1000L * i, method).leave(from + 1000L * i + duration, method);
    }
  }

  @Test
  void waitsOfAKindOnThreadsAndDuringCalls() throws Exception {
    main().enter(0, FAST).leave(10, FAST);
    http().enter(100, SLOW).leave(500, SLOW);
    waits()
        .enter(200, MONITOR)
        .leave(300, MONITOR)
        .enter(600, MONITOR)
        .leave(750, MONITOR)
        .enter(1000, SLEEP)
        .leave(2000, SLEEP);
    is(
        "no wait over 90 ns",
        "violated: 3 waits over 90 ns, the longest 1 us"
            + " | 1/2:-1 http-1 1000-2000 sleep | 1/2:-1 http-1 600-750 monitor a.Lock");
    is("no wait for monitor over 150 ns", "ok");
    is(
        "no wait for monitor over 149 ns",
        "violated: 1 wait for monitor over 149 ns, the longest 150 ns"
            + " | 1/2:-1 http-1 600-750 monitor a.Lock");
    is(
        "no wait over 50 ns during a.B.slow",
        "violated: 1 wait over 50 ns, the longest 100 ns"
            + " | 1/2:-1 http-1 200-300 monitor a.Lock");
    is("no wait over 50 ns in thread main", "ok");
    is("no wait over 50 ns in thread none", "unknown: no thread is called none");
    is("no wait over 200 ns to 900ns", "ok");
    is(
        "no wait over 1 ns during a.B.slo",
        "unknown: no method is called a.B.slo in this recording");
  }

  @Test
  void whatIsNotRecordedIsNotKnown() throws Exception {
    main().enter(0, FAST).leave(10, FAST);
    is(
        "no wait over 50 ms",
        "unknown: no waits in this recording; 'kymo record --waits on' records them from the beginning");
    is(
        "no time blocked over 50 ms",
        "unknown: nothing of the kernel in this recording; 'kymo record --kernel cswitch' records when threads run and wait");
    is(
        "no deadlock",
        "unknown: nothing of locks in this recording; 'kymo record --waits on' records what Java's threads wait for, --threads what those of native programs do");
    is(
        "p99 of b.B.fast below 5 ms",
        "unknown: no method is called b.B.fast in this recording; there is a.B.fast");
    is("no call of b.C.none", "ok: no method is called b.C.none in this recording");
    is("no damage", "ok");
  }

  @Test
  void numbersOfCalls() throws Exception {
    calls(main(), FAST, 0, 10, 5);
    calls(http(), FAST, 500, 10, 5);
    is("calls of a.B.fast below 21", "ok: 20 calls");
    is("calls of a.B.fast below 20", "violated: 20 calls | 1/2:0 http-1 9500-9505 number 20");
    is("calls of a.B.* at most 19", "violated: 20 calls | 1/2:0 http-1 9500-9505 number 20");
    is("calls of a.B.fast at most 20", "ok: 20 calls");
    is("calls of a.B.fast at least 21", "violated: 20 calls");
    is("calls of a.B.fast at least 10 in thread http-*", "ok: 10 calls");
    is("calls of a.B.fast above 10 in thread http-*", "violated: 10 calls");
    is(
        "calls of a.B.fast at most 3 from 7000 ns",
        "violated: 6 calls | 1/2:0 http-1 8500-8505 number 4");
  }

  @Test
  void quantilesAreExact() throws Exception {
    calls(main(), FAST, 0, 99, 100);
    calls(main(), FAST, 200_000, 1, 900);
    is("p99 of a.B.fast below 101 ns", "ok: 100 ns of 100 calls");
    is("p99 of a.B.fast at most 100 ns", "ok: 100 ns of 100 calls");
    is("longest of a.B.fast below 901 ns", "ok: 900 ns of 100 calls");
    is(
        "longest of a.B.fast below 900 ns",
        "violated: 900 ns of 100 calls | 1/1:0 main 200000-200900 a.B.fast");
    assertThat(judge("p99 of a.B.fast below 100 ns").outcome())
        .isEqualTo(RuleVerdict.Outcome.VIOLATED);
    assertThat(judge("p99.1 of a.B.fast below 900 ns").outcome())
        .isEqualTo(RuleVerdict.Outcome.VIOLATED);
    assertThat(judge("p99.1 of a.B.fast at least 900 ns").outcome())
        .isEqualTo(RuleVerdict.Outcome.OK);
    assertThat(judge("p99 of a.B.fast above 100 ns").outcome())
        .isEqualTo(RuleVerdict.Outcome.VIOLATED);
    is("mean of a.B.fast at most 108 ns", "ok: 108 ns of 100 calls");
    is(
        "self of a.B.fast below 10.8 us",
        "violated: 10.8 us of 100 calls | 1/1:0 main 200000-200900 a.B.fast | 1/1:0 main 0-100 a.B.fast");
  }

  /** A lost event may have been a call: only what that cannot change is known. */
  @Test
  void lossesLeaveOpenWhatTheyCouldChange() throws Exception {
    calls(main(), FAST, 0, 100, 5);
    http().enter(300_000, SLOW).leave(300_005, SLOW);
    main().lose(3).enter(200_000, FAST).leave(200_005, FAST);
    is("no loss in thread http-1", "ok");
    assertThat(judge("no loss").outcome()).isEqualTo(RuleVerdict.Outcome.VIOLATED);
    assertThat(judge("no loss").violations().getFirst().what()).isEqualTo("lost events: 3");
    is("calls of a.B.fast below 105", "ok: at least 101 calls");
    is(
        "calls of a.B.fast below 104",
        "unknown: at least 101 calls, but events were lost: gaps=1 events=3");
    is(
        "calls of a.B.fast below 101",
        "violated: at least 101 calls | 1/1:0 main 200000-200005 number 101");
    is("calls of a.B.fast at least 101", "ok: at least 101 calls");
    assertThat(judge("no call of a.B.fast over 5 ns").outcome())
        .isEqualTo(RuleVerdict.Outcome.UNKNOWN);
    assertThat(judge("no call of a.B.fast over 5 ns in thread http-1").outcome())
        .isEqualTo(RuleVerdict.Outcome.OK);
    assertThat(judge("no call of a.B.fast over 4 ns").outcome())
        .isEqualTo(RuleVerdict.Outcome.VIOLATED);
    assertThat(judge("p90 of a.B.fast below 6 ns").outcome()).isEqualTo(RuleVerdict.Outcome.OK);
    assertThat(judge("p99 of a.B.fast below 6 ns").outcome())
        .isEqualTo(RuleVerdict.Outcome.UNKNOWN);
    assertThat(judge("p99 of a.B.fast below 5 ns").outcome())
        .isEqualTo(RuleVerdict.Outcome.VIOLATED);
    assertThat(judge("rule \"x\": SELECT * FROM calls WHERE duration > 5;").outcome())
        .isEqualTo(RuleVerdict.Outcome.UNKNOWN);
  }

  @Test
  void eventsAndTheirFields() throws Exception {
    builder.define(1, new Definition.Subsystem(1, 5, "shop", "", ""));
    builder.define(
        1,
        new Definition.Event(
            ORDER, 1, 0, EventKind.INSTANT.number(), "ORDER", "", "u8 time; u8 total;"));
    main().own(100, ORDER, new byte[] {1, 7}).own(200, ORDER, new byte[] {2, 9});
    is("no event shop.ORDER with total > 9", "ok");
    is("no event shop.O* with total > 8", "violated: 1 event | 1/1:-1 main 100-100 total=9");
    is("no event shop.ORDER with time < 2", "violated: 1 event | 1/1:-1 main 0-0 time=1");
    is(
        "no event shop.ORDER with nothing > 8",
        "unknown: the event has no such field: event=shop.ORDER field=nothing fields=\"u8 time; u8 total;\"");
    is(
        "no event shop.ORDER",
        "violated: 2 events | 1/1:-1 main 0-0 shop.ORDER time=1 total=7 | 1/1:-1 main 100-100 shop.ORDER time=2 total=9");
    is("events of shop.* below 2", "violated: 2 events | 1/1:-1 main 100-100 number 2");
    is("events of shop.* at least 2", "ok: 2 events");
    is("no event shop.OTHER", "ok: no event is called shop.OTHER in this recording");
  }

  @Test
  void questions() throws Exception {
    calls(main(), FAST, 0, 3, 5);
    is("rule \"x\": SELECT 1 FROM calls WHERE duration > 5;", "ok");
    is(
        "rule \"x\": SELECT thread, process, begin, duration, depth, 7 AS n FROM calls ORDER BY begin;",
        "violated: 3 rows | 1/1:0 main 0-5 n=7 | 1/1:0 main 1000-1005 n=7");
    is("rule \"x\": SELECT 5 AS a, 'b' AS b;", "violated: 1 row | 0/0:-1  -1--1 a=5 b=b");
    assertThat(judge("rule \"x\": SELECT nothing FROM calls;").outcome())
        .isEqualTo(RuleVerdict.Outcome.FAILED);
    assertThat(judge("rule \"x\": FROM read_csv('/etc/passwd');").outcome())
        .isEqualTo(RuleVerdict.Outcome.FAILED);
  }

  /** Calls that the budget turned into numbers. */
  @Test
  void countedCallsCount() throws Exception {
    calls(main(), FAST, 0, 3, 5);
    calls(main(), SLOW, 5000, 1, 50);
    builder.at(8000).step(1, FAST, Definition.MethodMode.SAMPLED, 0, "");
    int sampled = Definition.MethodMode.SAMPLED;
    int[] histogram = new int[CountersLayout.BUCKETS];
    histogram[CountersLayout.bucket(6)] = 10;
    CountRecord count = new CountRecord(1, FAST, sampled, 1000, 10, 60, 60, 6, histogram);
    builder.counts(1).count(9000, count);
    main().enter(10_000, SLOW).leave(10_050, SLOW);
    is("calls of a.B.fast at most 1002", "violated: 1003 calls");
    is("calls of a.B.fast at most 1003", "ok: 1003 calls");
    assertThat(judge("no call of a.B.fast over 9 ns").outcome())
        .isEqualTo(RuleVerdict.Outcome.UNKNOWN);
    assertThat(judge("p50 of a.B.fast below 9 ns").outcome())
        .isEqualTo(RuleVerdict.Outcome.UNKNOWN);
    assertThat(judge("longest of a.B.fast below 5 ns").outcome())
        .isEqualTo(RuleVerdict.Outcome.VIOLATED);
    assertThat(judge("no call of a.B.fast").outcome()).isEqualTo(RuleVerdict.Outcome.VIOLATED);
    is("longest of a.B.slow at most 50 ns", "ok: 50 ns of 2 calls");
  }
}
