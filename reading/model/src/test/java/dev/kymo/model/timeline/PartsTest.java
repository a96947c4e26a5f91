package dev.kymo.model.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.replay.HistoryPart;
import dev.kymo.model.replay.ThreadHistories;
import dev.kymo.reader.EventBatch;
import dev.kymo.reader.Recording;
import dev.kymo.testkit.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Parts that are read one by one have the same calls and events as one reading of everything. */
class PartsTest {
  @TempDir Path folder;

  static List<Path> stored() throws IOException {
    try (Stream<Path> all = Files.list(SourceTree.path("corpus").resolve("succeed"))) {
      return all.sorted().map(path -> path.resolve("recording")).toList();
    }
  }

  @ParameterizedTest
  @MethodSource("stored")
  void haveWhatAStoredRecordingHas(Path recording) throws Exception {
    check(recording, 1);
  }

  @Test
  void haveWhatRandomRecordingsHave() throws Exception {
    for (int seed = 0; seed < 30; seed++) {
      Path written = new RandomRecording(seed, 6000).builder.write(folder.resolve("r" + seed));
      assertThat(check(written, 3)).isGreaterThan(seed == 0 ? 10 : 0);
    }
  }

  @Test
  void haveDetailsOfStates() throws Exception {
    for (int seed = 0; seed < 10; seed++) {
      check(new RandomStates(seed, 3000).counted().write(folder.resolve("s" + seed)), 2);
    }
  }

  @Test
  void haveTheSameByAStoredIndex() throws Exception {
    for (int seed = 0; seed < 10; seed++) {
      Path written = new RandomRecording(seed, 6000).builder.write(folder.resolve("i" + seed));
      Timelines.Limits limits = new Timelines.Limits(3, 1 << 20, 1000);
      Timelines.open(written, ProgressListener.NONE, limits).close();
      ProgressListener unread = (done, all) -> fail("the recording is read once more");
      int parts = check(written, 3, recording -> ThreadHistories.open(recording, unread));
      assertThat(parts).isGreaterThan(seed == 0 ? 10 : 0);
    }
  }

  /** Commands warn of what the recording knows, also if its events are not read again. */
  @Test
  void tellDamageThatAnIndexKnows() throws Exception {
    Path written = new RandomRecording(1, 6000).builder.write(folder.resolve("damaged"));
    try (Stream<Path> files = Files.list(written)) {
      Path ring = files.filter(f -> f.toString().contains("-ring-")).findFirst().orElseThrow();
      Files.write(ring, new byte[40], StandardOpenOption.APPEND);
    }
    Timelines.open(written, ProgressListener.NONE).close();
    ProgressListener unread = (done, all) -> fail("the recording is read once more");
    try (Recording recording = Recording.open(written);
        ThreadHistories histories = ThreadHistories.open(recording, unread)) {
      assertThat(recording.oddities())
          .isEqualTo(histories.pass().oddities())
          .anyMatch(oddity -> oddity.contains("packet is cut short"));
    }
  }

  /** Returns the number of parts. */
  private static int check(Path recording, int every) throws Exception {
    return check(
        recording,
        every,
        again -> ThreadHistories.of(CallPass.open(again), ProgressListener.NONE, every));
  }

  private static int check(Path recording, int every, Function<Recording, ThreadHistories> opening)
      throws Exception {
    try (Recording once = Recording.open(recording);
        Recording again = Recording.open(recording)) {
      List<String> expected = new ArrayList<>();
      CallPass.open(once).run(lines(expected), thread -> true, ProgressListener.NONE);
      List<String> found = new ArrayList<>();
      try (ThreadHistories histories = opening.apply(again)) {
        List<HistoryPart> parts = histories.parts(thread -> true, every);
        for (HistoryPart part : parts) {
          HistoryPart.Reading reading = part.read(lines(found));
          while (reading.next()) {}
        }
        assertThat(found.stream().sorted())
            .containsExactlyElementsOf(expected.stream().sorted().toList());
        return parts.size();
      }
    }
  }

  private static CallSink lines(List<String> lines) {
    return new CallSink() {
      @Override
      public void call(CallCursor call) {
        lines.add(
            "%d/%d: %d of %d, method %d at %d, %d to %d, %d children %d, %d below, flags %x %d %d"
                .formatted(
                    call.thread().process(),
                    call.thread().thread(),
                    call.number(),
                    call.parent(),
                    call.method(),
                    call.depth(),
                    call.begin(),
                    call.end(),
                    call.children(),
                    call.childTime(),
                    call.below(),
                    call.flags(),
                    call.hasDetail() ? call.object() : 0,
                    call.hasDetail() ? call.other() : 0));
      }

      @Override
      public void event(ThreadCalls thread, int event, long clock, EventBatch batch, int word) {
        lines.add(
            "%d/%d: event %d at %d".formatted(thread.process(), thread.thread(), event, clock));
      }
    };
  }
}
