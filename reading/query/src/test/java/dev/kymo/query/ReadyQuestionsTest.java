package dev.kymo.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.format.Definition;
import dev.kymo.format.EventKind;
import dev.kymo.query.ask.Questions;
import dev.kymo.query.library.Library;
import dev.kymo.query.library.ReadyQuestion;
import dev.kymo.testkit.KernelTracks;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ready questions and functions against answers made by hand, and against plain SQL. */
class ReadyQuestionsTest {
  private static final int SERVE = 1;
  private static final int LOOK = 2;
  private static final int LOCK = 3;
  private static final int SLEEP = 4;
  private static final int WEAVING = 5;
  private static final int KERNEL = 2;

  @TempDir Path folder;

  private Asking open(RecordingBuilder r) throws Exception {
    return new Asking(r.write(folder.resolve("r")), folder);
  }

  private static RecordingBuilder threads(int count) {
    RecordingBuilder r = new RecordingBuilder().process(1);
    r.method(1, SERVE, "a.Desk", "serve").method(1, LOOK, "a.Desk", "look");
    r.method(1, LOCK, "monitor", "a.Lock").method(1, SLEEP, "sleep", "sleep");
    r.method(1, WEAVING, "weaving", "a.New");
    for (int thread = 1; thread <= count; thread++) {
      r.thread(1, thread, "t" + thread).states(1, 10 + thread, thread, "t" + thread);
    }
    return r;
  }

  private static void await(RecordingBuilder r, int thread, long begin, long end, int by) {
    int state = by == 0 ? SLEEP : LOCK;
    r.ring(1, 10 + thread, 10 + thread)
        .enter(begin, state)
        .detail(end, 77, by == 0 ? 0 : 10 + by)
        .leave(end, state);
  }

  /** Two threads; what the kernel did with the first one overlaps its calls in all ways. */
  private RecordingBuilder desk() {
    RecordingBuilder r = threads(2);
    r.ring(1, 1, 1)
        .enter(0, SERVE)
        .enter(20, LOOK)
        .enter(30, SERVE)
        .leave(40, SERVE)
        .leave(50, LOOK)
        .leave(100, SERVE)
        .enter(150, SERVE)
        .leave(150, SERVE)
        .enter(150, SERVE)
        .leave(250, SERVE)
        .enter(300, LOOK)
        .leave(400, LOOK);
    r.ring(1, 2, 2).enter(10, SERVE).leave(70, SERVE);
    await(r, 1, 60, 90, 2);
    await(r, 2, 20, 30, 1);
    KernelTracks kernel = new KernelTracks(r, KERNEL).thread(1, 1001, 2001, "t1");
    kernel.state(1, 0, 10, "running", "0").state(1, 10, 60, "blocked", "futex");
    kernel.state(1, 60, 60, "runnable", "").state(1, 60, 200, "running", "0");
    kernel.state(1, 200, 400, "blocked", "futex");
    return r;
  }

  @Test
  void timeInStatesDuringCallsIsOneLine() throws Exception {
    try (Asking desk = open(desk())) {
      String sums =
          "SELECT category, pieces, duration FROM states_during('a.Desk.serve') ORDER BY 1";
      // Running: 0-10, 60-100, 150-200; blocked: 10-60, 200-250.
      assertThat(desk.ask(sums)).containsExactly("blocked 2 100", "running 3 100");
      assertThat(
              desk.ask(
                  "SELECT call, category, begin, duration FROM states_in('*.serve') ORDER BY begin"))
          .containsExactly(
              "0 running 0 10",
              "0 blocked 10 50",
              "0 running 60 40",
              "4 running 150 50",
              "4 blocked 200 50");
      assertThat(desk.ask("SELECT thread, begin, duration FROM waits_in('a.Desk.*') ORDER BY ALL"))
          .containsExactly("1 60 30", "2 20 10");
      assertThat(desk.ask("SELECT category, duration FROM waits_during('a.Desk.serve')"))
          .containsExactly("monitor 40");
      assertThat(
              desk.ask(
                  "SELECT begin, category, since FROM states_at('a.Desk.*') WHERE thread = 1 ORDER BY call"))
          .contains("0 running 0", "20 blocked 10", "150 running 60", "300 blocked 200")
          .hasSize(6);
    }
  }

  @Test
  void namesMatchWithStars() throws Exception {
    try (Asking desk = open(desk())) {
      String matches = "SELECT named('a.Desk[1].x(int*)', '%s')";
      for (String yes : List.of("a.Desk[1].x(int*)", "a.Desk[1].*", "*", "a*[1]*)", "*x(int*)")) {
        assertThat(desk.ask(matches.formatted(yes))).as(yes).containsExactly("true");
      }
      for (String no : List.of("a.Desk", "a_Desk[1].x(int*)", "a.Desk?1?*", "", "*[2]*")) {
        assertThat(desk.ask(matches.formatted(no))).as(no).containsExactly("false");
      }
    }
  }

