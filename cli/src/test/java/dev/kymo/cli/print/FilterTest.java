package dev.kymo.cli.print;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.cli.Kymo;
import dev.kymo.cli.report.OwnProgram;
import dev.kymo.format.KernelEventFormat;
import dev.kymo.session.ExitCode;
import dev.kymo.testkit.RecordingBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scripts that choose what {@code kymo print} and {@code kymo report} show. */
class FilterTest {
  @TempDir Path folder;

  private Path recording = Path.of("");

  @BeforeEach
  void record() {
    recording = OwnProgram.write(folder.resolve("own.kymo"));
  }

  private Path script(String body) throws IOException {
    return Files.writeString(
        folder.resolve("chosen.js"), "function accept(event) {\n" + body + "\n}\n");
  }

  private String print(String condition, Object... more) throws IOException {
    return run("print", script("return " + condition + ";"), more);
  }

  private String run(String command, Path script, Object... more) {
    Object[] words = new Object[4 + more.length];
    words[0] = command;
    words[1] = recording;
    words[2] = "--filter";
    words[3] = script;
    System.arraycopy(more, 0, words, 4, more.length);
    Kymo kymo = Kymo.run(words);
    assertThat(kymo.err()).isEmpty();
    assertThat(kymo.code()).isZero();
    return kymo.out();
  }

  @Test
  void eventsByTheirFields() throws IOException {
    assertThat(print("event.fields.size >= 42"))
        .isEqualTo(
            """
            0.000000020 1/1 main disk.ALLOC size=4096 owner=me
            0.000000040 1/1 main disk.ALLOC size=42 owner=a\\tb\\n
            0.000000070 1/1 main disk.ALLOC size=page owner=us
            0.000000100 1/1 main lost 3
            """);
    assertThat(print("event.fields.argument === 42 || event.fields.block === 7"))
        .isEqualTo(
            """
            0.000000000 1/1 main disk.MARK 0x2a
            0.000000030 1/1 main disk.READ block=7
            0.000000100 1/1 main lost 3
            """);
  }

  @Test
  void callsByTheirDuration() throws IOException {
    // The calls of main began before its loss: they did not end in what is known.
    assertThat(print("event.duration >= 20")).contains(" unwind a.B.step\n").hasLineCount(3);
    assertThat(print("event.kind == 'leave' && event.duration == 20"))
        .isEqualTo(
            """
            0.000000050 1/1 main leave disk.READ
            0.000000100 1/1 main lost 3
            """);
    assertThat(print("event.begin === 15")).contains("unwind a.B.step");
  }

  @Test
  void byTrackAndPlace() throws IOException {
    assertThat(print("event.track == 'states' && event.name == 'monitor a.Lock'")).hasLineCount(3);
    assertThat(print("event.kind == 'event' && event.place == 'a.B.run'")).hasLineCount(6);
    assertThat(print("event.threadName == 'other' && event.depth > 0")).hasLineCount(2);
  }

  @Test
  void togetherWithOtherChoices() throws IOException {
    assertThat(print("event.fields.size > 0", "--from", "30", "--to", "60", "--event", "disk"))
        .isEqualTo("0.000000040 1/1 main disk.ALLOC size=42 owner=a\\tb\\n\n");
  }

  @Test
  void kernelEvents() throws IOException {
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
    recording = r.write(folder.resolve("kernel.kymo"));
    assertThat(
            print(
                "event.kind == 'kernel' && event.name == 'sched:sched_plain' && event.core === 3"
                    + " && event.thread === 2001 && event.fields.pid === -3",
                "--kernel"))
        .isEqualTo("0.000000050 2/0 CPU 3 sched:sched_plain tid=2001 pid=-3\n");
    assertThat(print("event.core === 4", "--kernel")).isEmpty();
  }

  @Test
  void reportsAddUpWhatIsWanted() throws IOException {
    Path slow = script("return event.duration >= 1e9;");
    assertThat(run("report", slow, "--csv")).contains("a.B.step").hasLineCount(2);
    Path own = script("return event.kind == 'event' && event.fields.size > 100;");
    assertThat(run("report", own, "--events", "--csv"))
        .contains("disk.ALLOC,instant,7,100,1,2,")
        .contains("disk.MARK,instant,7,101,1,0,")
        .contains("disk.READ,begin,7,102,1,0,");
    assertThat(run("report", script("return event.kind == 'state';"), "--waits"))
        .contains("monitor");
  }

  /** The times of outer calls are the same whether the calls inside are wanted or not. */
  @Test
  void selfTimesStay() throws IOException {
    String all = Kymo.run("report", recording, "--csv", "--from", "0", "--to", "105").out();
    String some =
        run(
            "report",
            script("return event.name == 'a.B.run';"),
            "--csv",
            "--from",
            "0",
            "--to",
            "105");
    assertThat(all.lines().filter(line -> line.contains("a.B.run")))
        .containsExactlyElementsOf(some.lines().filter(line -> line.contains("a.B.run")).toList())
        .hasSize(1);
  }

  private void fails(int code, String message, Object... words) {
    Kymo kymo = Kymo.run(words);
    assertThat(kymo.err()).contains(message);
    assertThat(kymo.code()).isEqualTo(code);
  }

  @Test
  void errors() throws IOException {
    Path none = folder.resolve("none.js");
    fails(ExitCode.USAGE, "no such script: file=" + none, "print", recording, "--filter", none);
    fails(ExitCode.USAGE, "no such script: file=" + none, "report", recording, "--filter", none);
    Path bad = script("return event.x.y;");
    String place = "kymo: script failed: file=" + bad + " line=2 column=16 error=\"TypeError: ";
    fails(ExitCode.FAILED, place, "print", recording, "--filter", bad);
    fails(ExitCode.FAILED, place, "report", recording, "--filter", bad);
    fails(
        ExitCode.USAGE,
        "--threads does not go with a script: filter=" + bad,
        "report",
        recording,
        "--threads",
        "--filter",
        bad);
    fails(
        ExitCode.USAGE,
        "--points does not go with",
        "print",
        recording,
        "--points",
        "--filter",
        bad);
  }
}
