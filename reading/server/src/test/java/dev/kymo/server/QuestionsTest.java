package dev.kymo.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Questions that take time, about a recording small enough to know the answers. */
class QuestionsTest {
  private static KymoServer server;
  private static Asker asker;

  @BeforeAll
  static void start() throws IOException {
    server = KymoServer.start(small(), 0);
    asker = new Asker(server.uri());
  }

  @AfterAll
  static void stop() {
    asker.close();
    server.close();
  }

  /**
   * <pre>
   *   main   0 outer 1000     worker  100 inner 300
   *           100 inner 300           (gap 500 to 600)
   *            150 outer 200          700 inner 701
   *           400 inner 600
   * </pre>
   */
  private static FakeTimeline small() {
    FakeTimeline small = new FakeTimeline("small", 1000);
    int process = small.process(1, "java");
    int outer = small.method("a.Main", "outer", "()V");
    int inner = small.method("a.Main", "inner", "()V");
    small.method("a.Other", "never", "()V");
    small
        .thread("main", process, false)
        .call(0, outer, 0, 1000)
        .call(1, inner, 100, 300)
        .call(2, outer, 150, 200)
        .call(1, inner, 400, 600);
    small
        .thread("worker", process, false)
        .call(0, inner, 100, 300)
        .gap(500, 600, 7)
        .call(0, inner, 700, 701);
    return small;
  }