  /** Against the join of all with all, whatever the calls and states are. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void piecesAreThoseOfTheWholeJoin(long seed) throws Exception {
    System.out.println("seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    RecordingBuilder r = threads(3);
    KernelTracks kernel = new KernelTracks(r, KERNEL);
    for (int thread = 1; thread <= 3; thread++) {
      kernel.thread(thread, 1001, 2000 + thread, "t" + thread);
      StreamWriter ring = r.ring(1, thread, thread);
      long call = random.nextInt(10);
      long state = random.nextInt(10);
      for (int i = 0; i < 200; i++) {
        long next = call + random.nextInt(20);
        int method = 1 + random.nextInt(2);
        ring.enter(call, method).enter(call, SERVE).leave(next, SERVE).leave(next, method);
        call = next + random.nextInt(10);
        long then = state + random.nextInt(25);
        kernel.state(thread, state, then, random.nextBoolean() ? "running" : "blocked", "x");
        state = then + random.nextInt(3);
      }
    }
    try (Asking made = open(r)) {
      String sum =
          "SELECT c.thread, call, s.category, c.begin, sum(overlap(c.begin, c.finish, s.begin, s.finish)) AS ns ";
      List<String> joined =
          made.ask(
              sum
                  + "FROM outermost_calls_of('a.Desk.*') c JOIN states s USING (recording, process, thread) "
                  + "WHERE s.begin < c.finish AND s.finish > c.begin GROUP BY ALL HAVING ns > 0 ORDER BY ALL");
      assertThat(joined).hasSizeGreaterThan(300);
      assertThat(
              made.ask(
                  "SELECT thread, call, category, call_begin, sum(duration) FROM states_in('a.Desk.*') "
                      + "GROUP BY ALL ORDER BY ALL"))
          .isEqualTo(joined);
      assertThat(made.ask("SELECT call FROM outermost_calls_of('a.Desk.*') ORDER BY thread, call"))
          .isEqualTo(made.ask("SELECT call FROM calls WHERE depth = 0 ORDER BY thread, call"));
    }
  }

  @Test
  void timesOfCalls() throws Exception {
    RecordingBuilder r = threads(1);
    StreamWriter ring = r.ring(1, 1, 1);
    for (int i = 0; i < 100; i++) {
      ring.enter(i * 1000L, SERVE).leave(i * 1000L + 1 + i, SERVE);
    }
    try (Asking calls = open(r)) {
      Map<String, String> inTwo = Map.of("bucket", "50us", "method", "*");
      List<String> rows = calls.ready("percentiles", "time, calls, p50, p90, p99, longest", inTwo);
      assertThat(rows).hasSize(2);
      // Quantiles are within a hundredth of the rows of exact ones.
      near(rows.get(0), 0, 50, 25, 45, 50, 50);
      near(rows.get(1), 50_000, 50, 75, 95, 100, 100);
      near(
          calls.ask("SELECT calls, p50, p90, p99, longest FROM percentiles_of('*')").getFirst(),
          100,
          50,
          90,
          99,
          100);
      assertThat(calls.ready("slowest", "begin, duration", Map.of("most", "2")))
          .containsExactly("99000 100", "98000 99");
      assertThat(calls.ready("costs", "method, calls, self, percent, longest", Map.of()))
          .containsExactly("a.Desk.serve 100 5050 100.0 100");
      assertThat(calls.ready("rate", "time, calls, mean, longest", Map.of("bucket", "40us")))
          .containsExactly("0 40 20 40", "40000 40 60 80", "80000 20 90 100");
      assertThat(calls.ready("idle", "begin, duration", Map.of("most", "1")))
          .containsExactly("1 999");
      assertThat(calls.ready("idle", "begin, duration", Map.of("thread", "x*"))).isEmpty();
    }
  }

  private static void near(String row, long... expected) {
    String[] columns = row.split(" ");
    assertThat(columns).hasSameSizeAs(new Object[expected.length]);
    for (int i = 0; i < expected.length; i++) {
      assertThat(Long.parseLong(columns[i])).as(row).isBetween(expected[i] - 1, expected[i] + 1);
    }
  }

  @Test
  void whereTheTimeOfRequestsWent() throws Exception {
    try (Asking desk = open(desk())) {
      Map<String, String> serve = Map.of("method", "a.Desk.serve");
      assertThat(
              desk.ask(
                  "SELECT thread, begin, split_part(state, ' ', 1), spent, percent FROM (%s) ORDER BY 1, 2, 3"
                      .formatted(Library.find("allocation").orElseThrow().sql(serve))))
          .containsExactly(
              "1 0 blocked 50 50.0",
              "1 0 running 50 50.0",
              "1 150 blocked 50 50.0",
              "1 150 running 50 50.0",
              "2 10 (no 60 100.0");
      assertThat(
              desk.ready(
                  "allocation",
                  "thread, begin, duration, state, spent",
                  Map.of("method", "*serve", "told_by", "program")))
          .containsExactly(
              "1 0 100 (no other) 70",
              "1 0 100 monitor a.Lock 30",
              "1 150 100 (no other) 100",
              "2 10 60 (no other) 50",
              "2 10 60 monitor a.Lock 10");
      assertThat(desk.ready("states", "told_by, duration, percent_of_calls", serve))
          .containsExactlyInAnyOrder("kernel 100 38.46", "kernel 100 38.46", "program 40 15.38");
    }
  }

  @Test
  void whoWaitedTogether() throws Exception {
    RecordingBuilder r = threads(3);
    for (int thread = 1; thread <= 3; thread++) {
      r.ring(1, thread, thread).enter(0, SERVE).leave(1000, SERVE);
    }
    await(r, 1, 100, 200, 2);
    await(r, 2, 150, 300, 3);
    await(r, 3, 180, 200, 1);
    await(r, 1, 200, 220, 2); // one stops when another begins: still two
    await(r, 1, 400, 500, 2);
    await(r, 2, 500, 600, 1); // one after the other
    await(r, 1, 700, 800, 0);
    await(r, 2, 700, 800, 0); // asleep
    try (Asking made = open(r)) {
      assertThat(made.ready("convoys", "begin, finish, duration, most, waited", Map.of()))
          .containsExactly("150 220 70 3 160");
      assertThat(made.ready("convoys", "begin, finish", Map.of("waiters", "3")))
          .containsExactly("180 200");
      assertThat(made.ready("convoys", "begin", Map.of("longer", "71ns"))).isEmpty();
      assertThat(
              made.ready("waits", "thread, begin, duration, ended_by", Map.of("longer", "100ns")))
          .containsExactlyInAnyOrder(
              "2 150 150 t3",
              "1 100 100 t2",
              "1 400 100 t2",
              "2 500 100 t1",
              "1 700 100 null",
              "2 700 100 null");
    }
  }

  /** Thread 3 waits for 2, which waited for 1, which slept; the kernel tells of one more. */
  @Test
  void whatDecidedHowLongItTook() throws Exception {
    RecordingBuilder r = threads(3);
    for (int thread = 1; thread <= 3; thread++) {
      int method = thread == 3 ? SERVE : LOOK;
      r.ring(1, thread, thread).enter(thread - 1, method).leave(1000, method);
    }
    await(r, 1, 100, 300, 0);
    await(r, 2, 50, 500, 1);
    await(r, 3, 400, 800, 2);
    r.ring(1, 13, 13).enter(900, WEAVING).leave(910, WEAVING);
    KernelTracks kernel = new KernelTracks(r, KERNEL).thread(2, 1001, 2002, "t2");
    kernel.state(2, 60, 499, "blocked", "futex").state(2, 600, 650, "blocked", "disk");
    r.define(1, new Definition.Subsystem(1, 9, "shop", "", ""));
    r.define(1, new Definition.Event(21, 1, 0, EventKind.INSTANT.number(), "IN", "", ""));
    r.define(1, new Definition.Event(22, 1, 1, EventKind.INSTANT.number(), "OUT", "", ""));
    try (Asking made = open(r)) {
      List<String> path =
          List.of(
              "1 did  2 100",
              "1 waited sleep sleep 100 300",
              "1 did  300 500",
              "2 did  500 600",
              "2 waited disk 600 650",
              "2 did  650 800",
              "3 did  800 1000");
      String columns = "thread, did, replace(state, 'blocked ', ''), begin, finish";
      assertThat(made.ready("path-of-slowest", columns, Map.of("method", "*serve")))
          .isEqualTo(path);
      assertThat(
              made.ready("path-between", columns, Map.of("first", "shop.IN", "last", "shop.OUT")))
          .isEmpty();
    }
  }

