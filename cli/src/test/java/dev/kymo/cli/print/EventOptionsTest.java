package dev.kymo.cli.print;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.cli.Kymo;
import dev.kymo.format.Definition;
import dev.kymo.format.KernelEventFormat;
import dev.kymo.session.ExitCode;
import dev.kymo.testkit.RecordingBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Events chosen by processor, process and name, as a script would choose them. */
class EventOptionsTest {
  @TempDir Path folder;
  private Path recording = Path.of("");

  @BeforeEach
  void record() {
    RecordingBuilder r = new RecordingBuilder().process(1).thread(1, 1, "main");
    r.define(2, new Definition.TracedProcess(2, 1002, 1, "java Other", "OpenJDK 25"));
    r.method(1, 1, "a.B", "run").method(1, 2, "a.C", "go");
    r.thread(2, 1, "main").method(2, 1, "a.B", "run");
    r.ring(1, 0, 1).enter(100, 1).enter(110, 2).leave(120, 2).leave(200, 1);
    r.ring(2, 0, 1).enter(300, 1).leave(320, 1);
    r.define(2, new Definition.TracedThread(9, Definition.TracedThread.CPU, 9, 3, "core 3"));
    r.method(2, 5, "application", "init");
    r.ring(2, 1, 9).enter(130, 5).leave(170, 5);
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
    recording = r.write(folder.resolve("two.kymo"));
  }

  private String run(String command, String... options) {
    List<Object> words = new ArrayList<>(List.of(command, recording));
    words.addAll(List.of(options));
    Kymo kymo = Kymo.run(words.toArray());
    assertThat(kymo.code()).as(kymo.err()).isZero();
    return kymo.out();
  }

  private String script(String condition) throws IOException {
    return Files.writeString(
            folder.resolve("chosen.js"), "function accept(event) { return " + condition + "; }")
        .toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --core 3                  | event.core === 3
          --core 3,4                | event.core === 3
          --core 4                  | false
          --process 1               | event.process === 1
          --process 2               | event.process === 2
          --process 1 --process 2   | true
          --process 2 --core 3      | event.process === 2 && event.core === 3
          --process none            | false
          """)
  void asAScriptWould(String options, String condition) throws IOException {
    String[] given = options.split(" ");
    String[] all = Arrays.copyOf(given, given.length + 1);
    all[given.length] = "--kernel";
    String chosen = run("print", all);
    assertThat(chosen).isEqualTo(run("print", "--kernel", "--filter", script(condition)));
    String[] report = Arrays.copyOf(given, given.length + 1);
    report[given.length] = "--csv";
    assertThat(run("report", report))
        .isEqualTo(run("report", "--csv", "--filter", script(condition)));
    assertThat(run("print", "--kernel")).hasLineCount(9);
  }

  @Test
  void processesByPidAndByWhatTheyRun() throws IOException {
    String pid = script("event.pid === 1001");
    String command = script("event.command.endsWith('App')");
    String first = run("print", "--process", "1");
    assertThat(first).hasLineCount(4);
    assertThat(run("print", "--filter", pid)).isEqualTo(first);
    assertThat(run("print", "--process", "1001")).isEqualTo(first);
    assertThat(run("print", "--filter", command)).isEqualTo(first);
    assertThat(run("print", "--process", "*App")).isEqualTo(first);
  }

  @Test
  void optionsComeBeforeTheScript() throws IOException {
    String both = script("event.name == 'a.B.run'");
    assertThat(run("print", "--process", "1", "--filter", both)).hasLineCount(2).contains(" 1/1 ");
  }

  @Test
  void slicesByName() {
    for (String name : List.of("a.B", "a.B.run", "*run")) {
      Path slice = folder.resolve(name.replace('*', 'x') + ".kymo");
      run("slice", "--event", name, "-o", slice.toString());
      assertThat(Kymo.run("print", slice).out()).contains("a.B.run").doesNotContain("a.C.go");
    }
    Path other = folder.resolve("other.kymo");
    run("slice", "--event", "a.B", "--process", "2", "-o", other.toString());
    assertThat(Kymo.run("print", other).out()).contains("2/1 main").doesNotContain("1/1 main");
  }

  @Test
  void whereNoSingleEventsAreAskedAboutTheyAreRefused() throws IOException {
    for (String table : List.of("--statistics", "--matrix", "--shares", "--threads", "--locks")) {
      Kymo kymo = Kymo.run("report", recording, table, "--core", "3");
      assertThat(kymo.code()).as(table).isEqualTo(ExitCode.USAGE);
      assertThat(kymo.err()).contains("does not go with --core and --process");
      kymo = Kymo.run("report", recording, table, "--filter", script("true"));
      assertThat(kymo.code()).as(table).isEqualTo(ExitCode.USAGE);
      assertThat(kymo.err()).contains("does not go with a script");
    }
    assertThat(Kymo.run("print", recording, "--points", "--core", "3").code())
        .isEqualTo(ExitCode.USAGE);
  }
}
