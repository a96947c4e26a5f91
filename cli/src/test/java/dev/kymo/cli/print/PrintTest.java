package dev.kymo.cli.print;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.cli.Kymo;
import dev.kymo.cli.report.OwnProgram;
import dev.kymo.format.KernelEventFormat;
import dev.kymo.testkit.KernelProgram;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.SourceTree;
import dev.kymo.testkit.StreamWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The formats of {@code kymo print}, and what it picks, to the letter. */
class PrintTest {
  @TempDir Path folder;

  private Path recording = Path.of("");

  @BeforeEach
  void record() {
    recording = OwnProgram.write(folder.resolve("own.kymo"));
  }

  private static String ok(Object... args) {
    Kymo kymo = Kymo.run(args);
    assertThat(kymo.err()).isEmpty();
    assertThat(kymo.code()).isZero();
    return kymo.out();
  }

  @Test
  void text() {
    String text = ok("print", recording);
    assertThat(text)
        .isEqualTo(
            """
            0.000000000 1/1 main disk.MARK 0x2a
            0.000000010 1/1 main enter a.B.run
            0.000000015 1/2 other enter a.B.step
            0.000000020 1/1 main disk.ALLOC size=4096 owner=me
            0.000000025 1/3 main enter monitor a.Lock
            0.000000028 1/3 main detail object=1b
            0.000000028 1/3 main leave monitor a.Lock
            0.000000030 1/1 main enter disk.READ
            0.000000030 1/1 main disk.READ block=7
            0.000000040 1/1 main disk.ALLOC size=42 owner=a\\tb\\n
            0.000000045 1/2 other disk.MARK 0xffffffffffffffff
            0.000000050 1/1 main leave disk.READ
            0.000000060 1/1 main kymo.alias object=4096 name=page
            0.000000070 1/1 main disk.ALLOC size=page owner=us
            0.000000100 1/1 main lost 3
            0.000000100 1/1 main disk.MARK\s
            0.000000110 1/1 main leave a.B.run
            2.000000045 1/2 other unwind a.B.step
            """);
    assertThat(ok("print", "--format", "text", recording)).isEqualTo(text);
  }

  @Test
  void table() {
    assertThat(ok("print", "--format", "table", recording))
        .isEqualTo(
            """
                      time      difference  track      event       argument                  place
               0.000000000               -  1/1 main   disk.MARK   0x2a
               0.000000010    +0.000000010  1/1 main   enter                                 a.B.run(App.java:12)
               0.000000015    +0.000000005  1/2 other  enter                                 a.B.step(App.java:12)
               0.000000020    +0.000000005  1/1 main   disk.ALLOC  size=4096 owner=me        a.B.run(App.java:12)
               0.000000025    +0.000000005  1/3 main   enter       monitor a.Lock            a.B.run(App.java:12)
               0.000000028    +0.000000003  1/3 main   detail      object=1b                 a.B.run(App.java:12)
               0.000000028    +0.000000000  1/3 main   leave       monitor a.Lock            a.B.run(App.java:12)
               0.000000030    +0.000000002  1/1 main   enter       disk.READ                 a.B.run(App.java:12)
               0.000000030    +0.000000000  1/1 main   disk.READ   block=7                   a.B.run(App.java:12)
               0.000000040    +0.000000010  1/1 main   disk.ALLOC  size=42 owner=a\\tb\\n      a.B.run(App.java:12)
               0.000000045    +0.000000005  1/2 other  disk.MARK   0xffffffffffffffff        a.B.step(App.java:12)
               0.000000050    +0.000000005  1/1 main   leave       disk.READ                 a.B.run(App.java:12)
               0.000000060    +0.000000010  1/1 main   kymo.alias  object=4096 name=page     a.B.run(App.java:12)
               0.000000070    +0.000000010  1/1 main   disk.ALLOC  size=page owner=us        a.B.run(App.java:12)
               0.000000100    +0.000000030  1/1 main   lost        3
               0.000000100    +0.000000000  1/1 main   disk.MARK
               0.000000110    +0.000000010  1/1 main   leave                                 a.B.run(App.java:12)
               2.000000045    +1.999999935  1/2 other  unwind                                a.B.step(App.java:12)
            """);
  }

  @Test
  void raw() {
    assertThat(ok("print", "--format", "raw", recording))
        .isEqualTo(
            """
            #event ticks time_ns process thread kind number subsystem id data
            1 1000 0 1 1 event 11 7 101 0x2a
            2 1010 10 1 1 enter 1 - - -
            3 1015 15 1 2 enter 2 - - -
            4 1020 20 1 1 data 10 7 100 001000000000000002006d65
            5 1025 25 1 3 enter 3 - - -
            6 1028 28 1 3 detail - - - 0x1b
            7 1028 28 1 3 leave 3 - - -
            8 1030 30 1 1 enter 12 7 102 -
            9 1030 30 1 1 event 12 7 102 0x7
            10 1040 40 1 1 data 10 7 100 2a0000000000000004006109620a
            11 1045 45 1 2 event 11 7 101 0xffffffffffffffff
            12 1050 50 1 1 leave 12 7 102 -
            13 1060 60 1 1 data 13 9 103 0010000000000000040070616765
            14 1070 70 1 1 data 10 7 100 001000000000000002007573
            - 1100 100 1 1 lost 3 - - -
            15 1100 100 1 1 event 11 7 101 0x0
            16 1110 110 1 1 leave 1 - - -
            17 2000001045 2000000045 1 2 unwind 2 - - -
            """
                .replace(' ', '\t'));
  }

