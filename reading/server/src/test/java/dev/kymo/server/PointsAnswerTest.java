package dev.kymo.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.testkit.RecordingBuilder;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The irregular points of a small program. */
class PointsAnswerTest {
  @TempDir Path folder;

  @Test
  void pointsAreAnsweredPageByPage() throws Exception {
    Path written = InstructionProgram.write(folder.resolve("r.kymo"));
    try (Timeline timeline = Timelines.open(written, ProgressListener.NONE);
        KymoServer server = KymoServer.start(timeline, 0);
        Asker asker = new Asker(server.uri())) {
      assertThat(asker.get("/api/recording").body()).contains("\"instructions\":true");
      assertThat(asker.ask("/api/points?count=2&kinds=0,1,2&first=1&at=1000").body())
          .isEqualTo(
              """
              {"total":10,"before":5,"kinds":{"word":["unmatched return",\
              "call left without return","fault","preempted","first execution of a page",\
              "interrupt in critical code"],"count":[2,6,2,0,5,0],"unlisted":[0,0,0,0,0,0]},\
              "time":["9","16"],"track":[0,0],"kind":[2,0],"address":["0x1007","0x3001"],\
              "module":["",""],"function":["0x1000+0x7","0x3000+0x1"],\
              "text":["SIGSEGV","to 0x2000+0x10"]}\
              """);
      assertThat(asker.ask("/api/points?count=9&from=1000&to=1009&tracks=0,1").body())
          .contains("\"total\":2,")
          .contains("\"time\":[\"1007\",\"1009\"]");
      assertThat(asker.ask("/api/points?count=9&tracks=1&kinds=2").body())
          .contains("\"total\":1,")
          .contains("\"track\":[1]");
      assertThat(asker.ask("/api/points?count=9&critical=nobody").body())
          .isEqualTo(
              "{\"error\":\"Interrupts cannot be looked for: no function of this name was"
                  + " executed: nobody.\"}");
    }
  }

  @Test
  void withoutInstructionsThereAreNone() throws Exception {
    Path written = new RecordingBuilder().process(1).write(folder.resolve("r.kymo"));
    try (Timeline timeline = Timelines.open(written, ProgressListener.NONE);
        KymoServer server = KymoServer.start(timeline, 0);
        Asker asker = new Asker(server.uri())) {
      assertThat(asker.get("/api/recording").body()).contains("\"instructions\":false");
      assertThat(asker.ask("/api/points?count=1").body())
          .isEqualTo("{\"error\":\"No instructions were recorded.\"}");
    }
  }
}
