package dev.kymo.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Questions about a program whose threads wait, and whose calls were counted in part. */
class WaitingTest {
  @TempDir static Path folder;

  private static Served served;

  @BeforeAll
  static void start() throws IOException {
    served = Served.of(WaitingProgram.small(), folder.resolve("waiting.kymo"));
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  @Test
  void tellsWhatATrackIs() throws Exception {
    assertThat(served.get("recording"))
        .contains("\"budget\":50000,\"took\":{\"probes\":165200004,\"weaving\":0,")
        .contains("{\"id\":1,\"process\":1,\"thread\":2,\"kind\":\"calls\",\"of\":-1,")
        .contains("\"counted\":412000000,\"name\":\"worker-1\"")
        .contains("{\"id\":4,\"process\":1,\"thread\":12,\"kind\":\"states\",\"of\":1,")
        .contains("{\"id\":6,\"process\":1,\"thread\":14,\"kind\":\"states\",\"of\":-1,")
        .contains("{\"id\":7,\"process\":1,\"thread\":21,\"kind\":\"jvm\",\"of\":-1,");
  }

  @Test
  void tellsHowManyCallsWereCountedWhen() throws Exception {
    assertThat(served.get("window?from=1500000000&to=2500000000&resolution=0&tracks=1"))
        .contains(
            """
            "counts":{"from":[-500000000,500000000],"to":[500000000,1500000000],\
            "calls":[100000000,262000000]}\
            """);
    assertThat(served.get("window?from=0&to=4000000000&resolution=5000000000&tracks=1"))
        .contains("\"counts\":{\"from\":[0],\"to\":[3000000000],\"calls\":[412000000]}");
  }

  @Test
  void tellsWhatWasWaitedFor() throws Exception {
    assertThat(served.get("call?track=4&depth=0&time=600000000"))
        .contains("\"begin\":\"500000000\",\"end\":\"900000000\"")
        .endsWith("\"callers\":[],\"object\":48879,\"other\":5}}");
    assertThat(served.get("call?track=6&depth=0&time=600000000"))
        .endsWith("\"object\":0,\"other\":-1}}");
    assertThat(served.get("call?track=0&depth=0&time=600000000")).endsWith("\"callers\":[]}}");
  }

  @Test
  void tellsHowManyCallsWereCountedWhileACallRan() throws Exception {
    assertThat(served.get("call?track=1&depth=0&time=1500000000"))
        .contains("\"self\":\"3440000000\",\"children\":0,\"counted\":409000000,");
    assertThat(served.get("call?track=0&depth=0&time=600000000")).contains("\"counted\":0,");
  }

  @Test
  void drawsArrowsOfTheLongestWaits() throws Exception {
    assertThat(served.get("arrows?from=0&to=4000000000&max=3"))
        .isEqualTo(
            """
            {"more":true,"time":["900000000","1500000000","3500000000"],\
            "waited":[400000000,500000000,1000000000],"fromTrack":[5,3,4],"toTrack":[4,4,3],\
            "method":[6,10,11]}\
            """);
    assertThat(served.get("arrows?from=400000000&to=1000000000&max=9&kinds=lock,join"))
        .isEqualTo(
            """
            {"more":false,"time":["450000000"],"waited":[130000000],"fromTrack":[4],\
            "toTrack":[5],"method":[7]}\
            """);
    assertThat(served.get("arrows?from=0&to=4000000000&max=1&kinds=monitor,lock"))
        .startsWith("{\"more\":true,\"time\":[\"900000000\"]");
  }

  @Test
  void tellsTheCriticalPath() throws Exception {
    assertThat(served.get("path?track=0&from=2000000000&to=3900000000"))
        .startsWith(
            """
            {"cut":false,"kind":["did","waited","did","did","waited","did"],\
            "track":[1,1,1,0,0,0],\
            "begin":["2000000000","2200000000","2400000000","3500000000","3600000000",\
            "3700000000"],\
            "duration":[200000000,200000000,1100000000,100000000,100000000,200000000],\
            "call":[2,2,2,1,1,1],"state":[-1,8,11,-1,9,-1],\
            """);
  }

  @Test
  void tellsWhatThreadsDid() throws Exception {
    String threads = served.get("threads");
    assertThat(threads)
        .startsWith(
            """
            {"threads":{"rows":4,"columns":[{"id":"wall","label":"wall","unit":"nanos",\
            "meaning":"from its first to its last event",\
            "values":[4000000000,3500000000,3700000000,3980000000]},\
            """)
        .contains(
            """
            {"id":"running","label":"running","unit":"nanos",\
            "meaning":"on a processor, not interrupted","values":[null,null,null,null]},\
            """)
        .endsWith(
            """
            {"id":"waited","label":"waited","unit":"nanos","meaning":"as the program reports it",\
            "values":[1100000000,1150000000,134000000,3980000000],"atLeast":[1]}]},"track":[0,1,2,6],\
            "method":[[11,9],[10,6,8],[7,8],[10]],"other":[[4,-1],[3,5,-1],[4,3],[-1]],\
            "reasonTime":[[1000000000,100000000],[500000000,400000000,200000000],\
            [130000000,4000000],[3980000000]]}\
            """);
    assertThat(served.get("threads?from=3950000000&to=3960000000"))
        .contains("\"values\":[10000000,10000000]}", "\"track\":[0,6]");
  }

  @Test
  void tellsWhatHappenedToLocks() throws Exception {
    assertThat(served.get("locks"))
        .startsWith("{\"recorded\":true,\"locks\":{\"rows\":2,\"columns\":[{\"id\":\"object\",")
        .contains(
            """
            "values":["monitor app.Stock@beef",\
            "lock java.util.concurrent.locks.ReentrantLock$NonfairSync@f00d"]},\
            """)
        .contains(
            """
            {"id":"acquired","label":"acquired","unit":"count",\
            "meaning":"how often a thread got it","values":[null,null],"absent":["?","?"]},\
            """)
        .contains("\"values\":[400000000,130000000]}")
        .contains(
            "\"unit\":\"moment\",\"meaning\":\"when that wait began\","
                + "\"values\":[\"500000000\",\"320000000\"]}")
        .contains("\"longestTrack\":[1,2]")
        .endsWith("\"cycles\":[]}");
  }

  @Test
  void listsTheStepsOfTheRecorder() throws Exception {
    assertThat(served.get("steps"))
        .startsWith(
            """
            {"cut":0,"time":["10000000","1010000000","3010000000","3510000000"],\
            "process":[1,1,1,1],"method":[3,4,4,4],"mode":[2,3,0,3],"before":[1,1,3,0],\
            "reason":["its probes took 31 %\
            """);
  }

  @Test
  void tellsWhichCallsWereCounted() throws Exception {
    assertThat(served.get("overview")).containsPattern("\"counted\":\\[[0-9,]*[1-9][0-9,]*]");
    assertThat(served.get("counted?kind=calls"))
        .isEqualTo(
            "{\"calls\":420000000,\"time\":2100000000,\"method\":[3,4],\"counted\":[412000000,8000000],"
                + "\"mode\":[2,3],\"self\":[2060000000,40000000],\"estimated\":[0,1],\"atLeast\":[0,0]}");
    assertThat(served.get("counted?from=2500000000&to=4000000000&tracks=1"))
        .startsWith(
            "{\"calls\":131000000,\"time\":655000000,\"method\":[3],\"counted\":[131000000],");
    assertThat(served.get("counted?kind=states"))
        .isEqualTo(
            "{\"calls\":0,\"time\":0,\"method\":[],\"counted\":[],\"mode\":[],\"self\":[],\"estimated\":[],\"atLeast\":[]}");
  }

  @Test
  void sumsUpCallsByThemselvesAndWaitingByItself() throws Exception {
    assertThat(served.get("summary?kind=calls"))
        .contains("\"method\":[2,0,1,3,5,4],\"calls\":[2,1,2,412000000,2,8000000]")
        .contains("\"counted\":[0,0,0,412000000,0,8000000]")
        .contains("\"estimated\":[0,0,0,0,0,1],\"missing\":[0,0,0,0,0,1]")
        .contains("\"maxTrack\":[2,0,0,-1,2,-1]")
        .contains("\"correctedTotal\":[")
        .contains("\"error\":[");
    assertThat(served.get("summary?kind=states&from=0&to=1000000000"))
        .contains("\"method\":[10,6,7,12,8],\"calls\":[2,1,1,1,1],");
    assertThat(served.get("tree?kind=jvm"))
        .contains("\"parent\":[-1,-1],\"method\":[14,13],\"calls\":[1,3]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "arrows?from=0&to=5 | Parameter missing: max.",
        "arrows?from=0&to=5&max=1001 | Out of range: max=1001, allowed 1 to 1000.",
        "path?track=0&from=5&to=5 | Out of range: to=5, allowed 6 to 4611686018427387903.",
        "counted?kind=all | Neither calls, states, jvm, scheduled nor cpu: kind=all."
      })
  void saysWhatIsWrongWithAQuestion(String question, String sentence) throws Exception {
    HttpResponse<String> answer = served.asker().ask("/api/" + question);
    assertThat(answer.body()).isEqualTo("{\"error\":\"" + sentence + "\"}");
    assertThat(answer.statusCode()).isEqualTo(400);
  }
}