  @Test
  void rawDefinitions() {
    assertThat(ok("print", "--format", "raw", "--definitions", "--event", "define", recording))
        .startsWith("#event\tticks\t")
        .contains("\n-\t900\t-100\t1\t0\tdefine\t-\t-\t-\tTracedThread[thread=2, ");
  }

  @Test
  void processorsAndWhatTheyRun() {
    Path log = SourceTree.path("corpus", "barrelfish", "demo.1.log");
    assertThat(ok("print", "--format", "table", "--numbers", "1..3", log))
        .isEqualTo(
            """
                      time      difference  track    event                 argument                  place
               0.000000000               -  core 0   bench.PCBENCH         argument=1
               0.000002438    +0.000002438  core 3   enter                 application monitor
               0.000002438    +0.000000000  core 3   kernel.CSWITCH        argument=28493312         application monitor
            """);
  }

  @Test
  void kernelEvents() {
    RecordingBuilder r = new RecordingBuilder().process(1).thread(1, 1, "main").process(2);
    r.method(1, 1, "a.B", "run").ring(1, 0, 1).enter(100, 1).leave(200, 1);
    KernelEventFormat plain =
        r.kernelEvent(
            2,
            "sched",
            """
            name: sched_plain
            ID: 7
            field:pid_t pid; offset:8; size:4; signed:1;
            """);
    byte[] event = new byte[12];
    ByteBuffer.wrap(event).order(ByteOrder.LITTLE_ENDIAN).putInt(4, 2001).putInt(8, -3);
    r.cpu(2, 3).kernel(150, 0, plain, event);
    Path kernel = r.write(folder.resolve("kernel.kymo"));
    assertThat(ok("print", "--format", "table", "--kernel", kernel))
        .isEqualTo(
            """
                      time      difference  track     event               argument                  place
               0.000000000               -  1/1 main  enter                                         a.B.run(App.java:12)
               0.000000050    +0.000000050  CPU 3     sched:sched_plain   tid=2001 pid=-3           a.B.run(App.java:12)
               0.000000100    +0.000000050  1/1 main  leave                                         a.B.run(App.java:12)
            """);
    assertThat(ok("print", "--format", "raw", "--kernel", "--event", "sched", kernel))
        .endsWith("\n-\t150\t50\t2\t0\tkernel\t3\tsched\tsched_plain\ttid=2001 pid=-3\n");
  }

  @Test
  void whatTheKernelDidWithAThreadIsWhereItsCallsAre() {
    Path kernel = KernelProgram.recording().write(folder.resolve("kernel.kymo"));
    assertThat(
            ok(
                "print",
                "--format",
                "table",
                "--to",
                "250ms",
                "--event",
                "blocked",
                "--event",
                "monitor",
                kernel))
        .isEqualTo(
            """
                      time      difference  track            event   argument                  place
               0.150000000               -  1/1 java         enter   blocked futex             app.Shop.order(App.java:12)
               0.150000000    +0.000000000  2/11 main        enter   monitor app.Stock         app.Shop.order(App.java:12)
               0.250000000    +0.100000000  1/1 java         detail  object=0 other=worker-1   app.Db.query(App.java:12)
               0.250000000    +0.000000000  1/1 java         leave   blocked futex             app.Db.query(App.java:12)
            """);
  }

  @ParameterizedTest
  @CsvSource({
    "disk.MARK, 3",
    "disk, 9",
    "disk.R*, 3",
    "a.B, 4",
    "*.step, 2",
    "monitor, 3",
    "*.Lock, 3",
    "kymo.alias, 1",
    "'monitor a.Lock', 3",
    "detail, 1",
    "*, 17"
  })
  void byEvent(String pattern, int lines) {
    assertThat(ok("print", "--event", pattern, recording).lines())
        .hasSize(lines + 1); // and the loss
  }

  @Test
  void byEventThatIsNotThere() {
    Kymo kymo = Kymo.run("print", "--event", "disk.MARK", "--event", "dusk.*", recording);
    assertThat(kymo.code()).isZero();
    assertThat(kymo.err())
        .isEqualTo("kymo: nothing that was selected has this name: pattern=dusk.*\n");
  }

  @ParameterizedTest
  @CsvSource({"1..2, 2", "16.., 2", "..3, 3", "7, 1", "14..15, 3", "18.., 0"})
  void byNumber(String numbers, int lines) {
    assertThat(ok("print", "--numbers", numbers, recording).lines()).hasSize(lines);
  }

