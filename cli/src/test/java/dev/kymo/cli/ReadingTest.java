package dev.kymo.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.Definition;
import dev.kymo.testkit.RecordingBuilder;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the reading commands say of a small recording, to the letter. */
class ReadingTest {
  @TempDir Path directory;

  private Path recording = Path.of("");

  @BeforeEach
  void record() {
    RecordingBuilder r = new RecordingBuilder().at(900);
    r.process(1).thread(1, 1, "main").thread(1, 2, "other");
    r.method(1, 1, "a.B", "run").method(1, 2, "a.B", "step");
    r.ring(1, 0, 1)
        .enter(1000, 1)
        .enter(1010, 2)
        .leave(1020, 2)
        .enter(1500, 2)
        .unwind(3500, 2)
        .leave(5000, 1);
    r.ring(1, 1, 2).enter(1200, 1).lose(7).leave(2_001_200, 1);
    r.end(1, 0);
    recording = r.write(directory.resolve("small.kymo"));
  }

  private static String ok(Object... args) {
    Kymo kymo = Kymo.run(args);
    assertThat(kymo.err()).isEmpty();
    assertThat(kymo.code()).isZero();
    return kymo.out();
  }

  @Test
  void info() {
    assertThat(ok("info", recording))
        .isEqualTo(
            """
            recording    small.kymo
            command      java App
            host         host, 6.18
            processor    a cpu, 2 processors
            when full    discard
            clock        monotonic, 1000000000 Hz
            begin        2023-11-14T22:13:20.000001Z
            duration     2.000 ms
            process 1    pid 1001, ended, OpenJDK 25
                         java App
            threads      2
            events       17
                         4 enter, 3 leave, 1 unwind, 0 switch, 9 definitions
            bytes        852, 50.12 per event, 426 kB a second
            lost         7 events in 1 gaps
            unmatched    0 leaves without enter, 0 enters without leave, 0 open at the end
            oddities     0
            """);
  }

  @Test
  void infoAsJson() {
    assertThat(ok("info", "--json", recording))
        .contains("\"events\" : 17", "\"lost\" : 7", "\"atLeast\" : false", "\"oddities\" : [ ]");
  }

  @Test
  void longCommandsDoNotHideTheRest() {
    String command = "java App " + "File.java ".repeat(300).trim();
    RecordingBuilder r = new RecordingBuilder().at(900).process(1).thread(1, 1, "main");
    r.define(1, new Definition.TracedProcess(1, 1001, 1, command, "OpenJDK 25"));
    r.method(1, 1, "a.B", "run").ring(1, 0, 1).enter(1000, 1).leave(1500, 1);
    var path = r.write(directory.resolve("long.kymo"));
    assertThat(ok("info", path))
        .contains("java App File.java")
        .contains("... 2008 characters more, see --json")
        .hasSizeLessThan(2500);
    assertThat(ok("info", "--json", path)).contains(command);
  }

  @Test
  void manyProcessesDoNotHideTheRest() {
    RecordingBuilder r = new RecordingBuilder().at(900);
    for (int process = 1; process <= 11; process++) {
      r.process(process).thread(process, 1, "main").method(process, 1, "a.B", "run");
      r.ring(process, 0, 1).enter(1000, 1).leave(1500, 1);
    }
    List<String> lines = ok("info", r.write(directory.resolve("many.kymo"))).lines().toList();
    assertThat(lines).contains("processes    11, listed at the end");
    assertThat(lines.subList(lines.size() - 22, lines.size()))
        .filteredOn(line -> line.startsWith("process "))
        .hasSize(11);
  }

  @Test
  void methodsOfTheSameNameAreToldApart() {
    RecordingBuilder r = new RecordingBuilder().at(900);
    for (int process = 1; process <= 2; process++) {
      r.process(process).thread(process, 1, "main").method(process, 1, "a.B", "run");
    }
    r.define(1, new Definition.Method(2, 1, 12, 1, "run", "(I[JLjava/lang/String;)V"));
    r.ring(1, 0, 1).enter(1000, 1).enter(1010, 2).leave(1020, 2).leave(1500, 1);
    r.ring(2, 0, 1).enter(1000, 1).leave(1100, 1);
    Path path = r.end(1, 0).end(2, 0).write(directory.resolve("same.kymo"));
    assertThat(ok("report", path).lines().map(line -> line.replaceFirst(".*(?=a\\.B)", "")))
        .contains(
            "a.B.run(), process 1",
            "a.B.run(int, long[], String), process 1",
            "a.B.run, process 2");
    assertThat(ok("report", path)).contains("sum of 3 methods of 2 processes, all their threads");
    assertThat(ok("report", "--per-thread", path)).contains("sum of 3 rows of 2 processes\n");
  }

