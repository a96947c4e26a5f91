package dev.kymo.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.cli.Kymo;
import dev.kymo.format.Definition;
import dev.kymo.testkit.KernelProgram;
import dev.kymo.testkit.KernelTracks;
import dev.kymo.testkit.RecordingBuilder;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the reading commands say of what the kernel did with threads, to the letter. */
class KernelReadingTest {
  @TempDir Path directory;

  private Path recording = Path.of("");

  @BeforeEach
  void record() {
    recording = KernelProgram.recording().write(directory.resolve("kernel.kymo"));
  }

  private static String ok(Object... args) {
    Kymo kymo = Kymo.run(args);
    assertThat(kymo.err()).isEmpty();
    assertThat(kymo.code()).isZero();
    return kymo.out();
  }

  @Test
  void threads() {
    assertThat(ok("report", "--threads", recording))
        .isEqualTo(
            """
                wall   running          interrupted         runnable          blocked           unknown          faults  wake-ups   tid   pid  thread
             1.000 s  745.0 ms  74.5 %     15.00 ms  1.5 %  80.00 ms  8.0 %  150.0 ms  15.0 %  10.00 ms   1.0 %       3         2  2001  1002  main, java App
             1.000 s  410.0 ms  41.0 %         0 ns  0.0 %  10.00 ms  1.0 %  580.0 ms  58.0 %      0 ns   0.0 %       0         1  2002  1002  worker-1, java App
            465.0 ms  85.00 ms  18.3 %         0 ns  0.0 %      0 ns  0.0 %      0 ns   0.0 %  380.0 ms  81.7 %       0         0     7     7  kworker/0:1

                time                 at  longest waits
            400.0 ms  1/2:0@0.600000000  worker-1: blocked in epoll_wait, has not ended
            180.0 ms  1/2:0@0.300000000  worker-1: blocked in futex, woken by main
            100.0 ms  1/1:0@0.150000000  main: blocked in futex, woken by worker-1
            50.00 ms  1/1:0@0.650000000  main: blocked in I/O, woken by kworker/0:1

                time                 at  longest without a processor
            50.00 ms  1/1:0@0.400000000  main: runnable, preempted; worker-1 had the processor
            30.00 ms  1/1:0@0.250000000  main: runnable, woken; kworker/0:1 had the processor
            10.00 ms  1/2:0@0.480000000  worker-1: runnable, woken; kworker/0:1 had the processor
            """);
  }

  @Test
  void threadsForPrograms() {
    assertThat(ok("report", "--threads", "--csv", "--thread", "main", recording))
        .isEqualTo(
            """
            thread_name,tid,pid,command,java_process,java_thread,wall_ns,running_ns,interrupted_ns,runnable_ns,blocked_ns,\
            unknown_ns,faults,wake_ups,at_least
            main,2001,1002,java App,2,1,1000000000,745000000,15000000,80000000,150000000,10000000,3,2,false
            """);
    assertThat(ok("report", "--threads", "--json", "--from", "600ms", recording))
        .contains(
            "\"threadName\" : \"worker-1\"",
            "\"command\" : \"java App\"",
            "\"javaThread\" : 2",
            "\"blocked\" : 400000000",
            "\"id\" : \"1/2:0@0.600000000\"",
            "\"what\" : \"I/O\"",
            "\"other\" : \"kworker/0:1\"",
            "\"open\" : true");
  }

  @Test
  void states() {
    assertThat(ok("report", "--kernel", "--filter", "blocked", recording))
        .isEqualTo(
            """
            count     total       avg       p50       p99       max                  longest at  what
                1  400.0 ms  400.0 ms  400.0 ms  400.0 ms  400.0 ms  1/2:0@0.600000000 worker-1  blocked epoll_wait
                2  280.0 ms  140.0 ms  100.0 ms  180.0 ms  180.0 ms  1/2:0@0.300000000 worker-1  blocked futex
                1  50.00 ms  50.00 ms  50.00 ms  50.00 ms  50.00 ms      1/1:0@0.650000000 java  blocked I/O
            """);
  }

  @Test
  void processors() {
    assertThat(ok("report", "--cpus", recording))
        .isEqualTo(
            """
            count     total       avg       p50       p99       max               longest at  what
                3  440.0 ms  146.7 ms  150.0 ms  190.0 ms  190.0 ms  1/8:0@0.450000000 CPU 0  thread java 2001 @ CPU 0
                2  390.0 ms  195.0 ms  110.0 ms  280.0 ms  280.0 ms  1/9:0@0.000000000 CPU 1  thread worker-1 2002 @ CPU 1
                2  310.0 ms  155.0 ms  10.00 ms  300.0 ms  300.0 ms  1/9:0@0.700000000 CPU 1  thread java 2001 @ CPU 1
                2  85.00 ms  42.50 ms  20.00 ms  65.00 ms  65.00 ms  1/8:0@0.640000000 CPU 0  thread kworker/0:1 7 @ CPU 0
                1  10.00 ms  10.00 ms  10.00 ms  10.00 ms  10.00 ms  1/8:1@0.390000000 CPU 0  interrupt irq virtio0-input @ CPU 0
                2  10.00 ms  5.000 ms  5.000 ms  5.000 ms  5.000 ms  1/8:1@0.110000000 CPU 0  interrupt timer @ CPU 0
            """);
  }

