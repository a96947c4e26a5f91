package dev.kymo.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.server.Asker;
import dev.kymo.server.KymoServer;
import dev.kymo.server.OwnProgram;
import dev.kymo.server.WaitingProgram;
import dev.kymo.testkit.KernelProgram;
import dev.kymo.testkit.RecordingBuilder;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lists of everything that known programs did. */
class EventsAnswerTest {
  private static final String[] KINDS = {
    "enter",
    "leave",
    "thrown",
    "state",
    "woken",
    "event",
    "counter",
    "sent",
    "received",
    "lost",
    "kernel"
  };

  @TempDir Path folder;

  /** The rows of an answer: milliseconds, kind, what, how many ms it took, by whom, data, where. */
  private List<String> list(RecordingBuilder recording, String question)
      throws IOException, InterruptedException {
    Path written = recording.write(folder.resolve("known.kymo"));
    try (Timeline timeline = Timelines.open(written, ProgressListener.NONE);
        KymoServer server = KymoServer.start(timeline, 0);
        Asker asker = new Asker(server.uri())) {
      HttpResponse<String> answer = asker.ask("/api/events?" + question);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      return rows(timeline, columns(answer.body()));
    }
  }

  private static Map<String, List<String>> columns(String json) throws IOException {
    Map<String, List<String>> columns = new HashMap<>();
    List<String> column = new ArrayList<>();
    try (JsonParser parser = new JsonFactory().createParser(json)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token == JsonToken.START_ARRAY) {
          column = new ArrayList<>();
          columns.put(parser.currentName(), column);
        } else if (token.isScalarValue()) {
          column.add(parser.getText());
        }
      }
    }
    return columns;
  }

  private static List<String> rows(Timeline timeline, Map<String, List<String>> columns) {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < column(columns, "time").size(); i++) {
      int at = i;
      int method = number(columns, "method", at);
      int other = number(columns, "other", at);
      String took = column(columns, "duration").get(at);
      String row =
          "%s %s %s %s %s %s @%s"
              .formatted(
                  ms(column(columns, "time").get(at)),
                  KINDS[number(columns, "kind", at)],
                  method < 0
                      ? column(columns, "name").get(at)
                      : timeline.method(method).qualifiedName(),
                  took.equals("0") ? "" : ms(took),
                  other < 0 ? "" : "by " + timeline.tracks().get(other).name(),
                  column(columns, "text").get(at),
                  timeline.tracks().get(number(columns, "track", at)).name());
      rows.add(row.replaceAll(" +", " "));
    }
    return rows;
  }

  private static List<String> column(Map<String, List<String>> columns, String name) {
    return Objects.requireNonNull(columns.get(name));
  }

  private static int number(Map<String, List<String>> columns, String name, int at) {
    return Integer.parseInt(column(columns, name).get(at));
  }

  private static String ms(String nanos) {
    return Double.toString(Long.parseLong(nanos) / 1e6).replaceAll("\\.0$", "");
  }

  @Test
  void hasWaitsAndWhoEndedThem() throws Exception {
    assertThat(list(WaitingProgram.small(), "at=0&count=14"))
        .containsExactly(
            "0 enter app.Main.main 4000 @main",
            "0 state start.java.lang.Thread 50 by main @worker-1",
            "10 state wait.app.Queue 3980 @Cleaner",
            "50 woken start.java.lang.Thread 50 by main @worker-1",
            "60 enter app.Stock.take 3440 @worker-1",
            "100 enter app.Shop.order 1800 @main",
            "150 state JIT compiler.app.Text.hash 330 @JIT compiler",
            "200 enter app.Db.query 200 @main",
            "200 enter app.Stock.take 3700 @worker-2",
            "300 enter app.Db.query 300 @worker-2",
            "320 state lock.java.util.concurrent.locks.ReentrantLock$NonfairSync 130 by worker-1"
                + " @worker-2",
            "400 leave app.Db.query 200 @main",
            "450 woken lock.java.util.concurrent.locks.ReentrantLock$NonfairSync 130 by worker-1"
                + " @worker-2",
            "500 state monitor.app.Stock 400 by worker-2 @worker-1");
  }

  @Test
  void isLimitedToGroups() throws Exception {
    assertThat(list(WaitingProgram.small(), "at=0&groups=jvm,lost"))
        .containsExactly(
            "150 state JIT compiler.app.Text.hash 330 @JIT compiler",
            "700 state GC.G1New: G1 Evacuation Pause 30 @GC",
            "1500 lost 700 7 @worker-1",
            "1800 state GC.G1New: G1 Evacuation Pause 30 @GC",
            "3100 state GC.G1New: G1 Evacuation Pause 30 @GC");
    assertThat(list(WaitingProgram.small(), "at=4000000000&count=3&back=true&groups=wakes"))
        .containsExactly(
            "1019.984 woken park.java.util.concurrent.SynchronousQueue 0.004 by main @worker-2",
            "1500 woken wait.app.Queue 500 by main @worker-1",
            "3500 woken join.java.lang.Thread 1000 by worker-1 @main");
  }

  @Test
  void isLimitedToNames() throws Exception {
    assertThat(list(WaitingProgram.small(), "at=0&pattern=stock"))
        .containsExactly(
            "60 enter app.Stock.take 3440 @worker-1",
            "200 enter app.Stock.take 3700 @worker-2",
            "500 state monitor.app.Stock 400 by worker-2 @worker-1",
            "900 woken monitor.app.Stock 400 by worker-2 @worker-1",
            "3500 leave app.Stock.take 3440 @worker-1",
            "3900 leave app.Stock.take 3700 @worker-2");
    assertThat(list(WaitingProgram.small(), "at=0&pattern=stock&groups=waits"))
        .containsExactly("500 state monitor.app.Stock 400 by worker-2 @worker-1");
    assertThat(list(WaitingProgram.small(), "at=0&pattern=nothing")).isEmpty();
  }

  @Test
  void hasWhatTheKernelAndProcessorsDid() throws Exception {
    assertThat(
            list(
                KernelProgram.recording(),
                "at=240000000&count=10&groups=scheduled,wakes,cpu&to=290000000&from=0"))
        .containsExactly(
            "240 state running.CPU 0 20 @kworker/0:1",
            "240 state thread.kworker/0:1 7 20 @CPU 0",
            "250 woken blocked.futex 100 by worker-1 @java",
            "250 state runnable.woken 30 by kworker/0:1 @java",
            "280 state running.CPU 1 10 @java",
            "280 woken handed.CPU by worker-1 @java",
            "280 state thread.java 2001 10 @CPU 1");
  }

  @Test
  void hasTheKernelsEventsAsTheKernelHasThem() throws Exception {
    assertThat(list(KernelProgram.withKernelEvents(), "at=0&groups=kernel&count=2"))
        .containsExactly(
            "50 kernel sched.sched_plain tid=2001 pid=0 @CPU 0",
            "150 kernel sched.sched_plain tid=2001 pid=1 @CPU 0");
    assertThat(
            list(
                KernelProgram.withKernelEvents(),
                "at=900000000&groups=kernel,cpu&count=3&back=true"))
        .containsExactly(
            "700 state thread.java 2001 300 @CPU 1",
            "750 kernel sched.sched_plain tid=2001 pid=7 @CPU 0",
            "850 kernel sched.sched_plain tid=2001 pid=8 @CPU 0");
    assertThat(list(KernelProgram.withKernelEvents(), "at=0&pattern=sched.plain&groups=kernel"))
        .hasSize(10);
    assertThat(list(KernelProgram.withKernelEvents(), "at=0&pattern=irq&groups=kernel")).isEmpty();
  }

  @Test
  void hasOwnEventsWithTheirData() throws Exception {
    assertThat(list(OwnProgram.recording(), "at=190000000&from=0&to=300000000&tracks=0,1&count=4"))
        .containsExactly(
            "190 counter queue.LENGTH jobs=39 @worker",
            "200 sent bus.ASK 65 by worker key=1 @main",
            "200 counter queue.LENGTH jobs=20 @worker",
            "210 counter queue.LENGTH jobs=21 @worker");
    assertThat(list(OwnProgram.recording(), "at=300000000&pattern=alloc"))
        .containsExactly("300 event disk.ALLOC size=4096 owner=<b>cache</b> @main");
    assertThat(list(OwnProgram.recording(), "at=0&pattern=READ&groups=own"))
        .containsExactly(
            "400 enter disk.READ 100 @main",
            "400 event disk.READ 0x7 @main",
            "500 leave disk.READ 100 @main");
    assertThat(list(OwnProgram.recording(), "at=0&groups=messages&tracks=0,1"))
        .containsExactly(
            "200 sent bus.ASK 65 by worker key=1 @main",
            "265 received bus.GOT 65 by main key=1 @worker",
            "735 received bus.GOT -15 by main key=2 @worker",
            "750 sent bus.ASK -15 by worker key=2 @main");
  }

  @Test
  void saysWhatItDoesNotUnderstand() throws Exception {
    Path written = OwnProgram.recording().write(folder.resolve("own.kymo"));
    try (Timeline timeline = Timelines.open(written, ProgressListener.NONE);
        KymoServer server = KymoServer.start(timeline, 0);
        Asker asker = new Asker(server.uri())) {
      HttpResponse<String> answer = asker.get("/api/events?at=0&groups=calls,cakes");
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(answer.body()).isEqualTo("{\"error\":\"No group of events: cakes.\"}");
    }
  }
}