  @Test
  void numbersAreThoseOfTheWholeRecording() {
    assertThat(
            ok(
                "print",
                "--numbers",
                "10..",
                "--thread",
                "main",
                "--event",
                "disk.ALLOC",
                recording))
        .isEqualTo(
            """
            0.000000040 1/1 main disk.ALLOC size=42 owner=a\\tb\\n
            0.000000070 1/1 main disk.ALLOC size=page owner=us
            0.000000100 1/1 main lost 3
            """);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0..3", "5..4", "..", "x", "1...2", "-1"})
  void notNumbers(String numbers) {
    Kymo kymo = Kymo.run("print", "--numbers=" + numbers, recording);
    assertThat(kymo.err())
        .isEqualTo(
            "kymo: Invalid value for option '--numbers': '"
                + numbers
                + "' is not a range of numbers such as 5..9, 5.., ..9 or 7, from 1; see 'kymo print"
                + " --help'\n");
    assertThat(kymo.code()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--json", "--csv"})
  void oneFormat(String other) {
    Kymo kymo = Kymo.run("print", "--format", "raw", other, recording);
    assertThat(kymo.err()).isEqualTo("kymo: --format, --json and --csv exclude each other\n");
    assertThat(kymo.code()).isEqualTo(2);
  }

  @Test
  void csvAndJsonKeepWhatTheyQuote() {
    assertThat(ok("print", "--csv", "--numbers", "10", recording))
        .isEqualTo(
            """
            time_ns,process,thread,thread_name,event,subject
            40,1,1,main,disk.ALLOC,"size=42 owner=a\tb
            "
            """);
    assertThat(ok("print", "--json", "--numbers", "10", recording))
        .isEqualTo(
            """
            {"time":40,"process":1,"thread":1,"threadName":"main","event":"disk.ALLOC",\
            "subject":"size=42 owner=a\\tb\\n"}
            """);
  }

  @Test
  void aliases() throws IOException {
    Path file = folder.resolve("aliases");
    Files.writeString(
        file,
        """
        # objects
        0x1B = the lock
          0x2a = answer

        thread main = the boss
        disk.MARK:42 = start
        disk.READ:0x7 = boot block
        disk.MARK:-1 = the end = over
        0x1000 = frame
        """);
    assertThat(ok("print", "--aliases", file, recording))
        .isEqualTo(
            """
            0.000000000 1/1 the boss disk.MARK start
            0.000000010 1/1 the boss enter a.B.run
            0.000000015 1/2 other enter a.B.step
            0.000000020 1/1 the boss disk.ALLOC size=frame owner=me
            0.000000025 1/3 the boss enter monitor a.Lock
            0.000000028 1/3 the boss detail object=the lock
            0.000000028 1/3 the boss leave monitor a.Lock
            0.000000030 1/1 the boss enter disk.READ
            0.000000030 1/1 the boss disk.READ block=boot block
            0.000000040 1/1 the boss disk.ALLOC size=answer owner=a\\tb\\n
            0.000000045 1/2 other disk.MARK the end = over
            0.000000050 1/1 the boss leave disk.READ
            0.000000060 1/1 the boss kymo.alias object=frame name=page
            0.000000070 1/1 the boss disk.ALLOC size=frame owner=us
            0.000000100 1/1 the boss lost 3
            0.000000100 1/1 the boss disk.MARK\s
            0.000000110 1/1 the boss leave a.B.run
            2.000000045 1/2 other unwind a.B.step
            """);
    assertThat(ok("print", "--aliases", file, "--thread", "the b*", recording).lines()).hasSize(15);
    assertThat(ok("print", "--aliases", file, "--thread", "main", recording).lines()).hasSize(15);
  }

  @Test
  void wrongAliases() throws IOException {
    Path file = Files.writeString(folder.resolve("aliases"), "# fine\n0x1 = a\nthread main\n");
    Kymo kymo = Kymo.run("print", "--aliases", file, recording);
    assertThat(kymo.err())
        .isEqualTo(
            "kymo: "
                + file
                + ":3: no =, a line is 0xHEX = name, thread NAME = name, or subsystem.EVENT:VALUE ="
                + " name: line=\"thread main\"\n");
    assertThat(kymo.code()).isEqualTo(2);
    Path none = folder.resolve("none");
    assertThat(Kymo.run("print", "--aliases", none, recording).err())
        .isEqualTo("kymo: no such file with aliases: path=" + none + "\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"text", "table", "raw"})
  void closedPipeEndsQuietly(String format) {
    RecordingBuilder r = new RecordingBuilder().process(1).thread(1, 1, "main");
    StreamWriter ring = r.method(1, 1, "a.B", "x").ring(1, 0, 1);
    for (int i = 0; i < 50_000; i++) {
      ring.enter(i, 1).leave(i, 1);
    }
    Path large = r.write(folder.resolve("large.kymo"));
    OutputStream closing =
        new OutputStream() {
          private int left = 100_000;

          @Override
          public void write(int b) throws IOException {
            if (--left < 0) {
              throw new IOException("Broken pipe");
            }
          }
        };
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    String[] args = {"print", "--format", format, large.toString()};
    assertThat(Kymo.run(args, closing, new PrintStream(err))).isZero();
    assertThat(err.size()).isZero();
  }
}
