package dev.kymo.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.format.Clock;
import dev.kymo.importers.target.ForeignException;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.ForeignFormat;
import dev.kymo.importers.target.Import;
import dev.kymo.importers.target.Order;
import dev.kymo.importers.target.Source;
import dev.kymo.importers.target.Target;
import dev.kymo.importers.target.TargetProcess;
import dev.kymo.importers.target.TargetTrack;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.server.KymoServer;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What can be seen of an import before its end. */
@Timeout(600)
class BackgroundImportTest {
  private static final Clock CLOCK = new Clock(Clock.MONOTONIC, 1_000_000_000, 0);
  private static final int CALLS = 150_000;
  private static final List<String> QUESTIONS =
      List.of("recording", "overview", "window?from=0&to=1500000&resolution=1000&tracks=0,1");

  @TempDir Path folder;

  /** Calls of two threads; at one of them it waits until it may go on. */
  private record Paced(Order order, CountDownLatch goOn, int pauseAt, boolean damaged)
      implements ForeignFormat {
    @Override
    public String name() {
      return "paced";
    }

    @Override
    public String title() {
      return "paced calls";
    }

    @Override
    public boolean recognises(ForeignFile file) {
      return true;
    }

    @Override
    public void convert(ForeignFile file, Import to) throws IOException {
      Source source = Source.unknown(title(), file.name());
      try (Target target = to.begin(CLOCK, 1000, source, order)) {
        TargetProcess process = target.process(1, 0, "program", "native");
        TargetTrack[] threads = {process.thread(1, "even"), process.thread(2, "odd")};
        for (int i = 0; i < CALLS; i++) {
          int function = process.function("f" + i % 7);
          threads[i & 1].call(1000 + i * 10L, 1000 + i * 10L + 15, function);
          if (i % 1000 == 0) {
            target.settled(1000 + i * 10L);
            to.progress().at(i, CALLS);
          }
          if (i == pauseAt) {
            pause();
            if (damaged) {
              throw new ForeignException("no call", file.path(), i, "");
            }
          }
        }
      }
    }

    private void pause() throws IOException {
      try {
        goOn.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }

  private BackgroundImport start(ForeignFormat format, List<String> complaints) throws IOException {
    Path file = Files.writeString(folder.resolve("calls.paced"), "");
    return BackgroundImport.start(
        format,
        ForeignFile.of(file),
        Files.createDirectories(folder.resolve("followed/calls.paced")),
        (done, all) -> {},
        complaints::add);
  }

  private Timeline imported(ForeignFormat format) throws IOException {
    Path recording = Files.createDirectories(folder.resolve("whole/calls.paced"));
    Import to = new Import(recording, (done, all) -> {});
    try {
      format.convert(ForeignFile.of(folder.resolve("calls.paced")), to);
    } catch (ForeignException e) {
      // what came before is there
    }
    return Timelines.open(recording, ProgressListener.NONE);
  }

  private static double number(String answer, String name) {
    return Double.parseDouble(answer.replaceAll(".*\"" + name + "\":\"?([\\d.]+).*", "$1"));
  }

  /** A page's questions. */
  private static final class Page implements AutoCloseable {
    private final KymoServer server;
    private final HttpClient client =
        HttpClient.newBuilder().cookieHandler(new CookieManager()).build();

    Page(Timeline timeline) throws Exception {
      server = KymoServer.start(timeline, 0);
      client.send(HttpRequest.newBuilder(server.uri()).build(), BodyHandlers.ofString());
    }

    String ask(String question) throws Exception {
      URI uri = server.uri().resolve("/api/" + question);
      return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
    }

    /** Asks until most of what comes before the pause is there. */
    String first() throws Exception {
      String answer = ask("growth");
      while (!answer.contains("\"tracks\":2") || number(answer, "duration") < 300_000) {
        Thread.sleep(10);
        answer = ask("growth");
      }
      return answer;
    }

    void awaitEnd() throws Exception {
      while (ask("growth").contains("\"growing\":true")) {
        Thread.sleep(10);
      }
    }

    @Override
    public void close() {
      client.close();
      server.close();
    }
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void isSeenBeforeItsEndAndThenAsIfImportedBefore(Order order) throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    Paced format = new Paced(order, goOn, CALLS / 2, false);
    try (BackgroundImport begun = start(format, List.of())) {
      assertThat(begun.awaitFirst()).isTrue();
      try (Timeline timeline = Timelines.follow(begun.recording(), begun);
          Page page = new Page(timeline)) {
        String growth = page.first();
        assertThat(growth).contains("\"growing\":true").contains("\"importing\":true");
        assertThat(number(growth, "read")).isBetween(0.01, 0.51);
        assertThat(number(growth, "duration")).isLessThan(750_100.0);
        assertThat(page.ask("window?from=0&to=1000&resolution=0&tracks=0"))
            .contains("\"begin\":[0,20,40,60,");
        goOn.countDown();
        page.awaitEnd();
        try (Timeline whole = imported(format);
            Page other = new Page(whole)) {
          for (String question : QUESTIONS) {
            assertThat(page.ask(question)).isEqualTo(other.ask(question));
          }
        }
        assertThat(timeline.notKept()).isEmpty();
      }
      // Its index is that of any other recording.
      try (Timeline again = Timelines.follow(begun.recording(), ProgressListener.NONE)) {
        assertThat(again.growing()).isFalse();
      }
    }
  }

  @Test
  void whatWasReadBeforeDamageStaysInSight() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    List<String> said = new CopyOnWriteArrayList<>();
    Paced format = new Paced(Order.BY_TIME, goOn, CALLS / 2, true);
    try (BackgroundImport begun = start(format, said)) {
      assertThat(begun.awaitFirst()).isTrue();
      try (Timeline timeline = Timelines.follow(begun.recording(), begun);
          Page page = new Page(timeline)) {
        page.first();
        assertThat(page.ask("recording")).endsWith("\"oddities\":[]}");
        goOn.countDown();
        page.awaitEnd();
        String sentence =
            "the import has ended early, what was read before is shown: no call: file="
                + folder.resolve("calls.paced")
                + " offset=75000";
        assertThat(page.ask("recording")).endsWith("\"oddities\":[\"" + sentence + "\"]}");
        assertThat(said).containsExactly(sentence);
        try (Timeline whole = imported(format);
            Page other = new Page(whole)) {
          assertThat(page.ask("overview")).isEqualTo(other.ask("overview"));
          assertThat(timeline.duration()).isEqualTo(750_015);
        }
      }
    }
  }

  @Test
  void whatIsRefusedBeforeAnythingCanBeSeenIsRefused() throws Exception {
    Paced refusing = new Paced(Order.BY_TIME, new CountDownLatch(0), 10, true);
    List<String> said = new CopyOnWriteArrayList<>();
    try (BackgroundImport begun = start(refusing, said)) {
      assertThatThrownBy(begun::awaitFirst)
          .isInstanceOf(ForeignException.class)
          .hasMessage("no call: file=" + folder.resolve("calls.paced") + " offset=10");
      assertThat(said).isEmpty();
    }
  }

  @Test
  void endsWhenNobodyWantsToSeeIt() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    List<String> said = new CopyOnWriteArrayList<>();
    BackgroundImport begun = start(new Paced(Order.BY_TIME, goOn, CALLS / 2, false), said);
    assertThat(begun.awaitFirst()).isTrue();
    Thread closing = Thread.ofPlatform().start(begun::close);
    goOn.countDown();
    closing.join();
    assertThat(said).isEmpty();
    assertThat(begun.trouble()).isEmpty();
  }
}
