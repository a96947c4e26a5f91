package dev.kymo.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.testkit.KernelProgram;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Questions about a program whose threads' states the kernel tells. */
class KernelAnswersTest {
  @TempDir static Path folder;

  private static Served served;

  @BeforeAll
  static void start() throws IOException {
    served = Served.of(KernelProgram.recording(), folder.resolve("kernel.kymo"));
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  @Test
  void tellsWhatATrackIs() throws Exception {
    assertThat(served.get("recording"))
        .contains("{\"id\":0,\"process\":1,\"thread\":1,\"kind\":\"scheduled\",\"of\":5,")
        .contains("{\"id\":2,\"process\":1,\"thread\":3,\"kind\":\"scheduled\",\"of\":-1,")
        .contains("{\"id\":3,\"process\":1,\"thread\":8,\"kind\":\"cpu\",\"of\":-1,")
        .contains("{\"id\":5,\"process\":2,\"thread\":1,\"kind\":\"calls\",\"of\":-1,");
  }

  @Test
  void tellsWhoWokeAThread() throws Exception {
    assertThat(served.get("call?track=0&depth=0&time=160000000"))
        .contains("\"begin\":\"150000000\",\"end\":\"250000000\"")
        .endsWith("\"callers\":[],\"object\":0,\"other\":1}}");
  }

  @Test
  void arrowsOfTheKernelAreThoseThatAreAskedFor() throws Exception {
    assertThat(served.get("arrows?from=0&to=1000000000&max=9"))
        .isEqualTo(
            """
            {"more":false,"time":[],"waited":[],"fromTrack":[],"toTrack":[],"method":[]}\
            """);
    assertThat(served.get("arrows?from=0&to=1000000000&max=9&kinds=monitor,blocked,handed"))
        .contains(
            "\"more\":false,\"time\":[\"250000000\",\"280000000\",\"480000000\",\"700000000\"]")
        .contains("\"waited\":[100000000,0,180000000,50000000]")
        .contains("\"fromTrack\":[1,1,0,2],\"toTrack\":[0,0,1,0]");
    assertThat(served.get("arrows?from=0&to=1000000000&max=2&kinds=runnable"))
        .contains("\"more\":true,\"time\":[\"280000000\",\"450000000\"]");
    assertThat(served.get("arrows?from=0&to=1000000000&max=2&kinds=runnable,blocked"))
        .contains("\"more\":true,\"time\":[\"450000000\",\"480000000\"]");
  }

  @Test
  void tellsWhatACallsTimeWentTo() throws Exception {
    assertThat(served.get("why?track=5&depth=1&time=100000000"))
        .startsWith(
            """
            {"why":{"scheduled":0,"split":{"running":195000000,"interrupted":15000000,\
            "runnable":80000000,"blocked":100000000,"unknown":10000000,"faults":2},\
            "recorded":{"interrupted":true,"faults":true},\
            "states":{"method":[\
            """)
        .contains(
            "\"other\":[1,1,2,-1,-1,-1,1],\"object\":[0,0,0,0,0,0,0],\"count\":[1,1,1,1,1,2,1]")
        .contains("\"time\":[100000000,50000000,30000000,10000000,5000000,0,0]")
        .contains("\"other\":[-1],\"object\":[48879],\"count\":[1],\"time\":[105000000]}")
        .contains("\"calls\":[1],\"time\":[100000000]},\"self\":300000000,\"counted\":0,")
        .endsWith(
            """
            "siblings":{"count":4,"looked":4,"explained":3,"duration":40000000,\
            "split":{"running":50000000,"interrupted":0,"runnable":0,"blocked":50000000,\
            "unknown":0,"faults":0}}}}\
            """);
    assertThat(served.get("why?track=5&depth=7&time=0")).isEqualTo("{\"why\":null}");
  }

  @Test
  void sumsUpSchedulingAndProcessorsByThemselves() throws Exception {
    assertThat(served.get("summary?kind=calls"))
        .contains("\"calls\":[6,1,1],\"total\":[1060000000,1000000000,100000000]");
    assertThat(served.get("summary?kind=cpu")).contains("\"total\":[750000000,390000000,");
    assertThat(served.get("counted?kind=scheduled")).startsWith("{\"calls\":0,");
  }
}