  @Test
  void why() {
    assertThat(ok("why", recording, "2/1:1@0.100000000"))
        .isEqualTo(
            """
            app.Shop.order  2/1:1@0.100000000
            thread main, tid 2001, 0.100000000 to 0.500000000

            this call             median  what
             400.0 ms  100.0 %  40.00 ms  duration
             195.0 ms   48.8 %  50.00 ms  on a processor
             15.00 ms    3.8 %      0 ns  interrupted
             10.00 ms    2.5 %              interrupted by irq virtio0-input
             5.000 ms    1.3 %              interrupted by timer
             80.00 ms   20.0 %      0 ns  runnable, without a processor
             50.00 ms   12.5 %              runnable, preempted; worker-1 had the processor
             30.00 ms    7.5 %              runnable, woken; kworker/0:1 had the processor
             100.0 ms   25.0 %  50.00 ms  blocked
             100.0 ms   25.0 %              blocked in futex, woken by worker-1
             10.00 ms    2.5 %      0 ns  unknown
                    2                  0  page faults
                                          waited, as the program and its virtual machine report it
             105.0 ms   26.3 %              monitor app.Stock@beef
             300.0 ms   75.0 %            in itself
             100.0 ms   25.0 %            in app.Db.query
            median: of 4 other calls of the method; the kernel reports on the threads of 3
            """);
  }

  @Test
  void whyOfAThreadOfWhichTheKernelTellsNothing() {
    assertThat(ok("why", recording, "2/3@0"))
        .isEqualTo(
            """
            app.Shop.order  2/3:0@0.000000000
            thread loner, tid 2003, 0.000000000 to 0.040000000

            this call             median  what
             40.00 ms  100.0 %  100.0 ms  duration
             40.00 ms  100.0 %            in itself
            median: of 4 other calls of the method
            the recording does not show when this thread was running; 'kymo record --kernel cswitch' records that, for platform threads
            """);
  }

  @ParameterizedTest
  @CsvSource({
    "2/1@100ms, 2/1:1@0.100000000",
    "2/1@0.1, 2/1:1@0.100000000",
    "2/1@100000000, 2/1:1@0.100000000",
    "2/1@250ms, 2/1:2@0.200000000",
    "2/1:0@250ms, 2/1:0@0.000000000",
    "1/1@160ms, 1/1:0@0.150000000",
    "2/2@950ms, 2/2:0@0.900000000"
  })
  void callsAreNamedInManyWays(String id, String found) {
    assertThat(ok("why", "--json", recording, id)).contains("\"id\" : \"" + found + "\"");
  }

