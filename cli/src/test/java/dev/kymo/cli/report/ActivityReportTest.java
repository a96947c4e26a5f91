package dev.kymo.cli.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.cli.Kymo;
import dev.kymo.format.Definition;
import dev.kymo.format.EventKind;
import dev.kymo.session.ExitCode;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.SourceTree;
import dev.kymo.testkit.StreamWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Activities with and without code, by answers that were written by hand. */
class ActivityReportTest {
  private static final int ACCEPT = 10;
  private static final int WORK = 11;
  private static final int REPLY = 12;
  private static final String REQUEST =
      "request: begin=shop.ACCEPT step=shop.WORK end=shop.REPLY key=id";

  @TempDir Path folder;

  private Path recording = Path.of("");

  /** Requests 1 to 3 are accepted by one process and replied to by another; 3 is not. */
  @BeforeEach
  void record() {
    RecordingBuilder r = new RecordingBuilder().at(900);
    for (int process = 1; process <= 2; process++) {
      r.process(process).method(process, 1, "a.Server", "serve");
      r.define(process, new Definition.Subsystem(1, 1, "shop", "", ""));
      define(r, process, ACCEPT, "ACCEPT");
      define(r, process, WORK, "WORK");
      define(r, process, REPLY, "REPLY");
    }
    r.thread(1, 1, "door").thread(1, 2, "other door").thread(2, 1, "desk");
    r.ring(1, 0, 1)
        .own(1000, ACCEPT, 1)
        .enter(1010, 1)
        .enter(1020, 1)
        .own(1040, ACCEPT, 2)
        .leave(1050, 1)
        .leave(1090, 1);
    r.ring(1, 1, 2).own(1030, ACCEPT, 3).own(1035, REPLY, 99);
    StreamWriter desk = r.ring(2, 0, 1);
    desk.own(1060, WORK, 1).own(1070, WORK, 2).own(1100, REPLY, 2).own(1300, REPLY, 1);
    recording = r.write(folder.resolve("shop.kymo"));
  }

  private static void define(RecordingBuilder to, int process, int number, String name) {
    int kind = EventKind.INSTANT.number();
    to.define(process, new Definition.Event(number, 1, number, kind, name, "", "u64 id;"));
  }

  private Kymo report(Object... more) {
    Object[] words = new Object[more.length + 2];
    words[0] = "report";
    words[1] = recording;
    System.arraycopy(more, 0, words, 2, more.length);
    Kymo kymo = Kymo.run(words);
    assertThat(kymo.code()).as(kymo.err()).isZero();
    return kymo;
  }

  private Path script(String text) throws IOException {
    return Files.writeString(folder.resolve("requests.js"), text);
  }

  private static final String HEAD =
      "activity,count,left_open,total_ns,avg_ns,p50_ns,p90_ns,p99_ns,max_ns,events\n";

  @Test
  void declared() {
    Kymo csv = report("--activities", REQUEST, "--csv");
    assertThat(csv.out()).isEqualTo(HEAD + "request,2,1,360,180,60,300,300,300,7\n");
    assertThat(csv.err()).isEqualTo("kymo: ends without a begin: number=1\n");
    assertThat(report("--activities", REQUEST).out())
        .isEqualTo(
            """
            count  left open   total     avg    p50     p90     p99     max  activity
                2          1  360 ns  180 ns  60 ns  300 ns  300 ns  300 ns  request

              time         from           to  events  threads  longest activities
            300 ns  0.000000000  0.000000300       3        2  request: id=1, door > desk
             60 ns  0.000000040  0.000000100       3        2  request: id=2, door > desk
            """);
  }

