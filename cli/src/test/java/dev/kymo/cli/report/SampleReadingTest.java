package dev.kymo.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.cli.Kymo;
import dev.kymo.format.Definition;
import dev.kymo.format.EventKind;
import dev.kymo.testkit.RecordingBuilder;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the reading commands say of samples, to the letter. */
class SampleReadingTest {
  @TempDir Path directory;

  private Path recording = Path.of("");

  @BeforeEach
  void record() {
    RecordingBuilder r = new RecordingBuilder().process(1).thread(1, 1, "main");
    r.method(1, 1, "a.B", "main").method(1, 2, "a.C", "sum");
    r.stack(1, 1, 0, 1).stack(1, 2, 1, 2);
    r.define(1, new Definition.Subsystem(1, 1, Definition.Stack.SAMPLES, "", ""));
    int kind = EventKind.INSTANT.number();
    r.define(1, new Definition.Event(9, 1, 9, kind, "cpu", "", "u32 stack;"));
    r.ring(1, 0, 1).own(100, 9, 2).own(110, 9, 2).own(120, 9, 1).own(130, 9, 0);
    recording = r.end(1, 0).write(directory.resolve("samples.kymo"));
  }

  private static String ok(Object... args) {
    Kymo kymo = Kymo.run(args);
    assertThat(kymo.err()).isEmpty();
    assertThat(kymo.code()).isZero();
    return kymo.out();
  }

  @Test
  void aTable() {
    assertThat(ok("report", "--samples", recording))
        .isEqualTo(
            """
            cpu: 4 samples, 1 without a stack
            own  total     own  method
              2      2  50.0 %  a.C.sum
              1      3  25.0 %  a.B.main
            """);
    assertThat(ok("report", "--samples", "--filter", "sum", recording)).doesNotContain("a.B.main");
    assertThat(ok("report", "--samples", "--filter", "nothing like this", recording))
        .isEqualTo("cpu: 4 samples, 1 without a stack\nown  total  own  method\n");
  }

  @Test
  void csv() {
    assertThat(ok("report", "--samples", "--csv", recording))
        .isEqualTo(
            """
            kind,method,descriptor,process,own,total,samples
            cpu,a.C.sum,()V,1,2,2,4
            cpu,a.B.main,()V,1,1,3,4
            """);
  }

  @Test
  void csvWithoutSamplesHasItsHead() {
    RecordingBuilder r = new RecordingBuilder().process(1).thread(1, 1, "main");
    Path none = r.end(1, 0).write(directory.resolve("none.kymo"));
    assertThat(ok("report", "--samples", "--csv", none))
        .isEqualTo("kind,method,descriptor,process,own,total,samples\n");
  }

  @Test
  void json() {
    assertThat(ok("report", "--samples", "--json", "--limit", "1", recording))
        .isEqualToIgnoringWhitespace(
            """
            {"kinds":[{"kind":"cpu","samples":4,"withoutStack":1,"methods":[
              {"kind":"cpu","method":"a.C.sum","descriptor":"()V","process":1,"own":2,"total":2,
             "samples":4}]}],
             "oddities":[]}
            """);
  }

  @Test
  void exportedInThePlaceOfCalls() {
    Path out = directory.resolve("stacks.txt");
    assertThat(ok("export", recording, "--to", "collapsed", "-o", out))
        .isEqualTo(out + ": 2 stacks, 4 samples of cpu, 1 without a stack left out, 30 bytes\n");
    assertThat(out).hasContent("a.B.main 1\na.B.main;a.C.sum 2\n");
    Kymo unknown =
        Kymo.run(
            "export", recording, "--to", "pprof", "--samples", "x", "-o", directory.resolve("y"));
    assertThat(unknown.code()).isEqualTo(2);
    assertThat(unknown.err())
        .isEqualTo("kymo: no such samples: samples=x; the recording has cpu\n");
    assertThat(directory.resolve("y")).doesNotExist();
    Kymo csv = Kymo.run("export", recording, "--to", "csv", "--samples", "cpu", "-o", out);
    assertThat(csv.err())
        .isEqualTo("kymo: --samples is for collapsed, pprof and speedscope: to=csv\n");
  }

  @Test
  void listedWithTheInnermostMethod() {
    assertThat(ok("print", recording)).contains("0.000000000", "sample.cpu stack=a.C.sum");
  }
}