  @Test
  void whyForPrograms() {
    assertThat(ok("why", "--json", recording, "2/1:1@0.1"))
        .contains(
            "\"running\" : 195000000",
            "\"interrupted\" : 15000000",
            "\"faults\" : 2",
            "\"what\" : \"preempted\"",
            "\"other\" : \"worker-1\"",
            "\"kind\" : \"monitor\"",
            "\"object\" : 48879",
            "\"method\" : \"app.Db.query\"",
            "\"explained\" : 3");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2/9@0 | the recording has no such thread: process=2 thread=9; 'kymo replay' names them",
        "2/1:7@0 | no such call was running then: thread=\"main\" depth=7 time=0.000000000",
        "2/3@2s | no such call was running then: thread=\"loner\" time=2.000000000",
        "main@0 | Invalid value for positional parameter at index 1 (CALL): 'main@0' is not a call"
            + " such as 1/12:3@0.350000000: PROCESS/THREAD:DEPTH@BEGIN; see 'kymo why --help'"
      })
  void saysWhichCallsThereAreNot(String id, String message) {
    Kymo kymo = Kymo.run("why", recording, id);
    assertThat(kymo.err()).isEqualTo("kymo: " + message + "\n");
    assertThat(kymo.code()).isEqualTo(2);
  }

  @Test
  void theReportNamesTheLongestCall() {
    assertThat(ok("report", recording))
        .contains("400.0 ms  400.0 ms  2/2:0@0.050000000  app.Shop.order\n");
    assertThat(ok("report", "--waits", recording))
        .contains("  2/11:0@0.150000000 main  monitor app.Stock\n");
  }

  @Test
  void replayTellsWhoWokeThread() {
    assertThat(ok("replay", "--thread", "java", "--to", "260ms", recording))
        .contains("# process 1, scheduling of thread, track 1 \"java\"\n")
        .contains("blocked futex, woken by worker-1\n");
  }

  /** A thread of which only the scheduler's events were asked for, or more. */
  private Path scheduled(String... more) {
    RecordingBuilder one = new RecordingBuilder();
    KernelTracks kernel = new KernelTracks(one, 1);
    kernel.thread(1, 5, 6, "one").state(1, 0, 10, "running", "CPU 0");
    kernel.state(1, 10, 30, "blocked", "futex");
    format(one, "sched", "sched_switch");
    for (String event : more) {
      format(one, event.substring(0, event.indexOf(':')), event.substring(event.indexOf(':') + 1));
    }
    return one.write(directory.resolve("scheduled.kymo"));
  }

  private static void format(RecordingBuilder to, String subsystem, String event) {
    String field = "\tfield:int pid;\toffset:8;\tsize:4;\tsigned:1;\n";
    to.kernelEvent(1, subsystem, "name: %s\nID: 7\nformat:\n%s".formatted(event, field));
  }

  private static final String NO_INTERRUPTS =
      "interrupts were not recorded; 'kymo record --kernel cswitch,irq' records them\n";
  private static final String NO_FAULTS =
      "page faults were not recorded; 'kymo record --kernel cswitch,pagefault' records them\n";

  @Test
  void whatWasNotRecordedIsNotNone() {
    Path path = scheduled();
    assertThat(ok("report", "--threads", path))
        .contains("       ?         1    6    5  one\n" + NO_INTERRUPTS + NO_FAULTS);
    Kymo csv = Kymo.run("report", "--threads", "--csv", path);
    assertThat(csv.out()).endsWith("one,6,5,,,,30,10,,0,20,0,,1,false\n");
    assertThat(csv.err()).isEqualTo("kymo: " + NO_INTERRUPTS + "kymo: " + NO_FAULTS);
    assertThat(ok("report", "--threads", "--json", path))
        .contains("\"interrupted\" : null", "\"faults\" : null", NO_FAULTS.strip());
    assertThat(ok("why", path, "1/1@5"))
        .contains("?  ", "interrupted\n", "page faults\n", NO_INTERRUPTS + NO_FAULTS);
    assertThat(ok("why", "--json", path, "1/1@5"))
        .contains("\"interrupted\" : null", "\"faults\" : null", NO_FAULTS.strip());
  }

  @Test
  void noneOfWhatWasRecordedIsNone() {
    Path path = scheduled("irq:softirq_entry", "exceptions:page_fault_user");
    assertThat(ok("report", "--threads", path)).doesNotContain("not recorded").contains("0 ns");
    assertThat(ok("report", "--threads", "--json", path))
        .contains("\"interrupted\" : 0", "\"faults\" : 0", "\"notRecorded\" : [ ]");
    assertThat(ok("why", path, "1/1@5")).doesNotContain("not recorded");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--threads", "--kernel", "--cpus"})
  void withoutKernelEventsSaysSo(String what) {
    RecordingBuilder calls = new RecordingBuilder().process(1).thread(1, 1, "main");
    calls.method(1, 1, "a.B", "run").ring(1, 1, 1).enter(0, 1).leave(5, 1);
    calls.define(0, new Definition.Notice(0, "kernel events end here: not root"));
    Path path = calls.write(directory.resolve("calls.kymo"));
    String sentence =
        "nothing of the kernel in this recording; 'kymo record --kernel cswitch' records when"
            + " threads run and wait, see docs/kernel.md";
    assertThat(ok("report", what, path))
        .isEqualTo(sentence + "\nnotice: kernel events end here: not root\n");
    Kymo csv = Kymo.run("report", what, "--csv", path);
    assertThat(csv.err()).startsWith("kymo: " + sentence + "\n");
    assertThat(csv.out().lines()).hasSize(1);
  }

  @Test
  void withoutWaitsSaysWhy() {
    RecordingBuilder calls = new RecordingBuilder().process(1).thread(1, 1, "main");
    calls.method(1, 1, "a.B", "run").ring(1, 1, 1).enter(0, 1).leave(5, 1);
    calls.define(1, new Definition.Notice(1, "locks and parks are not recorded: error=x"));
    calls.define(1, new Definition.Notice(1, "class is not recorded: class=a.C"));
    Path path = calls.write(directory.resolve("calls.kymo"));
    assertThat(ok("report", "--waits", path))
        .isEqualTo(
            """
            no waits in this recording; 'kymo record --waits on' records them from the beginning, without it they begin when they fit the budget
            notice: locks and parks are not recorded: error=x
            """);
    assertThat(ok("report", "--waits", "--from", "900ms", recording))
        .isEqualTo("nothing of this in the part asked for\n");
  }
}
