package dev.kymo.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.cli.Kymo;
import dev.kymo.format.Definition;
import dev.kymo.model.arrows.Arrows;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the reading commands say of locks of a small native program, to the letter. */
class LockReadingTest {
  private static final int LOCK = 20;
  private static final int UNLOCK = 21;
  private static final int NAME = 22;

  @TempDir Path directory;

  private Path recording = Path.of("");

  /**
   * Each thread takes what the other one has, one after the other; before, one has waited. What it
   * waited for stands in its own stream.
   */
  @BeforeEach
  void record() {
    RecordingBuilder r = new RecordingBuilder().at(900);
    r.process(1).thread(1, 1, "main").thread(1, 2, "worker");
    r.states(1, 3, 1, "main").states(1, 4, 2, "worker");
    r.method(1, 1, "", "run").method(1, 2, "", "push").method(1, 3, "mutex", "queue");
    r.define(1, new Definition.Subsystem(1, 7, "pthread", "", ""));
    event(r, LOCK, "mutex_lock", "u64 object; u64 caller; i32 result; u64 waited;");
    event(r, UNLOCK, "mutex_unlock", "u64 object; u64 caller; i32 result;");
    event(r, NAME, "name", "u64 object; str name;");
    StreamWriter main = r.ring(1, 0, 1);
    main.own(1000, NAME, name(0xa0, "queue"));
    main.enter(1010, 1);
    lock(main, 1020, 0xa0, 0);
    main.enter(1030, 2).leave(1400, 2);
    lock(main, 1450, 0xb0, 0);
    unlock(main, 1460, 0xb0);
    unlock(main, 1500, 0xa0);
    main.leave(1600, 1);
    StreamWriter worker = r.ring(1, 1, 2).enter(1040, 2);
    worker.switchTo(1100, 4).enter(1100, 3).switchTo(1101, 2);
    worker.switchTo(1510, 4).detail(1510, 0xa0 >> 3, 3).leave(1510, 3).switchTo(1511, 2);
    lock(worker, 1520, 0xa0, 420);
    unlock(worker, 1600, 0xa0);
    lock(worker, 1700, 0xb0, 0);
    lock(worker, 1710, 0xa0, 0);
    worker.leave(1800, 2);
    r.end(1, 0);
    recording = r.write(directory.resolve("locks.kymo"));
  }

  private static void event(RecordingBuilder to, int number, String name, String fields) {
    to.define(1, new Definition.Event(number, 1, number, 0, name, "", fields));
  }

  private static byte[] name(long object, String name) {
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    byte[] bytes = new byte[10 + text.length];
    ByteBuffer data = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    data.putLong(object).putShort((short) text.length).put(text);
    return bytes;
  }

  private static void lock(StreamWriter to, long at, long object, long waited) {
    byte[] bytes = new byte[28];
    ByteBuffer data = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    data.putLong(object).putLong(0x401000 + object).putInt(0).putLong(waited);
    to.own(at, LOCK, bytes);
  }

  private static void unlock(StreamWriter to, long at, long object) {
    byte[] bytes = new byte[20];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(object).putLong(1);
    to.own(at, UNLOCK, bytes);
  }

  private static String ok(Object... args) {
    Kymo kymo = Kymo.run(args);
    assertThat(kymo.err()).isEmpty();
    assertThat(kymo.code()).isZero();
    return kymo.out();
  }

  @Test
  void locks() {
    assertThat(ok("report", "--locks", recording))
        .isEqualTo(
            """
            acquired  contended          waited     p50     p99     max     held    p50     p99      max  threads          longest wait of  object
                   3          1  33.3 %  420 ns  420 ns  420 ns  420 ns  ≥650 ns  90 ns  480 ns  ≥480 ns        2  worker/2 at 0.000000100  mutex queue
                   2          0   0.0 %                                  ≥110 ns  10 ns  100 ns  ≥100 ns        2                           mutex 0xb0
            ≥ at least: locks were held at the end

              time           at  longest waits for locks
            420 ns  0.000000100  worker/2 waited for mutex queue, held by main/1 since 0.000000020, woken by main/1
                                   worker/2: push
                                   main/1: run > push

            possible deadlock of 2 threads
              main/1 had mutex queue and took mutex 0xb0
                mutex queue at 0.000000020: run
                mutex 0xb0 at 0.000000450: run
              worker/2 had mutex 0xb0 and took mutex queue
                mutex 0xb0 at 0.000000700: push
                mutex queue at 0.000000710: push
            """);
  }

  @Test
  void someOfThem() {
    assertThat(ok("report", "--locks", "--top", "0", "--filter", "queue", recording))
        .contains("mutex queue", "possible deadlock of 2 threads")
        .doesNotContain("longest waits");
    assertThat(ok("report", "--locks", "--limit", "1", "--thread", "main", recording))
        .contains("480 ns        1  mutex queue\n1 more rows, --limit 0 shows all")
        .doesNotContain("longest waits");
    assertThat(ok("report", "--locks", "--from", "10s", recording))
        .isEqualTo("nothing of locks in the part asked for\n");
  }

