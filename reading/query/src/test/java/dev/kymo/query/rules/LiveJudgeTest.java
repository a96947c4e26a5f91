package dev.kymo.query.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kymo.format.Clock;
import dev.kymo.format.Definition;
import dev.kymo.format.Definition.TracedThread;
import dev.kymo.format.ThreadRecord;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Thread 1 is a platform thread, 2 what it waits for, 3 and 4 are virtual; method 7 is a.B.c. */
class LiveJudgeTest {
  private static final int CALL = 7;
  private static final int OTHER = 8;
  private static final int MONITOR = 9;
  private static final int WEAVING = 10;
  private static final int EVENT = 11;
  private static final long BEGIN = 0xFFFF_FF00L; // the clock's low half wraps soon

  private final List<String> told = new ArrayList<>();
  private final ByteBuffer records = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);

  private LiveJudge judge(String... rules) throws RuleException {
    LiveJudge judge = new LiveJudge(Rules.parse("r", String.join("\n", rules)), told::add);
    judge.clock(new Clock(Clock.MONOTONIC, 1_000_000_000, 0));
    type(judge, 1, "a.B", CALL, "c");
    type(judge, 1, "a.B", OTHER, "d");
    type(judge, 2, "monitor", MONITOR, "int[]");
    type(judge, 3, "weaving", WEAVING, "a.B");
    judge.define(1, new Definition.Subsystem(5, 0, "shop", "", ""));
    judge.define(1, new Definition.Event(EVENT, 5, 0, 0, "ORDER", "", ""));
    judge.define(1, new TracedThread(1, TracedThread.PLATFORM, 1, 1, "main"));
    judge.define(1, new TracedThread(2, TracedThread.STATES, 1, 0, "main"));
    judge.define(1, new TracedThread(3, TracedThread.VIRTUAL, 3, 0, "v3"));
    judge.define(1, new TracedThread(4, TracedThread.VIRTUAL, 4, 0, "v4"));
    return judge;
  }

  private static void type(LiveJudge judge, int type, String name, int method, String called) {
    judge.define(1, new Definition.Type(type, name, "", ""));
    judge.define(1, new Definition.Method(method, type, 0, 0, called, "()V"));
  }

  private LiveJudgeTest with(int id, long clock, int payload) {
    records.putLong(ThreadRecord.compact(id, clock, payload));
    if (id == ThreadRecord.EVENT) {
      records.putLong(0x0303_0303_0303_0303L);
    }
    return this;
  }

  private void to(LiveJudge judge, int ring) {
    judge.records(1, ring, records.flip());
    records.clear();
  }

  private static List<String> found(LiveJudge judge, long now) {
    return judge.look(now).stream()
        .map(v ->
            "%d+%d %s %d %s"
                .formatted(
                    v.begin() - BEGIN,
                    v.end() - v.begin(),
                    v.open() ? "open" : "over",
                    v.thread(),
                    v.what()))
        .toList();
  }

  @Test
  void onlyTheSlowCallIsFound() throws Exception {
    LiveJudge judge = judge("no call of a.B.c over 100 ns");
    judge.packet(1, 1, 1, BEGIN);
    for (int i = 0; i < 20; i++) {
      with(ThreadRecord.ENTER, BEGIN + i * 100L, CALL)
          .with(ThreadRecord.ENTER, BEGIN + i * 100L + 1, OTHER)
          .with(ThreadRecord.LEAVE, BEGIN + i * 100L + 2, OTHER)
          .with(ThreadRecord.LEAVE, BEGIN + i * 100L + 100, CALL);
    }
    with(ThreadRecord.ENTER, BEGIN + 2000, CALL);
    to(judge, 1);
    assertThat(found(judge, BEGIN + 2100)).isEmpty();
    with(ThreadRecord.UNWIND, BEGIN + 2101, CALL).to(judge, 1);
    assertThat(found(judge, BEGIN + 2200)).containsExactly("2000+101 over 1 a.B.c");
    assertThat(found(judge, BEGIN + 9000)).isEmpty();
  }

  @Test
  void aCallThatHangsIsFoundOnce() throws Exception {
    LiveJudge judge = judge("no call of a.* over 100 ns");
    judge.packet(1, 1, 1, BEGIN);
    with(ThreadRecord.ENTER, BEGIN + 5, CALL).to(judge, 1);
    assertThat(found(judge, BEGIN + 105)).isEmpty();
    assertThat(found(judge, BEGIN + 106)).containsExactly("5+101 open 1 a.B.c");
    assertThat(found(judge, BEGIN + 500)).isEmpty();
    with(ThreadRecord.LEAVE, BEGIN + 600, CALL).to(judge, 1);
    assertThat(found(judge, BEGIN + 700)).isEmpty();
  }

  @Test
  void anyCallAndAnyEvent() throws Exception {
    LiveJudge judge = judge("no call of a.B.d", "no event shop.ORDER in thread main");
    judge.packet(1, 1, 1, BEGIN);
    with(ThreadRecord.EVENT, BEGIN, EVENT).with(ThreadRecord.ENTER, BEGIN + 1, OTHER).to(judge, 1);
    judge.packet(1, 2, 3, BEGIN);
    with(ThreadRecord.EVENT, BEGIN + 2, EVENT).to(judge, 2);
    assertThat(found(judge, BEGIN + 3))
        .containsExactly("0+0 over 1 shop.ORDER", "1+0 open 1 a.B.d");
  }

  @Test
  void waitsAreThoseOfTracksOfStates() throws Exception {
    LiveJudge judge = judge("no wait over 10 ns", "no wait for monitor over 10 ns in thread x");
    judge.packet(1, 1, 2, BEGIN);
    with(ThreadRecord.ENTER, BEGIN, MONITOR).with(ThreadRecord.LEAVE, BEGIN + 50, MONITOR);
    with(ThreadRecord.ENTER, BEGIN + 60, WEAVING).with(ThreadRecord.LEAVE, BEGIN + 99, WEAVING);
    to(judge, 1);
    judge.packet(1, 2, 1, BEGIN);
    with(ThreadRecord.ENTER, BEGIN, MONITOR).with(ThreadRecord.LEAVE, BEGIN + 50, MONITOR);
    to(judge, 2);
    assertThat(found(judge, BEGIN + 100)).containsExactly("0+50 over 2 monitor.int[]");
  }

  @Test
  void nothingIsKnownOfWhatWasMissed() throws Exception {
    LiveJudge judge = judge("no call of a.B.c over 100 ns");
    judge.packet(1, 1, 1, BEGIN);
    with(ThreadRecord.ENTER, BEGIN, CALL).with(ThreadRecord.SWITCH, BEGIN + 1, 3);
    with(ThreadRecord.ENTER, BEGIN + 1, CALL).with(ThreadRecord.SWITCH, BEGIN + 2, 4).to(judge, 1);
    judge.missed(1, 2);
    judge.packet(1, 2, 4, BEGIN + 40);
    with(ThreadRecord.LEAVE, BEGIN + 500, CALL).to(judge, 2);
    assertThat(found(judge, BEGIN + 600)).containsExactly("0+600 open 1 a.B.c");
    assertThat(judge.missed()).isEqualTo(1);
  }

  @Test
  void aVirtualThreadMovesFromRingToRing() throws Exception {
    LiveJudge judge = judge("no call of a.B.c over 100 ns");
    judge.packet(1, 1, 3, BEGIN);
    with(ThreadRecord.ENTER, BEGIN, CALL).to(judge, 1);
    judge.packet(1, 2, 4, BEGIN);
    with(ThreadRecord.SWITCH, BEGIN + 150, 3).with(ThreadRecord.LEAVE, BEGIN + 151, CALL);
    to(judge, 2);
    assertThat(found(judge, BEGIN + 160)).containsExactly("0+151 over 3 a.B.c");
  }

  @Test
  void whatHasEndedDoesNotHang() throws Exception {
    LiveJudge judge = judge("no call of a.B.c over 100 ns");
    judge.packet(1, 1, 1, BEGIN);
    with(ThreadRecord.ENTER, BEGIN, CALL).to(judge, 1);
    judge.define(0, new Definition.ProcessEnd(1, Definition.ProcessEnd.KILLED, 0));
    assertThat(found(judge, BEGIN + 600)).isEmpty();
    with(ThreadRecord.ENTER, BEGIN + 700, CALL).to(judge, 1);
    judge.packet(1, 1, 12, BEGIN + 701); // another thread has its ring
    assertThat(found(judge, BEGIN + 9000)).isEmpty();
  }

  @Test
  void countedCallsAreSaid() throws Exception {
    LiveJudge judge = judge("no call of a.B.c over 100 ns");
    judge.define(1, new Definition.MethodMode(OTHER, 2, 1, "busy"));
    assertThat(told).isEmpty();
    judge.define(1, new Definition.MethodMode(CALL, 2, 1, "busy"));
    assertThat(told).hasSize(1);
    assertThat(told.getFirst()).contains("method=a.B.c", "--budget none");
  }

  @Test
  void damagedRecordsHarmNothing() throws Exception {
    LiveJudge judge = judge("no call of a.B.c over 100 ns", "no event shop.ORDER");
    new SplittableRandom(1).nextBytes(records.array());
    records.position(records.capacity());
    judge.packet(1, 1, 1, BEGIN);
    to(judge, 1);
    assertThat(judge.look(BEGIN)).hasSizeLessThanOrEqualTo(1000);
  }

  @Test
  void rulesThatNeedMoreAreRefused() {
    for (String rule :
        List.of(
            "no loss",
            "p99 of a.B.c below 5 ms",
            "calls of a.B.c below 3",
            "no event shop.ORDER with total > 3",
            "no call of a.B.c over 3 ms from 2 s",
            "no wait over 3 ms during a.B.c")) {
      RuleException thrown = catchThrowableOfType(RuleException.class, () -> judge(rule));
      assertThat(thrown).as(rule).isNotNull();
      assertThat(thrown.problems()).hasSize(1);
      assertThat(thrown.problems().getFirst()).contains(rule, "while recording, only");
    }
  }
}
