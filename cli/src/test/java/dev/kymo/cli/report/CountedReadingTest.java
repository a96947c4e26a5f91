package dev.kymo.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.cli.Kymo;
import dev.kymo.format.CountRecord;
import dev.kymo.format.CountersLayout;
import dev.kymo.format.Definition;
import dev.kymo.format.Definition.MethodMode;
import dev.kymo.testkit.RecordingBuilder;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the reading commands say of counted calls, budget, steps and states, to the letter. */
class CountedReadingTest {
  @TempDir Path directory;

  private Path recording = Path.of("");

  @BeforeEach
  void record() {
    RecordingBuilder r = new RecordingBuilder().at(900);
    r.process(1).thread(1, 1, "main").states(1, 2, 1, "main").states(1, 3, 9, "worker");
    r.define(1, new Definition.ProbeCost(1, 50_000, 10_000, 15_000, 20_000, 2_000, 3_000));
    r.method(1, 1, "a.B", "run").method(1, 2, "a.B", "step").method(1, 3, "a.B", "tiny");
    r.method(1, 4, "a.B", "gone").method(1, 5, "monitor", "a.Lock").method(1, 6, "sleep", "");
    r.at(1500).step(1, 3, MethodMode.TIMED, MethodMode.EVENTS, "50 ns a call, 2 M a second");
    r.at(2000).step(1, 3, MethodMode.SAMPLED, MethodMode.TIMED, "still 8 % of main");
    r.at(4000).step(1, 4, MethodMode.LEFT_OUT, MethodMode.SAMPLED, "3 % of main");
    r.ring(1, 0, 1).enter(1000, 1).enter(1100, 2).leave(3100, 2).leave(20_001_000, 1);
    r.ring(1, 1, 2).enter(3200, 5).detail(5200, 0x1f, 3).leave(5200, 5).enter(6000, 6);
    r.ring(1, 1, 2).leave(9000, 6);
    r.counts(1).count(20_001_000, count(MethodMode.TIMED, 1000, 1000, 40_000));
    r.counts(1).count(20_001_000, spent(3, MethodMode.SAMPLED, 20_000, 100, 800_000));
    r.counts(1).count(20_001_000, spent(1, MethodMode.EVENTS, 0, 0, 840_000));
    r.at(20_001_000).define(1, new Definition.OwnCost(1, 1_000_000, 12, 500_000, 40_000_000));
    r.define(1, new Definition.ProcessorTime(1, 50_000_000, 20_000_000));
    r.define(0, new Definition.OwnCost(0, 0, 0, 2_000_000, 40_000_000)).end(1, 0);
    recording = r.write(directory.resolve("counted.kymo"));
  }

  private static CountRecord count(int mode, long calls, long timed, long ticks) {
    int[] histogram = new int[CountersLayout.BUCKETS];
    histogram[CountersLayout.bucket(40)] = (int) timed;
    return new CountRecord(1, 3, mode, calls, timed, ticks, ticks, 47, histogram);
  }

  private static CountRecord spent(int method, int mode, long calls, long timed, long total) {
    CountRecord known = count(mode, calls, timed, 40 * timed);
    var spent =
        new CountRecord.Spent(total, mode == MethodMode.EVENTS ? 0 : total, 100, 1000, 0, 1500);
    return new CountRecord(
        1, method, mode, calls, timed, 40 * timed, 40 * timed, 47, known.histogram(), spent);
  }

  private static String ok(Object... args) {
    Kymo kymo = Kymo.run(args);
    assertThat(kymo.err()).isEmpty();
    assertThat(kymo.code()).isZero();
    return kymo.out();
  }

