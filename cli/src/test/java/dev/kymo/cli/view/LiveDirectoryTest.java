package dev.kymo.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.Clock;
import dev.kymo.format.ClockExchanges;
import dev.kymo.testkit.GrowingDirectory;
import dev.kymo.testkit.RecordingBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A directory to which recordings come while it is viewed. */
@Timeout(600)
class LiveDirectoryTest {
  private static final long WALL = 1_700_000_000_000_000_000L;
  private static final long SECOND = 1_000_000_000L;

  @TempDir Path folder;

  /**
   * A recording whose calls begin and end at whole seconds of the receiver's clock.
   *
   * @param ahead nanoseconds by which its clock is ahead of the receiver's
   */
  private Path whole(String name, long ahead, int... seconds) throws IOException {
    RecordingBuilder r = new RecordingBuilder().at(seconds[0] * SECOND + ahead);
    r.clock(new Clock(Clock.MONOTONIC, SECOND, WALL + 7 * ahead)).process(1);
    r.thread(1, 1, name).method(1, 4, "a.B", name);
    for (int i = 0; i < seconds.length; i += 2) {
      r.ring(1, 1, 1)
          .enter(seconds[i] * SECOND + ahead, 4)
          .leave(seconds[i + 1] * SECOND + ahead, 4);
    }
    Path path = r.write(Files.createDirectories(folder.resolve("whole")).resolve(name + ".kymo"));
    List<ClockExchanges.Exchange> all = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      long at = i * SECOND;
      all.add(new ClockExchanges.Exchange(at + ahead, at + 5_000, at + 6_000, at + 11_000 + ahead));
    }
    Files.writeString(
        path.resolve(ClockExchanges.FILE), new ClockExchanges("receiver", name, all).text());
    return path;
  }

  private GrowingDirectory growing(Path whole, Path in) throws IOException {
    return new GrowingDirectory(whole, in.resolve(whole.getFileName()), new SplittableRandom(1));
  }

  @Test
  void whatComesIsShownOnTheSameAxis() throws Exception {
    Path session = Files.createDirectory(folder.resolve("nightly"));
    try (GrowingDirectory one = growing(whole("one", 0, 2, 3, 4, 9), session);
        RunningView view = new RunningView(session.toString())) {
      one.show(4 * SECOND);
      view.await("\"tracks\":1");
      assertThat(view.ask("recording")).contains("\"name\":\"nightly\"");
      long ahead = 3600 * SECOND;
      try (GrowingDirectory two = growing(whole("two", ahead, 4, 5, 6, 7), session)) {
        two.show(6 * SECOND + ahead);
        view.await("\"tracks\":2");
        assertThat(view.await("\"growing\":true")).contains("\"edition\":1");
        one.complete();
        two.complete();
        view.await("\"growing\":false");
        assertThat(view.ask("growth")).contains("\"duration\":\"7000000000\"");
        assertThat(view.err()).contains("joined two.kymo: by 60 exchanges with the receiver");
        assertThat(view.ask("recording")).contains("\"one\"", "\"two\"");
      }
      Files.move(whole("three", 0, 5, 6), session.resolve("three.kymo"));
      view.await("\"edition\":2");
      view.await("\"tracks\":3");
      assertThat(view.ask("growth")).contains("\"duration\":\"7000000000\"");
    }
  }

  /**
   * What began earlier than everything that is shown has no place on the axis: there is another.
   */
  @Test
  void whatBeganEarlierGetsAnAxisOfItsOwn() throws Exception {
    Path session = Files.createDirectory(folder.resolve("nightly"));
    try (GrowingDirectory one = growing(whole("one", 0, 5, 6, 7, 9), session);
        RunningView view = new RunningView(session.toString())) {
      one.show(7 * SECOND);
      view.await("\"tracks\":1");
      try (GrowingDirectory two = growing(whole("two", 0, 2, 3, 4, 9), session)) {
        two.show(4 * SECOND);
        view.await("\"edition\":2");
        view.await("\"tracks\":2");
        assertThat(view.ask("growth")).contains("\"duration\":\"5000000000\"", "\"growing\":true");
        one.complete();
        two.complete();
        view.await("\"growing\":false");
      }
    }
  }
}