  @Test
  void pathFromOneEventToTheNext() throws Exception {
    RecordingBuilder r = threads(2);
    r.define(1, new Definition.Subsystem(1, 9, "shop", "", ""));
    r.define(1, new Definition.Event(21, 1, 0, EventKind.INSTANT.number(), "IN", "", ""));
    r.define(1, new Definition.Event(22, 1, 1, EventKind.INSTANT.number(), "OUT", "", ""));
    r.ring(1, 1, 1).enter(0, SERVE).own(50, 22, 1).own(100, 21, 1).leave(1000, SERVE);
    r.ring(1, 2, 2).enter(0, LOOK).own(700, 22, 1).own(800, 22, 1).leave(1000, LOOK);
    await(r, 2, 200, 400, 1);
    try (Asking made = open(r)) {
      assertThat(
              made.ready(
                  "path-between",
                  "thread, thread_name, did, begin, finish",
                  Map.of("first", "shop.IN", "last", "shop.OUT")))
          .containsExactly("1 t1 did 100 400", "2 t2 did 400 700");
    }
  }

  @Test
  void whoSendsMost() throws Exception {
    RecordingBuilder r = threads(2);
    r.define(1, new Definition.Subsystem(1, 9, "bus", "", ""));
    r.define(1, new Definition.Event(21, 1, 0, EventKind.SEND.number(), "ASK", "", "u64 key;"));
    r.define(1, new Definition.Event(22, 1, 1, EventKind.RECEIVE.number(), "GOT", "", "u64 key;"));
    r.ring(1, 1, 1).own(0, 21, 1).own(10, 21, 2).own(20, 21, 3).own(95, 22, 4);
    r.ring(1, 2, 2).own(30, 22, 1).own(40, 22, 2).own(80, 22, 3).own(90, 21, 4);
    try (Asking made = open(r)) {
      assertThat(made.ready("talkers", "sender, receiver, message, messages, longest", Map.of()))
          .containsExactly("t1 t2 bus.ASK 3 60", "t2 t1 bus.ASK 1 5");
    }
  }

