package dev.kymo.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.testkit.RecordingBuilder;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Questions about samples; their sums are tested where they are made. */
class SamplesAnswerTest {
  @TempDir static Path folder;

  private static Served served;

  @BeforeAll
  static void start() throws IOException {
    served = Served.of(SampledProgram.recording(), folder.resolve("samples.kymo"));
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  @Test
  void saysWhichKindsThereAre() throws Exception {
    assertThat(served.get("recording"))
        .contains(
            """
            "samples":{"first":true,"kinds":[{"name":"jdk.ExecutionSample","units":[]},\
            {"name":"jdk.A","units":["bytes"]}]}\
            """);
  }

  @Test
  void saysNothingOfSamplesWhereThereAreNone() throws Exception {
    Path other = OwnProgram.recording().write(folder.resolve("own.kymo"));
    try (Timeline own = Timelines.open(other, ProgressListener.NONE);
        KymoServer ofOwn = KymoServer.start(own, 0);
        Asker ask = new Asker(ofOwn.uri())) {
      assertThat(ask.ask("/api/recording").body()).doesNotContain("\"samples\"");
    }
  }

  /** A process that made calls, and was not sampled, has more to show in calls. */
  @Test
  void callsOfAnotherProcessComeFirst() throws Exception {
    RecordingBuilder both = SampledProgram.recording().process(2).thread(2, 1, "main");
    both.method(2, 1, "b.C", "main").ring(2, 0, 1).enter(10, 1).leave(20, 1);
    Path path = both.end(2, 0).write(folder.resolve("both.kymo"));
    try (Timeline of = Timelines.open(path, ProgressListener.NONE);
        KymoServer ofBoth = KymoServer.start(of, 0);
        Asker ask = new Asker(ofBoth.uri())) {
      assertThat(ask.ask("/api/recording").body()).contains("\"samples\":{\"first\":false,");
    }
  }

  @Test
  void sumsUpByPath() throws Exception {
    assertThat(served.get("samples?up=false&kinds=jdk.ExecutionSample&unit="))
        .isEqualTo(
            """
            {"kinds":{"name":["jdk.A","jdk.ExecutionSample"],"samples":[10,110]},"unknown":1,\
            "atLeast":false,"cut":0,"parent":[-1,0,1],"method":[2,3,4],\
            "calls":[109,100,75],"total":[109,100,75],"self":[9,25,75]}\
            """);
    assertThat(
            served.get(
                "samples?up=true&kinds=jdk.A%0Ajdk.ExecutionSample&unit=bytes&from=0&to=400000000"))
        .contains("\"samples\":[3,44]}")
        .contains("\"method\":[4,3,2],\"calls\":[3,3,3],\"total\":[3072,3072,3072]");
  }

  @Test
  void looksAtSomeThreadsAndTimes() throws Exception {
    String question = "samples?up=false&kinds=jdk.ExecutionSample&unit=";
    assertThat(served.get(question + "&tracks=1&from=100000000&to=200000000"))
        .contains("\"samples\":[1,2]}")
        .contains("\"method\":[2],\"calls\":[2]");
    assertThat(served.get(question + "&from=1&to=2"))
        .contains("{\"name\":[],\"samples\":[]},\"unknown\":0")
        .contains("\"method\":[],\"calls\":[]");
  }

  @Test
  void aSampleHasItsStack() throws Exception {
    assertThat(served.get("own-list?track=0&from=30000000&to=40000000&max=9"))
        .contains("\"stack\":[[4,3,2],[3,2]]}");
    assertThat(served.get("own-list?track=1&from=1000000000&to=1000000000&max=9"))
        .contains("\"stack\":[[]]}");
  }

  @Test
  void refusesWhatIsNoQuestion() throws Exception {
    assertThat(served.asker().ask("/api/samples?unit=&up=false").statusCode()).isEqualTo(400);
    assertThat(served.asker().ask("/api/samples?kinds=x&up=false").statusCode()).isEqualTo(400);
    assertThat(served.get("samples?kinds=x%0Ax%0A&unit=none")).contains("\"method\":[]");
  }
}