  @Test
  void report() {
    assertThat(ok("report", recording))
        .isEqualTo(
            """
            calls      total      self       avg       p50       p99       max         longest at  method
               ≥2  ≥2.004 ms  2.002 ms  1.002 ms  4.000 us  2.000 ms  2.000 ms  1/2:0@0.000000200  a.B.run
               ≥2  ≥2.010 us  2.010 us  1.005 us     10 ns  2.000 us  2.000 us  1/1:1@0.000000500  a.B.step
               ≥4             2.004 ms                                                             sum of 2 methods, all their threads added
            ≥ at least: events were lost; 'kymo info' says how many
            """);
  }

  @Test
  void reportOfOneThreadAsCsv() {
    assertThat(ok("report", "--csv", "--per-thread", "--thread", "m*", "--sort", "name", recording))
        .isEqualTo(
            """
            method,descriptor,process,thread,thread_name,calls,total_ns,self_ns,avg_ns,p50_ns,p99_ns,max_ns,at_least,\
            counted,corrected_total_ns,corrected_self_ns,error_ns,estimated,left_out,longest,\
            self_weaving_ns,self_waiting_ns,self_stopped_ns,self_blocked_ns,self_runnable_ns,self_loading_ns,\
            self_running_ns,longest_thread,longest_begin_ns
            a.B.run,()V,1,1,main,1,4000,1990,4000,4000,4000,4000,false,\
            0,,,,false,false,1/1:0@0.000000000,0,0,0,0,0,0,0,1,0
            a.B.step,()V,1,1,main,2,2010,2010,1005,10,2000,2000,false,\
            0,,,,false,false,1/1:1@0.000000500,0,0,0,0,0,0,0,1,500
            """);
  }

  @Test
  void reportSaysWhatItLeavesOut() {
    assertThat(ok("report", "--limit", "1", recording))
        .doesNotContain("a.B.step")
        .contains("sum of 2 methods", "1 more rows, --limit 0 shows all\n");
    assertThat(ok("report", "--limit", "0", recording)).contains("a.B.step");
  }

  @Test
  void reportAsJson() {
    assertThat(ok("report", "--json", "--filter", "step", "--limit", "1", recording))
        .contains("\"method\" : \"a.B.step\"", "\"total\" : 2010", "\"atLeast\" : true")
        .doesNotContain("a.B.run");
  }

  @Test
  void replay() {
    assertThat(ok("replay", recording))
        .isEqualTo(
            """
            # process 1, thread 1 "main"
            0.000000000              a.B.run() {
            0.000000010       10 ns    a.B.step();
            0.000000500    2.000 us    a.B.step(); [unwound]
            0.000004000    4.000 us  } a.B.run
            # process 1, thread 2 "other"
            0.000000200              a.B.run() {
            0.002000200              -- 7 events lost --
            0.002000200    2.000 ms  } a.B.run [lossy]
            """);
  }

  @Test
  void replayMerged() {
    assertThat(ok("replay", "--merged", "--to", "1us", recording))
        .isEqualTo(
            """
            0.000000000              main/1               a.B.run() {
            0.000000010       10 ns  main/1                 a.B.step();
            0.000000200              other/2              a.B.run() {
            0.000000500              main/1                 a.B.step() {
            """);
  }

  @Test
  void replayAsLines() {
    assertThat(ok("replay", "--csv", "--thread", "1", recording))
        .isEqualTo(
            """
            process,thread,thread_name,depth,method,begin_ns,end_ns,duration_ns,flags
            1,1,main,1,a.B.step,10,20,10,
            1,1,main,1,a.B.step,500,2500,2000,unwound
            1,1,main,0,a.B.run,0,4000,4000,
            """);
    assertThat(ok("replay", "--json", "--thread", "2", recording))
        .isEqualTo(
            """
            {"process":1,"thread":2,"threadName":"other","depth":0,"method":"a.B.run","begin":200,\
            "end":2000200,"duration":2000000,"flags":["lossy"]}
            """);
  }

  @Test
  void print() {
    assertThat(ok("print", recording))
        .isEqualTo(
            """
            0.000000000 1/1 main enter a.B.run
            0.000000010 1/1 main enter a.B.step
            0.000000020 1/1 main leave a.B.step
            0.000000200 1/2 other enter a.B.run
            0.000000500 1/1 main enter a.B.step
            0.000002500 1/1 main unwind a.B.step
            0.000004000 1/1 main leave a.B.run
            0.002000200 1/2 other lost 7
            0.002000200 1/2 other leave a.B.run
            """);
  }

  @Test
  void printAsLines() {
    assertThat(ok("print", "--csv", "--thread", "other", "--from", "1us", recording))
        .isEqualTo(
            """
            time_ns,process,thread,thread_name,event,subject
            2000200,1,2,other,lost,7
            2000200,1,2,other,leave,a.B.run
            """);
    assertThat(ok("print", "--json", "--to", "5ns", recording))
        .isEqualTo(
            """
            {"time":0,"process":1,"thread":1,"threadName":"main","event":"enter","subject":"a.B.run"}
            """);
    assertThat(ok("print", "--definitions", recording).lines()).hasSize(9 + 9);
  }
}