  @Test
  void whatWasLost() throws Exception {
    RecordingBuilder r = threads(1);
    r.ring(1, 1, 1).enter(100, SERVE).leave(200, SERVE);
    r.ring(1, 1, 1).lose(5).enter(400, SERVE).leave(500, SERVE);
    try (Asking made = open(r)) {
      assertThat(made.ready("losses", "thread_name, lost", Map.of())).containsExactly("t1 5");
    }
  }

  /** Each is asked of recordings that have nothing of what it is about. */
  @Test
  void allAreAnsweredByAnEmptyRecording() throws Exception {
    try (Asking empty = open(new RecordingBuilder().process(1))) {
      for (ReadyQuestion question : Library.all()) {
        assertThat(empty.ask(question.sql(Map.of()))).as(question.name()).isEmpty();
      }
    }
  }

  @Test
  void allFilesAreListed() throws Exception {
    Path files = Path.of(Library.class.getResource("costs.sql").toURI()).getParent();
    try (var found = Files.list(files)) {
      assertThat(
              found
                  .map(Path::getFileName)
                  .map(Path::toString)
                  .filter(name -> name.endsWith(".sql")))
          .containsExactlyInAnyOrderElementsOf(
              Library.all().stream().map(question -> question.name() + ".sql").toList());
    }
    assertThat(Library.all())
        .allMatch(question -> !question.description().isEmpty())
        .allMatch(question -> question.sql(Map.of()).indexOf('$') < 0);
  }

  @Test
  void valuesAreValuesOnly() {
    ReadyQuestion slowest = Library.find("slowest").orElseThrow();
    assertThat(slowest.sql(Map.of("method", "a'; DROP TABLE x; --")))
        .contains("calls_of('a''; DROP TABLE x; --')");
    assertThatThrownBy(() -> slowest.sql(Map.of("most", "1; SELECT")))
        .hasMessage("not a whole number: most=1; SELECT");
    assertThatThrownBy(() -> slowest.sql(Map.of("least", "1")))
        .hasMessage("question slowest has no such parameter: least; it has: method, most");
    ReadyQuestion rate = Library.find("rate").orElseThrow();
    assertThat(rate.sql(Map.of("bucket", "1.5min"))).contains("begin // 90000000000");
    assertThatThrownBy(() -> rate.sql(Map.of("bucket", "1 day")))
        .hasMessage("not a time such as 1h, 1.5s, 200ms or 10us: bucket=1 day");
  }

  @Test
  void functionsAreDescribed() {
    assertThat(Questions.functions())
        .extracting(Questions.FunctionText::call)
        .contains("overlap(begin1, finish1, begin2, finish2)", "states_during(pattern)")
        .hasSize(13);
    assertThat(Questions.functions()).allMatch(function -> !function.meaning().isEmpty());
  }
}
