package dev.kymo.analysis.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.analysis.costs.MethodCost;
import dev.kymo.analysis.events.EventChoice;
import dev.kymo.analysis.events.EventPage;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.summary.MethodSummary;
import dev.kymo.analysis.summary.SelectionSummary;
import dev.kymo.analysis.summary.Summary;
import dev.kymo.analysis.summary.SummaryQuery;
import dev.kymo.analysis.tree.CallTree;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.replay.ThreadHistories;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.model.timeline.Track;
import dev.kymo.reader.Recording;
import dev.kymo.reader.RecordingException;
import dev.kymo.testkit.Damage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Recordings damaged in any way are read as far as they go, or refused in a sentence; nothing else
 * happens. {@code -Dkymo.fuzz.seed} and {@code -Dkymo.fuzz.cases} choose others than usual.
 */
@Tag("stress")
class FuzzTest {
  private static final int CASES = Integer.getInteger("kymo.fuzz.cases", 10_000);

  @TempDir Path directory;

  private long refused;
  private long events;

  @Test
  @Timeout(600)
  void nothingButRecordingException() throws IOException {
    long seed = Long.getLong("kymo.fuzz.seed", 20261120L);
    System.out.printf("FuzzTest: seed=%d cases=%d%n", seed, CASES);
    Path path = Damage.recording().write(directory.resolve("fuzz"));
    List<Path> files = new ArrayList<>();
    try (Stream<Path> all = Files.list(path)) {
      all.sorted().forEach(files::add);
    }
    for (int i = 0; i < CASES; i++) {
      SplittableRandom random = new SplittableRandom(seed + i);
      Path file = files.get(random.nextInt(files.size()));
      byte[] whole = Files.readAllBytes(file);
      Files.write(file, Damage.of(whole, random));
      try {
        read(path, random);
      } catch (RecordingException e) {
        refused++;
        assertThat(e.getMessage()).startsWith("recording");
      } catch (RuntimeException | Error e) {
        throw new AssertionError(
            "case of its own seed=%d file=%s".formatted(seed + i, file.getFileName()), e);
      }
      Files.write(file, whole);
    }
    System.out.printf("FuzzTest: refused=%d events=%d%n", refused, events);
    assertThat(refused).isBetween(CASES / 100L, CASES / 2L);
    assertThat(events).isGreaterThan(CASES * 100L);
  }

  private void read(Path path, SplittableRandom random) throws RecordingException {
    CallSink none = CallSink.NONE;
    switch (random.nextInt(4)) {
      case 0 -> {
        try (Recording recording = Recording.open(path)) {
          CallPass pass = CallPass.open(recording);
          events +=
              Summary.of(pass, SummaryQuery.ALL, ProgressListener.NONE).rows().stream()
                  .mapToLong(MethodSummary::calls)
                  .sum();
          pass.oddities();
        }
      }
      case 1 -> {
        try (Recording recording = Recording.open(path)) {
          CallPass.open(recording).runMerged(none, t -> true);
          CallPass pass = CallPass.open(recording);
          Summary.of(pass, new SummaryQuery(500, 900, t -> true, true), ProgressListener.NONE);
        }
      }
      case 2 -> {
        try (Recording recording = Recording.open(path)) {
          ThreadHistories all = ThreadHistories.of(CallPass.open(recording), ProgressListener.NONE);
          all.threads(t -> true).stream().limit(50).forEach(t -> all.replay(t, none));
        }
      }
      default -> timeline(path, random);
    }
  }

  private void timeline(Path path, SplittableRandom random) throws RecordingException {
    try (Timeline timeline = Timelines.open(path, ProgressListener.NONE)) {
      timeline.processes();
      timeline.wallBegin();
      for (Track track : timeline.tracks().stream().limit(20).toList()) {
        events += track.events();
        long resolution = random.nextInt(2) == 0 ? 0 : 50;
        timeline.slices(
            track.id(),
            0,
            timeline.duration(),
            resolution,
            (depth, method, begin, end, calls, flags) -> {
              timeline.method(method).qualifiedName();
              assertThat(end).isGreaterThanOrEqualTo(begin);
            });
        timeline.call(track.id(), 0, track.begin());
        timeline.gaps(track.id(), 0, timeline.duration());
      }
      questions(timeline, random);
    }
  }

  private static void questions(Timeline timeline, SplittableRandom random) {
    long from = random.nextLong(timeline.duration() + 1);
    List<Integer> tracks = timeline.tracks().stream().map(Track::id).limit(50).toList();
    TimelineSelection selection =
        new TimelineSelection(from, from + random.nextLong(10_000), tracks);
    List<MethodCost> costs = SelectionSummary.of(timeline, selection, new Progress());
    BitSet called = new BitSet();
    costs.forEach(cost -> called.set(cost.method()));
    CallTree tree = CallTree.of(timeline, selection, random.nextBoolean(), new Progress());
    assertThat(tree.rows().isEmpty()).isEqualTo(costs.isEmpty());
    Search search = Search.of(timeline, selection, called, new Progress());
    assertThat(search.calls()).isEqualTo(costs.stream().mapToLong(MethodCost::calls).sum());
    EventPage.after(timeline, selection, EventChoice.ALL, from, 50, new Progress());
    EventPage.before(timeline, selection, EventChoice.ALL, from + 5000, 50, new Progress());
    NearestCall.next(timeline, selection, called, NearestCall.at(from, true), new Progress());
    selection.lossy(timeline);
  }
}