  @Test
  void report() {
    assertThat(ok("report", recording))
        .isEqualTo(
            """
            calls   counted      total     total*      self     self*         ±    waited       p99       max         longest at  method
                1             20.00 ms   19.94 ms  19.16 ms  19.10 ms  81.59 us  5.000 us  20.00 ms  20.00 ms  1/1:0@0.000000000  a.B.run
            21000   100.0 %  ~840.0 us  ~810.0 us  840.0 us  810.0 us  54.18 us               40 ns     47 ns                     a.B.tiny
                1             2.000 us   1.984 us  2.000 us  1.984 us     11 ns            2.000 us  2.000 us  1/1:1@0.000000100  a.B.step
            21002  > 99.9 %                        20.00 ms  19.91 ms            5.000 us                                         sum of 3 methods, all their threads added
            waited: the part of self in which the program did not run, as far as recorded; \
            in JSON and CSV by reason
            * without what probes took, within ±; process 1: 25.0 ns a recorded call \
            (10.0 in its own time, ± 3.0), 20.0 timed, 2.0 timed by sample
            21.0 k calls of 1 method were counted, not recorded one by one
            ~ estimated: some of the counted calls were not timed, but sampled
            ≥ at least: 1 method was left out for some of the time; 'kymo info --steps' says why
            """);
  }

  @Test
  void reportForPrograms() {
    assertThat(ok("report", "--csv", "--sort", "correctedSelf", recording))
        .isEqualTo(
            """
            method,descriptor,process,thread,thread_name,calls,total_ns,self_ns,avg_ns,p50_ns,p99_ns,max_ns,at_least,\
            counted,corrected_total_ns,corrected_self_ns,error_ns,estimated,left_out,longest,\
            self_weaving_ns,self_waiting_ns,self_stopped_ns,self_blocked_ns,self_runnable_ns,self_loading_ns,\
            self_running_ns,longest_thread,longest_begin_ns
            a.B.run,()V,1,,,1,20000000,19158000,20000000,20000000,20000000,20000000,false,\
            0,19939965,19097981,81592,false,false,1/1:0@0.000000000,0,5000,0,0,0,0,0,1,0
            a.B.tiny,()V,1,,,21000,840000,840000,40,40,40,47,false,\
            21000,810000,810000,54180,true,false,,0,0,0,0,0,0,0,,
            a.B.step,()V,1,,,1,2000,2000,2000,2000,2000,2000,false,\
            0,1984,1984,11,false,false,1/1:1@0.000000100,0,0,0,0,0,0,0,1,100
            """);
    assertThat(ok("report", "--json", "--filter", "tiny", recording))
        .contains("\"countedMethods\" : 1", "\"leftOutMethods\" : 1", "\"counted\" : 21000")
        .contains("\"correctedTotal\" : 810000", "\"error\" : 54180", "\"estimated\" : true");
  }

  /** It has no row; it makes no row "at least", but its callers' self time contains it. */
  @Test
  void reportOfWhatCannotBeRecorded() {
    RecordingBuilder r = new RecordingBuilder().at(900);
    r.process(1).thread(1, 1, "main").method(1, 1, "a.B", "run").method(1, 2, "a.B", "long");
    String reason = MethodMode.never("its probes do not fit into it: bytes=7990 returns=1");
    r.at(950).step(1, 2, MethodMode.LEFT_OUT, MethodMode.EVENTS, reason);
    r.ring(1, 0, 1).enter(1000, 1).leave(2000, 1);
    Path without = r.end(1, 0).write(directory.resolve("without.kymo"));
    assertThat(ok("report", without))
        .isEqualTo(
            """
            calls     total      self       avg       p50       p99       max         longest at  method
                1  1.000 us  1.000 us  1.000 us  1.000 us  1.000 us  1.000 us  1/1:0@0.000000000  a.B.run
                1            1.000 us                                                             sum of 1 method, all their threads added
            not recorded, so their time is in their callers' self: a.B.long
            """);
    assertThat(ok("report", "--json", without)).contains(reason);
    assertThat(ok("info", without))
        .contains(
            "steps        0 down, 0 up; at the end 0 methods timed, 0 timed by sample, 1 left out\nlost");
  }

  @Test
  void reportOfWaits() {
    assertThat(ok("report", "--waits", "--per-thread", recording))
        .isEqualTo(
            """
            count     total       avg       p50       p99       max              longest at  waited for
                1  3.000 us  3.000 us  3.000 us  3.000 us  3.000 us  1/2:0@0.000005000 main  sleep @ main
                1  2.000 us  2.000 us  2.000 us  2.000 us  2.000 us  1/2:0@0.000002200 main  monitor a.Lock @ main
            """);
    assertThat(ok("report", "--jvm", recording).lines()).hasSize(1);
  }