  @Test
  void theSameByScript() throws IOException {
    Path rule =
        script(
            """
            function activity(event, state) {
              const id = event.fields.id;
              if (event.name == "shop.ACCEPT") {
                state.number = (state.number ?? 0) + 1;
                begin(id, "request");
              } else if (event.name == "shop.WORK") {
                step(id);
              } else if (event.name == "shop.REPLY") {
                end(id, state.number == 3 && id == 2 ? "quick request" : undefined);
              }
            }
            """);
    assertThat(report("--activities", rule, "--csv").out())
        .isEqualTo(
            HEAD
                + "request,1,1,300,300,300,300,300,300,4\n"
                + "quick request,1,0,60,60,60,60,60,60,3\n");
  }

  @Test
  void inAFileWithOtherKeys() throws IOException {
    Path file = folder.resolve("all.activities");
    Files.writeString(
        file,
        "# both\n"
            + REQUEST
            + "\n\nserving: begin=a.Server.serve end=a.Server.*\n"
            + "reply after work: begin=shop.WORK(id) end=\"shop.REPLY\"(id) key=process\n");
    assertThat(report("--activities", file, "--csv").out())
        .isEqualTo(
            HEAD
                + "request,2,1,360,180,60,300,300,300,7\n"
                + "reply after work,2,0,270,135,30,240,240,240,4\n"
                + "serving,2,0,110,55,30,80,80,80,4\n");
    assertThat(report("--activities", file, "--csv", "--filter", "^serv").out()).hasLineCount(2);
  }

  @Test
  void thoseInAPart() {
    assertThat(report("--activities", REQUEST, "--csv", "--from", "150").out())
        .isEqualTo(HEAD + "request,1,0,300,300,300,300,300,300,3\n");
    assertThat(report("--activities", REQUEST, "--csv", "--thread", "other door").out())
        .isEqualTo(HEAD + "request,0,1,0,,,,,,1\n");
  }

  @Test
  void json() {
    assertThat(report("--activities", REQUEST, "--json", "--top", "1").out().replaceAll("\\s", ""))
        .contains("\"count\":2,\"leftOpen\":1,\"total\":360")
        .contains("\"key\":\"id=1\",\"begin\":0,\"end\":300,\"events\":3")
        .contains("{\"process\":2,\"thread\":1,\"threadName\":\"desk\",\"time\":60}")
        .doesNotContain("\"key\":\"id=2\"")
        .contains("\"endsWithoutBegin\":1,\"givenUp\":0");
  }

  /** What Barrelfish's own logs were counted to have, see expected.txt beside them. */
  @ParameterizedTest
  @CsvSource({"npc_1_1_0_8.0,28,0,0", "demo.1,200,1,0", "demo.11,160,2,0", "span15.0,938,109,110"})
  void messagesOfBarrelfish(String log, long paired, long unreceived, long unsent) {
    Path file = SourceTree.path("../shared/samples/barrelfish/" + log + ".log");
    assumeTrue(Files.exists(file), "no such sample: " + file);
    recording = file;
    Kymo kymo = report("--csv", "--activities", "message: begin=ump.send end=ump.receive key=key");
    assertThat(kymo.out()).startsWith(HEAD + "message,%d,%d,".formatted(paired, unreceived));
    assertThat(kymo.err())
        .contains(unsent == 0 ? "" : "ends without a begin: number=" + unsent + "\n");
  }

  /**
   * Core 0 of this log, read by eye: {@code aaaa} at 20286, 28395, 38726, 44378, and {@code bbbb}
   * at 27034, 36621, 43090 and not again.
   */
  @Test
  void pollingOfBarrelfish() {
    Path file = SourceTree.path("../shared/samples/barrelfish/npc_1_1_0_8.0.log");
    assumeTrue(Files.exists(file), "no such sample: " + file);
    recording = file;
    long total = 27034 - 20286 + (36621 - 28395) + (43090 - 38726);
    String polling = "polling: begin=marker.running end=marker.blocked key=core";
    assertThat(report("--csv", "--activities", polling, "--thread", "core 0").out())
        .startsWith(HEAD + "polling,3,1,%d,%d,6748,8226,8226,8226,7\n".formatted(total, total / 3));
  }

