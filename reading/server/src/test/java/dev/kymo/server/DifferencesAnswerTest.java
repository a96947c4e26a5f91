package dev.kymo.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.model.timeline.CallDetail;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.difference.DifferencesAnswer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DifferencesAnswerTest {
  private static final int PARSE_DEPTH = 2;

  @TempDir Path folder;
  private Timeline old;
  private Timeline changed;
  private KymoServer server;
  private Asker asker;

  @BeforeEach
  void start() throws IOException {
    old = ChangedProgram.old().open(folder.resolve("old.kymo"));
    changed = ChangedProgram.changed().open(folder.resolve("new.kymo"));
    server = KymoServer.start(List.of(old, changed, KnownRecordings.shop()), 0);
    asker = new Asker(server.uri());
  }

  @AfterEach
  void stop() {
    asker.close();
    server.close();
    old.close();
    changed.close();
  }

  /** The place as JSON of the longest parse, by the picture. */
  private static String parse(Timeline timeline, int track) {
    CallDetail longest =
        LongStream.range(0, timeline.duration() / 10_000)
            .mapToObj(step -> timeline.call(track, PARSE_DEPTH, step * 10_000))
            .flatMap(Optional::stream)
            .filter(call -> timeline.method(call.method()).name().equals("parse"))
            .max(Comparator.comparingLong(DifferencesAnswerTest::length))
            .orElseThrow();
    return "{\"track\":%d,\"depth\":2,\"begin\":\"%d\",\"duration\":\"%d\",\"method\":\"a.App.parse\",\"above\":0}"
        .formatted(track, longest.begin(), length(longest));
  }

  private static long length(CallDetail call) {
    return call.end() - call.begin();
  }

  @Test
  void tellsWhatChangedAndWhereToLook() throws Exception {
    String answer = asker.ask("/api/differences?base=1&new=2").body();
    assertThat(answer)
        .contains("\"base\":[{\"recording\":\"old.kymo\"")
        .contains("\"new\":[{\"recording\":\"new.kymo\"")
        .contains("3 more calls of a.App.write: 5 → 8")
        .contains("\"text\":\"itself: 30")
        .contains("\"at\":[" + parse(old, 1) + ',' + parse(changed, 2) + ']')
        .contains("\"trees\":[");
  }

  @Test
  void theOtherWayRoundThereIsLess() throws Exception {
    assertThat(asker.ask("/api/differences?base=2&new=1").body())
        .contains("3 fewer calls of a.App.write: 8 → 5");
  }

  @Test
  void refusesWhatCannotBeCompared() throws Exception {
    assertThat(asker.ask("/api/differences?base=1&new=3").body())
        .isEqualTo("{\"error\":\"Only recordings on disk can be compared.\"}");
    assertThat(asker.ask("/api/differences?base=1&new=4").statusCode()).isEqualTo(400);
    assertThat(asker.ask("/api/differences?base=1").statusCode()).isEqualTo(400);
  }

  @Test
  void findsTheCallThatStandsForOne() throws Exception {
    CallDetail third = old.call(0, 1, 300_000).orElseThrow();
    String question = "/api/match?from=1&to=2&track=0&depth=1&time=%d".formatted(third.begin());
    String answer = asker.ask(question).body();
    assertThat(answer)
        .startsWith("{\"match\":{\"threads\":\"worker-#\",\"number\":4,\"count\":200,")
        .contains("\"otherNumber\":4,\"otherCount\":200,")
        .contains("\"own\":{\"track\":0,\"depth\":1,\"begin\":\"" + third.begin() + '"')
        .contains("\"call\":{\"track\":1,\"depth\":1,");
    assertThat(asker.ask(question + "&threads=main").body()).contains("\"call\":null");
    assertThat(asker.ask("/api/match?from=1&to=2&track=0&depth=9&time=1").body())
        .isEqualTo("{\"match\":null}");
  }

  @Test
  void threadsStandForThoseOfTheirNameAndRole() throws Exception {
    assertThat(asker.get("/api/partners?base=1&new=2").body())
        .isEqualTo(
            "{\"base\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14],\"new\":[-1,0,1,2,3,4,5,6,7,8,9,10,11,12,13]}");
  }

  @Test
  void endsWhenNobodyWaitsAnyMore() {
    Progress progress = new Progress();
    progress.giveUp();
    assertThatThrownBy(
            () -> DifferencesAnswer.of(old, changed, List.of("old", "new")).answer(progress))
        .isInstanceOf(CancellationException.class);
    assertThat(Thread.getAllStackTraces().keySet())
        .as("nothing reads on")
        .noneMatch(thread -> thread.getName().equals("kymo-diff"));
  }
}