  @Test
  void info() {
    assertThat(ok("info", recording))
        .contains(
            """
                         4 enter, 4 leave, 0 unwind, 0 switch, 1 detail, 3 count, 25 definitions
            bytes        1808, 48.86 per event, 90.4 kB a second
            budget       5.00 % of each thread's time
            probes       25.0 ns a recorded call (10.0 in its own time, ± 3.0), 20.0 timed, 2.0 timed by sample
            in program   1.560 ms, 3.90 % of a processor
                         60.05 us probes, 1.000 ms weaving 12 classes (by the clock, waiting included), 500.0 us own threads
                         probes of a thread took at most 0.30 % of its time: main
            in all       50.00 ms of processor time, 20.00 ms of it the JIT compiler, for the program and for probes
            beside it    2.000 ms of processor time, 5.00 % of a processor
            counted      21000 calls of 1 method, not recorded one by one
            steps        3 down, 0 up; at the end 0 methods timed, 1 timed by sample, 1 left out
                         0.000000500 a.B.tiny: events -> timed: 50 ns a call, 2 M a second
                         0.000001000 a.B.tiny: timed -> timed by sample: still 8 % of main
                         0.000003000 a.B.gone: timed by sample -> left out: 3 % of main
            lost         0 events
            """);
  }

  @Test
  void infoAsJson() {
    assertThat(ok("info", "--json", recording))
        .contains("\"budget\" : 50000", "\"probes\" : 60050", "\"mostOfThread\" : 0.0030025")
        .contains(
            "\"processorTime\" : 50000000",
            "\"compiling\" : 20000000",
            "\"processorTime\" : 2000000",
            "\"byteRate\" : 90400")
        .contains("\"mode\" : \"left out\"", "\"reason\" : \"3 % of main\"");
  }

  @Test
  void replay() {
    assertThat(ok("replay", recording))
        .isEqualTo(
            """
            # process 1, thread 1 "main"
            # 21000 of its calls were counted, not recorded one by one: they are not shown
            0.000000000              a.B.run() {
            0.000000100    2.000 us    a.B.step();
            0.000000500              -- a.B.tiny: events -> timed: 50 ns a call, 2 M a second --
            0.000001000              -- a.B.tiny: timed -> timed by sample: still 8 % of main --
            0.000003000              -- a.B.gone: timed by sample -> left out: 3 % of main --
            0.020000000    20.00 ms  } a.B.run
            # process 1, waits of thread, track 2 "main"
            0.000002200    2.000 us  waited for monitor a.Lock@1f, released by worker
            0.000005000    3.000 us  slept
            """);
    assertThat(ok("replay", "--merged", "--from", "1us", "--to", "5us", recording))
        .isEqualTo(
            """
            0.000001000                                   -- a.B.tiny: timed -> timed by sample: still 8 % of main --
            0.000002100    2.000 us  main/1                 } a.B.step
            0.000002200    2.000 us  main/2               waited for monitor a.Lock@1f, released by worker
            0.000003000                                   -- a.B.gone: timed by sample -> left out: 3 % of main --
            0.000005000              main/2               sleep {
            """);
  }

  @Test
  void print() {
    assertThat(ok("print", recording))
        .isEqualTo(
            """
            0.000000000 1/1 main enter a.B.run
            0.000000100 1/1 main enter a.B.step
            0.000000500 1/0  step a.B.tiny: events -> timed: 50 ns a call, 2 M a second
            0.000001000 1/0  step a.B.tiny: timed -> timed by sample: still 8 % of main
            0.000002100 1/1 main leave a.B.step
            0.000002200 1/2 main enter monitor a.Lock
            0.000003000 1/0  step a.B.gone: timed by sample -> left out: 3 % of main
            0.000004200 1/2 main detail object=1f other=worker
            0.000004200 1/2 main leave monitor a.Lock
            0.000005000 1/2 main enter sleep
            0.000008000 1/2 main leave sleep
            0.020000000 1/1 main leave a.B.run
            """);
  }
}