  /** A slice has them as calls of a process of their own. */
  @Test
  void tracksOfThem() {
    Path slice = folder.resolve("slice.kymo");
    Kymo kymo = Kymo.run("slice", recording, "--activities", REQUEST, "-o", slice);
    assertThat(kymo.err()).startsWith("kymo: ends without a begin: number=1\n");
    assertThat(Kymo.run("print", slice, "--event", "activity").out())
        .isEqualTo(
            """
            0.000000000 3/1 request enter activity.request
            0.000000000 3/1 request activity.request key=id=1
            0.000000000 3/1 request activity.step process=1 thread=1 name=door
            0.000000030 3/2 request 2 enter activity.request (left open)
            0.000000030 3/2 request 2 activity.request (left open) key=id=3
            0.000000030 3/2 request 2 activity.step process=1 thread=2 name=other door
            0.000000030 3/2 request 2 leave activity.request (left open)
            0.000000040 3/2 request 2 enter activity.request
            0.000000040 3/2 request 2 activity.request key=id=2
            0.000000040 3/2 request 2 activity.step process=1 thread=1 name=door
            0.000000060 3/1 request activity.step process=2 thread=1 name=desk
            0.000000070 3/2 request 2 activity.step process=2 thread=1 name=desk
            0.000000100 3/2 request 2 activity.step process=2 thread=1 name=desk
            0.000000100 3/2 request 2 leave activity.request
            0.000000300 3/1 request activity.step process=2 thread=1 name=desk
            0.000000300 3/1 request leave activity.request
            """);
    assertThat(Kymo.run("info", slice).out()).contains("activities").doesNotContain("the kernel");
    Path merged = folder.resolve("merged.kymo");
    assertThat(Kymo.run("merge", slice, slice, "-o", merged).code()).isZero();
    assertThat(Kymo.run("print", merged, "--event", "activity.step").out())
        .contains("0.000000300 6/1 request activity.step process=5 thread=1 name=desk\n");
  }

  @ParameterizedTest
  @CsvSource({"demo.1,200", "span15.0,938"})
  void tracksOfBarrelfishsMessages(String log, int paired) {
    Path file = SourceTree.path("../shared/samples/barrelfish/" + log + ".log");
    assumeTrue(Files.exists(file), "no such sample: " + file);
    Path slice = folder.resolve("slice.kymo");
    String message = "message: begin=ump.send end=ump.receive key=key";
    assertThat(Kymo.run("slice", file, "--activities", message, "-o", slice).code()).isZero();
    assertThat(Kymo.run("report", slice, "--filter", "^activity.message$", "--csv").out())
        .contains("\nactivity.message,,2,,," + paired + ",");
  }

  private void fails(int code, String message, Object given) {
    Kymo kymo = Kymo.run("report", recording, "--activities", given);
    assertThat(kymo.err()).contains(message);
    assertThat(kymo.code()).isEqualTo(code);
  }

  @Test
  void errors() throws IOException {
    fails(ExitCode.USAGE, "no such file of activities: file=none", "none");
    fails(
        ExitCode.USAGE,
        "activities cannot be read: from=\"x: begin=a\" line=1 column=1"
            + " error=\"an activity has begin=EVENT and end=EVENT\"",
        "x: begin=a");
    fails(ExitCode.USAGE, "line=1 column=12 error=\"not begin=, step=", "x: begin=a until=b");
    fails(ExitCode.USAGE, "line=1 column=1 error=\"not NAME: begin=", "begin=a end=b");
    fails(
        ExitCode.FAILED,
        "script has no function of this name",
        script("function accept(event) { return true; }"));
    fails(
        ExitCode.FAILED,
        " line=2 column=3 error=\"TypeError: begin(key) needs a key that is not undefined\"",
        script("function activity(event) {\n  begin(event.fields.none);\n}"));
    fails(
        ExitCode.FAILED,
        "begin() can be called by activity(event, state) only",
        script("begin(1); function activity(event) {}"));
    assertThat(report("--activities", "x: begin=a end=b").out())
        .isEqualTo("no activities: no event began one\n");
  }
}