  @Test
  void csv() {
    assertThat(ok("report", "--locks", "--csv", recording))
        .isEqualTo(
            """
            object,kind,name,address,process,acquired,contended,failed,waited_ns,waited_p50_ns,waited_p99_ns,waited_max_ns,held_ns,held_p50_ns,held_p99_ns,held_max_ns,threads,longest_thread,longest_thread_name,longest_begin_ns,held_at_end,waiting_at_end,at_least
            mutex queue,mutex,queue,0xa0,1,3,1,0,420,420,420,420,650,90,480,480,2,2,worker,100,1,0,false
            mutex 0xb0,mutex,,0xb0,1,2,0,0,0,,,,110,10,100,100,2,,,,1,0,false
            """);
  }

  @Test
  void json() {
    assertThat(ok("report", "--locks", "--json", recording).replaceAll("\\s+", " "))
        .contains("\"object\" : \"mutex queue\", \"kind\" : \"mutex\", \"name\" : \"queue\"")
        .contains("\"address\" : \"0xa0\", \"process\" : 1, \"acquired\" : 3, \"contended\" : 1,")
        .contains(
            "\"longestThread\" : 2, \"longestThreadName\" : \"worker\", \"longestBegin\" : 100,"
                + " \"heldAtEnd\" : 1")
        .contains("\"holder\" : { \"thread\" : \"main\", \"threadNumber\" : 1, \"process\" : 1,")
        .contains("\"caller\" : \"0x4010a0\", \"calls\" : [ \"run\", \"push\" ]")
        .contains("\"deadlocks\" : [ [ { \"thread\" : \"main\"")
        .contains("\"moreDeadlocks\" : false, \"oddities\" : [ ]");
  }

  @Test
  void waits() {
    assertThat(ok("report", "--waits", recording))
        .isEqualTo(
            """
            count   total     avg     p50     p99     max                longest at  waited for
                1  410 ns  410 ns  410 ns  410 ns  410 ns  1/4:0@0.000000100 worker  mutex queue
            """);
  }

  @Test
  void replay() {
    assertThat(ok("replay", "--thread", "worker", recording))
        .isEqualTo(
            """
            # process 1, thread 2 "worker"
            0.000000040      760 ns  push();
            # process 1, waits of thread, track 4 "worker"
            0.000000100      410 ns  waited for mutex queue@14, released by main
            """);
  }

  @Test
  void arrowsComeFromTheOneThatReleased() throws Exception {
    try (Timeline timeline = Timelines.open(recording, ProgressListener.NONE)) {
      assertThat(timeline.arrows(0, 1000, 10).arrows())
          .singleElement()
          .satisfies(arrow -> {
            assertThat(arrow)
                .extracting(Arrows.Arrow::time, Arrows.Arrow::waited)
                .containsExactly(510L, 410L);
            assertThat(timeline.tracks().get(arrow.fromTrack()).name()).isEqualTo("main");
            assertThat(timeline.tracks().get(arrow.toTrack()).name()).isEqualTo("worker");
          });
    }
  }

  @Test
  void ofJavaItSaysWhatIsNotKnown() {
    RecordingBuilder r = new RecordingBuilder().process(1).thread(1, 1, "main");
    r.thread(1, 2, "other").states(1, 3, 1, "main").states(1, 4, 2, "other");
    r.method(1, 1, "a.B", "x").method(1, 2, "monitor", "a.C");
    r.ring(1, 0, 1).enter(1000, 1).leave(2000, 1);
    r.ring(1, 1, 2).enter(1000, 1).leave(2000, 1);
    r.ring(1, 2, 3).enter(1100, 2).detail(1300, 0x1f, 4).leave(1300, 2);
    assertThat(ok("report", "--locks", r.write(directory.resolve("java.kymo"))))
        .isEqualTo(
            """
            acquired  contended  waited     p50     p99     max  held  p50  p99  max  threads        longest wait of  object
                   ?          1  200 ns  200 ns  200 ns  200 ns     ?    ?    ?    ?        1  main/1 at 0.000000100  monitor a.C@1f
            ? not known: of Java's locks only waits are recorded, not who took them without waiting, nor how long they were held

              time           at  longest waits for locks
            200 ns  0.000000100  main/1 waited for monitor a.C@1f, woken by other/2
                                   main/1: a.B.x
            """);
  }

  @Test
  void withoutAnyItSaysHowToGetThem() {
    RecordingBuilder r = new RecordingBuilder().process(1).thread(1, 1, "main");
    r.method(1, 1, "a.B", "x").ring(1, 0, 1).enter(100, 1).leave(200, 1);
    Path none = r.write(directory.resolve("none.kymo"));
    assertThat(ok("report", "--locks", none))
        .isEqualTo(
            "no thread operations in this recording; 'kymo record --threads' records those of"
                + " native programs, 'kymo record --waits on' what Java's threads wait for\n");
    Kymo json = Kymo.run("report", "--locks", "--json", none);
    assertThat(json.err()).startsWith("kymo: no thread operations in this recording;");
    assertThat(json.out()).contains("\"locks\" : [ ]");
  }

  @Test
  void itHasOneOrder() {
    Kymo kymo = Kymo.run("report", "--locks", "--sort", "calls", recording);
    assertThat(kymo.err()).isEqualTo("kymo: --locks has one order and a row for each lock\n");
    assertThat(kymo.code()).isEqualTo(2);
    Kymo top = Kymo.run("report", "--locks", "--top", "-1", recording);
    assertThat(top.err()).isEqualTo("kymo: --top is a number from 0 on: top=-1\n");
  }
}
