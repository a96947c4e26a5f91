package dev.kymo.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Questions about a program with events of its own. */
class UserEventsAnswersTest {
  @TempDir static Path folder;

  private static Served served;

  @BeforeAll
  static void start() throws IOException {
    served = Served.of(OwnProgram.recording(), folder.resolve("own.kymo"));
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  private static int event(String name) {
    return served.timeline().events().stream()
        .filter(event -> event.qualifiedName().equals(name))
        .mapToInt(event -> event.number())
        .min()
        .orElseThrow();
  }

  /** A column of the first thing that has one of this name. */
  private static long[] column(String answer, String name) {
    Matcher matcher = Pattern.compile('"' + name + "\":\\[([^]]*)]").matcher(answer);
    assertThat(matcher.find()).as(answer).isTrue();
    String[] parts = matcher.group(1).isEmpty() ? new String[0] : matcher.group(1).split(",");
    return Arrays.stream(parts).mapToLong(Long::parseLong).toArray();
  }

  @Test
  void tellsWhichTracksHaveWhat() throws Exception {
    assertThat(served.get("recording"))
        .contains("\"depth\":2,\"instants\":10006,\"countersInAll\":0,\"counters\":[]}")
        .contains("\"instants\":2,\"countersInAll\":3,\"counters\":[{\"event\":")
        .contains("\"count\":83,\"min\":3,\"max\":500}")
        .contains(",\"max\":100}")
        .contains("\"count\":3,\"min\":0,\"max\":1}")
        .contains("\"messages\":true");
  }

  @Test
  void tellsWhatAKindOfEventsIs() throws Exception {
    assertThat(served.get("methods?ids=" + event("disk.ALLOC")))
        .contains("\"type\":\"disk\",\"name\":\"ALLOC\"")
        .contains(
            """
            "event":{"kind":0,"description":"a block of memory was taken",\
            "fields":"u64 size; str owner;","category":"I/O","colour":"#d04040"}\
            """);
  }

  @Test
  void marksEachEventThatStandsAlone() throws Exception {
    String answer = served.get("own?from=50000000&to=550000000&resolution=1000000&tracks=0");
    assertThat(answer)
        .startsWith(
            """
            {"tracks":[{"track":0,"marks":{\
            "begin":[50000000,150000000,250000000,350000000],\
            "end":[50000000,150000000,250000000,350000000],\
            "count":[1,1,1,1],"different":[1,1,1,1],\
            """)
        .contains(
            "\"event\":[%d,%d,%d,%d],\"times\":[1,1,1,1]"
                .formatted(
                    event("disk.MARK"), event("bus.ASK"), event("disk.ALLOC"), event("disk.READ")));
  }

  @Test
  void countsEachOfManyEventsInOneMark() throws Exception {
    String answer = served.get("own?from=0&to=1000000000&resolution=1000000&tracks=0");
    long[] counts = column(answer, "count");
    assertThat(Arrays.stream(counts).sum()).isEqualTo(10_006);
    assertThat(counts).hasSizeLessThan(30).contains(800L);
    assertThat(answer).contains(event("queue.TICK") + "," + event("disk.MARK"));
    assertThat(column(answer, "times")).contains(720, 80);
    // The same cells, whatever the window.
    String moved = served.get("own?from=640000000&to=660000000&resolution=1000000&tracks=0");
    assertThat(column(moved, "count")).containsExactly(800, 800, 401);
  }

  @Test
  void isBoundedHoweverFinelyOneAsks() throws Exception {
    String answer = served.get("own?from=0&to=1000000000&resolution=0&tracks=0");
    assertThat(Arrays.stream(column(answer, "count")).sum()).isEqualTo(10_006);
    HttpResponse<String> refused =
        served.asker().get("/api/own?from=0&to=1&resolution=0&tracks=77");
    assertThat(refused.statusCode()).isEqualTo(400);
  }

  @Test
  void countersHaveStatisticsOfASelection() throws Exception {
    // The queue grows from 20 to 39 and again, a value each 10 ms; at 555 ms 500 for a microsecond.
    assertThat(served.get("counters?from=100000000&to=900000000&tracks=1"))
        .startsWith("{\"cut\":0,\"track\":[1,1,1],")
        .contains("\"count\":[83,11,2],\"min\":[3,")
        .contains("\"max\":[500,")
        .containsPattern("\"mean\":\\[29.30062125,[-0-9.]+,0.5875],\"last\":\\[30,[-0-9.]+,0]}");
    assertThat(served.get("counters?from=300000000&to=300000100&tracks=1"))
        .as("what it was when the selection began")
        .contains("\"count\":[1,0,0],\"min\":[30,")
        .contains(",1],\"last\":[30,");
    assertThat(served.get("counters?from=0&to=59999999&tracks=1"))
        .isEqualTo(
            """
            {"cut":0,"track":[],"method":[],"count":[],"min":[],"max":[],"mean":[],"last":[]}\
            """);
  }

  @Test
  void curvesLoseNoPeakAndKnowWhatWasBefore() throws Exception {
    String answer = served.get("own?from=540000000&to=580000000&resolution=16000000&tracks=1");
    assertThat(answer)
        .contains(
            """
            {"event":%d,"before":33,"time":[0,10000000,20000000,40000000],\
            "min":[34,3,36,38],"max":[34,500,37,38],"last":[34,3,37,38]}\
            """
                .formatted(event("queue.LENGTH")))
        .contains("\"before\":1,\"time\":[],\"min\":[],\"max\":[],\"last\":[]}");
    assertThat(served.get("own?from=0&to=55000000&resolution=1000&tracks=1"))
        .contains("{\"event\":%d,\"before\":null,\"time\":[],".formatted(event("queue.OPEN")));
  }

  @Test
  void listsEventsWithWhatTheyTell() throws Exception {
    assertThat(served.get("own-list?track=0&from=300000000&to=400000000&max=5"))
        .isEqualTo(
            """
            {"more":false,"time":["300000000","400000000"],"event":[%d,%d],\
            "name":["disk.ALLOC","disk.READ"],"text":["size=4096 owner=<b>cache</b>","0x7"],"stack":[[],[]]}\
            """
                .formatted(event("disk.ALLOC"), event("disk.READ")));
    assertThat(served.get("own-list?track=0&from=600000000&to=700000000&max=2"))
        .startsWith("{\"more\":true,\"time\":[\"600000000\",\"600010000\"]");
    assertThat(served.get("own-list?track=0&from=800000000&to=800000000&max=2"))
        .contains("\"name\":[\"event 99\"]");
  }

  @Test
  void messagesAreArrowsOfTheirOwnKind() throws Exception {
    assertThat(served.get("arrows?from=0&to=1000000000&max=99&kinds=monitor"))
        .contains("\"time\":[]");
    assertThat(served.get("arrows?from=0&to=1000000000&max=99&kinds=message,monitor"))
        .contains("\"time\":[\"50000000\",\"130000000\",")
        .contains("\"265000000\"")
        .contains("\"735000000\"")
        .contains("-15000000");
    assertThat(served.get("arrows?from=205000000&to=220000000&max=1&kinds=message"))
        .contains("\"more\":false,\"time\":[\"265000000\"],\"waited\":[65000000],")
        .contains("\"fromTrack\":[0],\"toTrack\":[1]");
  }

  @Test
  void tellsWhoSendsToWhom() throws Exception {
    assertThat(served.get("matrix?of=messages&by=thread"))
        .startsWith(
            """
            {"atLeast":false,"cut":0,"party":[0,1,2,3],"from":[0,2,3],"to":[1,3,2],"count":[2,5,5],\
            "bytes":[0,0,0],"sized":[0,0,0],"total":[50000000,100000000,-100000000],\
            "least":[-15000000,20000000,-20000000],\
            """)
        .contains("\"most\":[65000000,20000000,-20000000]")
        .contains("\"firstTrack\":[1,3,2],\"firstDepth\":[0,0,0]")
        .contains("\"firstBegin\":[\"200000000\",\"30000000\",\"150000000\"]");
    assertThat(served.get("matrix?of=messages&by=process&from=0&to=300000000"))
        .contains("\"party\":[1,2],\"from\":[1,2],\"to\":[1,2],\"count\":[1,3]");
    assertThat(served.get("matrix?of=waits&by=thread")).contains("\"party\":[],\"from\":[]");
  }

  @Test
  void tellsHowOftenAndHowLong() throws Exception {
    String messages = served.get("statistics?of=messages&by=core&columns=10");
    assertThat(messages)
        .startsWith(
            """
            {"atLeast":false,"from":"0","width":"100000001","columns":10,"to":"1000000000","cut":0,\
            """)
        .contains("\"group\":[0,1,-1],\"count\":[5,5,2]");
    assertThat(column(messages, "begun"))
        .containsExactly(
            1, 0, 1, 0, 1, 0, 1, 0, 1, 0, // core 0
            0, 1, 0, 1, 0, 1, 0, 1, 0, 1, // core 1
            0, 1, 0, 0, 0, 0, 0, 1, 0, 0);
    String events = served.get("statistics?of=events&by=none&columns=1&tracks=0");
    assertThat(column(events, "method")).contains(event("disk.READ"), event("queue.TICK"));
    assertThat(column(events, "count")[0]).isEqualTo(9 * OwnProgram.TICKS / 10);
    String heat =
        served.get("heat?of=events&by=none&columns=4&methods=" + event("queue.TICK") + "&tracks=0");
    assertThat(column(heat, "column")).containsExactly(2, 2);
    assertThat(column(heat, "count")).containsExactly(8000, 999); // 10 us apart, or 20 us
  }

  @Test
  void tellsWhatTimeWentTo() throws Exception {
    String shares = served.get("shares?of=cpus&by=method&columns=2&most=2");
    assertThat(shares).contains("\"name\":[\"thread.driver\",\"thread.shell\"]");
    assertThat(column(shares, "time")).containsExactly(800_000_000, 800_000_000);
    assertThat(served.get("shares?of=cpus&by=method&columns=1&most=1"))
        .contains("\"name\":[\"(others)\"],\"method\":[-1],\"time\":[1600000000]");
  }

  @Test
  void refusesStatisticsOfWhatIsNot() throws Exception {
    assertThat(served.asker().ask("/api/statistics?of=mail&by=none&columns=1").statusCode())
        .isEqualTo(400);
    assertThat(served.asker().ask("/api/shares?of=events&by=class&columns=1&most=1").body())
        .contains("They take no time of threads: of=events.");
    assertThat(served.asker().ask("/api/statistics?of=calls&by=none&columns=401").statusCode())
        .isEqualTo(400);
  }

  @Test
  void findsEventsByName() throws Exception {
    assertThat(served.get("search?pattern=alloc"))
        .startsWith("{\"methods\":[%d,".formatted(event("disk.ALLOC")))
        .contains("\"calls\":0,\"events\":1,");
    assertThat(served.get("search?pattern=disk")).contains("\"calls\":1,\"events\":1002,");
    String from = "find?pattern=bus&direction=";
    assertThat(served.get(from + "next&time=100000000&tracks=0,1"))
        .isEqualTo("{\"call\":null,\"event\":{\"track\":0,\"time\":\"200000000\"}}");
    String depth = "&depth=2147483647";
    assertThat(served.get(from + "next&tracks=0,1&track=0&time=200000000" + depth))
        .contains("\"track\":1,\"time\":\"265000000\"");
    assertThat(served.get(from + "previous&tracks=0,1&track=1&time=735000000" + depth))
        .contains("\"track\":1,\"time\":\"265000000\"");
    assertThat(served.get(from + "next&tracks=0,1&track=0&time=750000000" + depth))
        .isEqualTo("{\"call\":null}");
  }

  @Test
  void findsTheNearestOfCallsAndEvents() throws Exception {
    String from = "find?pattern=disk&direction=";
    assertThat(served.get(from + "next&time=300000000")).contains("\"begin\":\"400000000\"");
    assertThat(served.get(from + "next&time=250000000"))
        .contains("\"event\":{\"track\":0,\"time\":\"300000000\"}");
    assertThat(served.get(from + "previous&time=500000000")).contains("\"begin\":\"400000000\"");
    assertThat(served.get(from + "next&time=550000000")).contains("\"time\":\"600090000\"");
  }
}