  private static String get(String question) throws IOException, InterruptedException {
    HttpResponse<String> answer = asker.ask("/api/" + question);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  @Test
  void tellsHowMuchHappenedWhen() throws Exception {
    assertThat(get("overview"))
        .startsWith("{\"width\":\"1\",\"events\":[1,0,")
        .contains("\"lost\":[0,");
  }

  @Test
  void sumsUpTheWholeRecording() throws Exception {
    assertThat(get("summary"))
        .isEqualTo(
            """
            {"atLeast":true,"method":[0,1],"calls":[2,4],"total":[1000,601],"self":[650,551],\
            "average":[525,150],"p50":[50,200],"p99":[1000,200],"max":[1000,200],\
            "maxTrack":[0,0],"maxDepth":[0,1],"maxBegin":["0","100"],"counted":[0,0],\
            "estimated":[0,0],"missing":[3,3],"selfTime":null,"correctedTotal":null,"correctedSelf":null,\
            "error":null}\
            """);
  }

  @Test
  void sumsUpWhatLiesInside() throws Exception {
    assertThat(get("summary?from=180&to=450&tracks=0"))
        .isEqualTo(
            """
            {"atLeast":false,"method":[0,1],"calls":[2,2],"total":[270,170],"self":[120,150],\
            "average":[145,85],"p50":[20,50],"p99":[270,120],"max":[1000,200],\
            "maxTrack":[0,0],"maxDepth":[0,1],"maxBegin":["0","100"],"counted":[0,0],\
            "estimated":[0,0],"missing":[0,0],"selfTime":null,"correctedTotal":null,"correctedSelf":null,\
            "error":null}\
            """);
    assertThat(get("summary?tracks=")).startsWith("{\"atLeast\":false,\"method\":[],\"calls\":[]");
  }

  @Test
  void tellsWhoCalledWhom() throws Exception {
    assertThat(get("tree"))
        .isEqualTo(
            """
            {"atLeast":true,"cut":0,"parent":[-1,0,1,-1],"method":[0,1,0,1],"calls":[1,2,1,2],\
            "total":[1000,400,50,201],"self":[600,350,50,201]}\
            """);
    assertThat(get("tree?up=false&from=180&to=450&tracks=0"))
        .isEqualTo(
            """
            {"atLeast":false,"cut":0,"parent":[-1,0,1],"method":[0,1,0],"calls":[1,2,1],\
            "total":[270,170,20],"self":[100,150,20]}\
            """);
  }

  @Test
  void tellsWhoWasCalledByWhom() throws Exception {
    assertThat(get("tree?up=true"))
        .isEqualTo(
            """
            {"atLeast":true,"cut":0,"parent":[-1,0,1,-1,3],"method":[0,1,0,1,0],\
            "calls":[2,1,1,4,2],"total":[650,50,50,551,350],"self":[650,50,50,551,350]}\
            """);
  }

  @Test
  void tellsWhoCalledAMethodAndWhatItCalled() throws Exception {
    assertThat(get("butterfly?method=1"))
        .isEqualTo(
            """
            {"atLeast":true,"calls":4,"total":601,"self":551,"itself":551,\
            "callers":{"cut":0,"method":[0,-1],"calls":[2,2],"total":[400,201]},\
            "callees":{"cut":0,"method":[0],"calls":[1],"total":[50]}}\
            """);
    assertThat(get("butterfly?method=0"))
        .as("of calls within each other the outermost has the time")
        .isEqualTo(
            """
            {"atLeast":true,"calls":2,"total":1000,"self":650,"itself":600,\
            "callers":{"cut":0,"method":[-1,1],"calls":[1,1],"total":[1000,0]},\
            "callees":{"cut":0,"method":[1],"calls":[2],"total":[400]}}\
            """);
    assertThat(get("butterfly?method=1&from=180&to=450&tracks=0"))
        .isEqualTo(
            """
            {"atLeast":false,"calls":2,"total":170,"self":150,"itself":150,\
            "callers":{"cut":0,"method":[0],"calls":[2],"total":[170]},\
            "callees":{"cut":0,"method":[0],"calls":[1],"total":[20]}}\
            """);
    assertThat(get("butterfly?method=2"))
        .startsWith("{\"atLeast\":true,\"calls\":0,\"total\":0,\"self\":0,\"itself\":0,");
  }

  @Test
  void tellsHowLongTheCallsOfAMethodTook() throws Exception {
    assertThat(get("durations?method=1"))
        .isEqualTo(
            """
            {"calls":4,"bound":[1,2,3,4,5,6,7,8,10,12,14,16,20,24,28,32,40,48,56,64,80,96,112,\
            128,160,192,224],"count":[1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,3],\
            "outliers":{"track":[0,1,0,1],"depth":[1,0,1,0],"begin":["100","100","400","700"],\
            "duration":[200,200,200,1]}}\
            """);
    assertThat(get("durations?method=2"))
        .isEqualTo(
            """
            {"calls":0,"bound":[],"count":[],\
            "outliers":{"track":[],"depth":[],"begin":[],"duration":[]}}\
            """);
  }

  @Test
  void tellsHowLongTheCallsOfAMethodTookWhen() throws Exception {
    assertThat(get("latencies?method=1&columns=10"))
        .startsWith("{\"from\":\"0\",\"width\":\"100\",\"bound\":[1,2,3,4,5,6,7,8,10,")
        .endsWith(
            """
            192,224],"column":[1,4,7],"row":[25,25,0],"count":[2,1,1],"track":[0,0,1],\
            "depth":[1,1,0],"begin":["100","400","700"],"duration":[200,200,1]}\
            """);
    assertThat(get("latencies?method=1&columns=2&from=200&to=500&tracks=0"))
        .as("what began before is in the first column, with its whole duration")
        .isEqualTo(
            """
            {"from":"200","width":"150","bound":[192,224],"column":[0,1],"row":[0,0],\
            "count":[1,1],"track":[0,0],"depth":[1,1],"begin":["100","400"],"duration":[200,200]}\
            """);
    assertThat(get("latencies?method=2&columns=10")).contains("\"bound\":[],\"column\":[]");
  }

  @Test
  void listsEventsInBothDirections() throws Exception {
    assertThat(get("events?at=150&count=3"))
        .isEqualTo(
            """
            {"time":["150","200","300","300"],"track":[0,0,0,1],"depth":[2,2,1,0],\
            "method":[0,0,1,1],"kind":[0,1,1,1],"duration":[50,50,200,200],\
            "other":[-1,-1,-1,-1],"object":[0,0,0,0],"name":["","","",""],"text":["","","",""],"more":true}\
            """);
    assertThat(get("events?at=150&count=3&back=true"))
        .isEqualTo(
            """
            {"time":["0","100","100"],"track":[0,0,1],"depth":[0,1,0],\
            "method":[0,1,1],"kind":[0,0,0],"duration":[1000,200,200],\
            "other":[-1,-1,-1],"object":[0,0,0],"name":["","",""],"text":["","",""],"more":false}\
            """);
    assertThat(get("events?at=500&tracks=1"))
        .isEqualTo(
            """
            {"time":["500","700","701"],"track":[1,1,1],"depth":[0,0,0],\
            "method":[-1,1,1],"kind":[9,0,1],"duration":[100,1,1],\
            "other":[-1,-1,-1],"object":[0,0,0],"name":["","",""],"text":["7","",""],"more":false}\
            """);
    assertThat(get("events?at=500&from=0&to=600&back=true&count=1"))
        .startsWith("{\"time\":[\"400\"],\"track\":[0],");
    assertThat(get("events?at=1001")).startsWith("{\"time\":[],").endsWith("\"more\":false}");
  }

  @Test
  void searchesForNames() throws Exception {
    assertThat(get("search?pattern=main.i"))
        .startsWith(
            "{\"methods\":[1],\"matching\":1,\"calls\":4,\"events\":0,\"width\":\"1\",\"marks\":[0,0,");
    assertThat(get("search?pattern=Main.I"))
        .startsWith("{\"methods\":[],\"matching\":0,\"calls\":0,");
    assertThat(get("search?pattern=Main&tracks=0&from=950"))
        .startsWith(
            "{\"methods\":[0,1],\"matching\":2,\"calls\":1,\"events\":0,\"width\":\"1\",\"marks\":[1,0,");
    assertThat(get("search?pattern=%5Cber"))
        .as("word boundary")
        .startsWith("{\"methods\":[],\"matching\":0,");
  }

  @Test
  void listsWhatWasFoundPageByPage() throws Exception {
    assertThat(get("hits?pattern=inner&at=0&skip=0&count=10"))
        .isEqualTo(
            """
            {"track":[0,1,0,1],"depth":[1,0,1,0],"method":[1,1,1,1],\
            "begin":["100","100","400","700"],"duration":[200,200,200,1]}\
            """);
    assertThat(get("hits?pattern=Main&at=100&skip=1&count=2"))
        .as("those that began before do not count")
        .isEqualTo(
            """
            {"track":[1,0],"depth":[0,2],"method":[1,0],\
            "begin":["100","150"],"duration":[200,50]}\
            """);
    assertThat(get("hits?pattern=inner&at=0&skip=4&count=2")).startsWith("{\"track\":[],");
    assertThat(get("hits?pattern=inner&at=0&skip=1&count=2&tracks=0"))
        .startsWith("{\"track\":[0],");
  }

  @Test
  void tellsWhichOfThoseFoundOneIs() throws Exception {
    String inner = "rank?pattern=inner&";
    assertThat(get(inner + "at=0&track=0&depth=1&time=100"))
        .isEqualTo("{\"before\":0,\"hit\":true}");
    assertThat(get(inner + "at=0&track=1&depth=0&time=700"))
        .isEqualTo("{\"before\":3,\"hit\":true}");
    assertThat(get(inner + "at=300&track=1&depth=0&time=700"))
        .isEqualTo("{\"before\":1,\"hit\":true}");
    assertThat(get(inner + "at=0&track=0&depth=2&time=150"))
        .isEqualTo("{\"before\":2,\"hit\":false}");
  }

  @Test
  void findsTheNextCall() throws Exception {
    String find = "find?method=1&direction=";
    assertThat(get(find + "next&time=0")).startsWith(call(0, 1, 1, 100, 300));
    assertThat(get(find + "next&track=0&depth=1&time=100")).startsWith(call(1, 1, 0, 100, 300));
    assertThat(get(find + "next&track=1&depth=0&time=100")).startsWith(call(0, 1, 1, 400, 600));
    assertThat(get(find + "next&track=0&depth=1&time=400")).startsWith(call(1, 1, 0, 700, 701));
    assertThat(get(find + "next&time=700")).isEqualTo("{\"call\":null}");
    assertThat(get(find + "previous&time=700")).startsWith(call(0, 1, 1, 400, 600));
    assertThat(get(find + "previous&time=400")).startsWith(call(1, 1, 0, 100, 300));
    assertThat(get(find + "previous&track=1&depth=0&time=100")).startsWith(call(0, 1, 1, 100, 300));
    assertThat(get(find + "previous&time=100")).isEqualTo("{\"call\":null}");
    assertThat(get(find + "previous&time=400&from=300&tracks=0"))
        .startsWith(call(0, 1, 1, 100, 300));
    assertThat(get(find + "previous&time=400&from=301")).isEqualTo("{\"call\":null}");
    assertThat(get("find?pattern=outer&direction=previous&time=1000"))
        .startsWith(call(0, 0, 2, 150, 200));
  }

  @Test
  void findsTheLongestCall() throws Exception {
    assertThat(get("find?method=1&direction=longest")).startsWith(call(0, 1, 1, 100, 300));
    assertThat(get("find?method=1&direction=longest&tracks=1&from=400"))
        .startsWith(call(1, 1, 0, 700, 701));
    assertThat(get("find?pattern=nothing&direction=longest")).isEqualTo("{\"call\":null}");
  }

  private static String call(int track, int method, int depth, int begin, int end) {
    return """
    {"call":{"track":%d,"method":%d,"depth":%d,"begin":"%d","end":"%d",\
    """
        .formatted(track, method, depth, begin, end);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "summary?from=5&to=4 | Out of range: to=4, allowed 5 to 4611686018427387903.",
        "summary?kind=threads | Neither calls, states, jvm, scheduled nor cpu: kind=threads.",
        "summary?tracks=2 | Out of range: tracks=2, allowed 0 to 1.",
        "tree?up=yes | Neither true nor false: up=yes.",
        "events | Parameter missing: at.",
        "events?at=0&count=5001 | Out of range: count=5001, allowed 1 to 5000.",
        "search?pattern=a(b | Not a regular expression: Unclosed group, at=3.",
        "search?pattern=(a%7B1000%7D)%7B1000%7D | The pattern repeats too often; "
            + "its numbers in braces may multiply to 10000.",
        "search?pattern=.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*! "
            + "| The pattern takes too long to match; use a simpler one.",
        "find?method=0&direction=up | Neither next, previous nor longest: direction=up.",
        "find?direction=next&time=0 | Parameter missing: method.",
        "find?method=0&direction=next | Parameter missing: time.",
        "find?method=0&direction=next&time=0&depth=1 | Parameter missing: track.",
        "durations | Parameter missing: method.",
        "durations?method=3 | Out of range: method=3, allowed 0 to 2."
      })
  void saysWhatIsWrongWithAQuestion(String question, String sentence) throws Exception {
    HttpResponse<String> answer = asker.ask("/api/" + question);
    assertThat(answer.body()).isEqualTo("{\"error\":\"" + sentence + "\"}");
    assertThat(answer.statusCode()).isEqualTo(400);
  }
}
