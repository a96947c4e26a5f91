package dev.kymo.analysis.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.analysis.costs.MethodCost;
import dev.kymo.analysis.search.LongestCallSearch;
import dev.kymo.analysis.search.NearestCall;
import dev.kymo.analysis.search.Search;
import dev.kymo.analysis.selection.PlacedCall;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.RandomCalls;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.summary.SelectionSummary;
import dev.kymo.analysis.tree.CallTree;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.index.Annex;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.SourceTree;
import dev.kymo.testkit.StreamWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is kept of a whole recording answers as reading all its calls does. */
class WholeTotalsTest {
  private static final Path CORPUS = SourceTree.path("corpus/succeed");

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({"1, 3, 300", "2, 1, 2000", "3, 5, 20", "4, 3, 80000"})
  void answersOfRandomRecordings(long seed, int threads, int events) throws IOException {
    System.out.println("seed=" + seed);
    RecordingBuilder recording = RandomCalls.recording(seed, threads, events);
    StreamWriter lossy = recording.ring(1, 1, 77);
    lossy
        .lose(5)
        .enter(90_000_000, 1)
        .leave(90_000_100, 1)
        .leave(90_000_200, 2)
        .enter(90_000_300, 3);
    check(recording.write(directory.resolve("r")), seed);
  }

  @Test
  void answersOfTheCorpus() throws IOException {
    List<Path> recordings = new ArrayList<>();
    try (Stream<Path> all = Files.walk(CORPUS)) {
      all.filter(path -> path.getFileName().toString().equals("metadata"))
          .sorted()
          .forEach(path -> recordings.add(path.getParent()));
    }
    assertThat(recordings).hasSizeGreaterThan(5);
    int number = 0;
    List<MethodCost> costs = new ArrayList<>();
    for (Path recording : recordings) {
      Path copy = copy(recording, directory.resolve("c" + number++));
      check(copy, number);
      try (Timeline timeline = Timelines.open(copy, ProgressListener.NONE)) {
        costs.addAll(SelectionSummary.of(timeline, WholeTotals.all(timeline), new Progress()));
      }
    }
    assertThat(costs).anyMatch(cost -> cost.counted() > 0 && cost.calls() > cost.counted());
    assertThat(costs).anyMatch(cost -> cost.corrected().isPresent());
    assertThat(costs).anyMatch(cost -> cost.selfTime().waited() > 0);
  }

  private static Path copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      all.filter(Files::isRegularFile)
          .filter(file -> !file.toString().contains(".index"))
          .forEach(file -> {
            try {
              Path target = to.resolve(from.relativize(file).toString());
              Files.createDirectories(target.getParent());
              Files.copy(file, target);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
    return to;
  }

  private static void check(Path path, long seed) throws IOException {
    List<Object> walked;
    try (Timeline timeline = Timelines.open(path, ProgressListener.NONE)) {
      assertThat(WholeTotals.of(timeline)).isNull();
      walked = answers(timeline, seed);
      WholeTotals.prepare(timeline, new Progress());
      assertThat(WholeTotals.of(timeline)).isNotNull();
      same(answers(timeline, seed), walked);
    }
    try (Timeline timeline = Timelines.open(path, ProgressListener.NONE)) {
      byte[] kept = timeline.annex().kept();
      assertThat(kept).isNotNull();
      WholeTotals read = WholeTotalsFile.read(timeline, kept);
      assertThat(read).isNotNull();
      timeline.annex().put(read);
      same(answers(timeline, seed), walked);
    }
  }

  private static void same(List<Object> kept, List<Object> walked) {
    for (int i = 0; i < Math.min(kept.size(), walked.size()); i++) {
      assertThat(kept.get(i)).isEqualTo(walked.get(i));
    }
    assertThat(kept).hasSameSizeAs(walked);
  }

  /** All that may be answered from what is kept, and some parts that only look as if. */
  private static List<Object> answers(Timeline timeline, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Object> answers = new ArrayList<>();
    TimelineSelection all = WholeTotals.all(timeline);
    List<TimelineSelection> selections = new ArrayList<>(List.of(all, all.ofCalls(timeline)));
    selections.add(new TimelineSelection(0, timeline.duration(), all.tracks()));
    selections.add(new TimelineSelection(1, timeline.duration(), all.tracks()));
    selections.add(new TimelineSelection(0, Math.max(0, timeline.duration() - 1), all.tracks()));
    if (all.tracks().size() > 1) {
      selections.add(
          new TimelineSelection(0, all.to(), all.tracks().subList(1, all.tracks().size())));
    }
    for (TimelineSelection selection : selections) {
      SelectionSummary.of(timeline, selection, new Progress())
          .forEach(cost -> answers.add(text(cost)));
      for (boolean up : new boolean[] {false, true}) {
        CallTree tree = CallTree.of(timeline, selection, up, new Progress());
        answers.add(List.of(tree.rows(), tree.cut(), tree.counted()));
      }
      for (int i = 0; i < 5; i++) {
        find(timeline, selection, methods(timeline, random), random, answers);
      }
    }
    return answers;
  }

  private static BitSet methods(Timeline timeline, SplittableRandom random) {
    BitSet methods = new BitSet();
    for (int left = random.nextInt(3); left >= 0 && timeline.methods() > 0; left--) {
      methods.set(random.nextInt(timeline.methods()));
    }
    return methods;
  }

  private static void find(
      Timeline timeline,
      TimelineSelection selection,
      BitSet methods,
      SplittableRandom random,
      List<Object> answers) {
    Search search = Search.of(timeline, selection, methods, new Progress());
    answers.add("search: " + search.calls() + ' ' + Arrays.hashCode(search.marks()));
    answers.add(LongestCallSearch.of(timeline, selection, methods, new Progress()));
    long time = random.nextLong(timeline.duration() + 1);
    for (boolean next : new boolean[] {true, false}) {
      PlacedCall place = NearestCall.at(time, next);
      for (int i = 0; i < 3 && place != null; i++) {
        PlacedCall from = place;
        place =
            next
                ? NearestCall.next(timeline, selection, methods, from, new Progress()).orElse(null)
                : NearestCall.previous(timeline, selection, methods, from, new Progress())
                    .orElse(null);
        answers.add(String.valueOf(place));
      }
    }
  }

  private static String text(MethodCost cost) {
    return Stream.of(
            cost.method(),
            cost.calls(),
            cost.counted(),
            cost.total(),
            cost.self(),
            cost.average(),
            cost.percentile(0.5),
            cost.percentile(0.99),
            cost.max(),
            cost.longest(),
            cost.corrected(),
            cost.selfTime(),
            cost.estimated(),
            cost.leftOut(),
            cost.untimed())
        .toList()
        .toString();
  }

  @Test
  void damagedBytesAreNoTotals() throws IOException {
    Path path = RandomCalls.recording(5, 2, 200).write(directory.resolve("r"));
    try (Timeline timeline = Timelines.open(path, ProgressListener.NONE)) {
      WholeTotals.prepare(timeline, new Progress());
      byte[] good = java.util.Objects.requireNonNull(timeline.annex().kept());
      SplittableRandom random = new SplittableRandom(6);
      int refused = 0;
      for (int i = 0; i < 2000; i++) {
        byte[] bad = good.clone();
        bad[random.nextInt(bad.length)] = (byte) random.nextInt(256);
        WholeTotals read = WholeTotalsFile.read(timeline, bad);
        refused += read == null ? 1 : 0;
      }
      assertThat(refused).isPositive();
      assertThat(WholeTotalsFile.read(timeline, new byte[0])).isNull();
    }
  }

  @Test
  void totalsGoWithTheIndexTheyBelongTo() throws IOException {
    Path path = RandomCalls.recording(8, 1, 50).write(directory.resolve("r"));
    try (Timeline timeline = Timelines.open(path, ProgressListener.NONE)) {
      WholeTotals.prepare(timeline, new Progress());
    }
    assertThat(path.resolve(".index/totals")).exists();
    Files.delete(path.resolve(".index/contents"));
    try (Timeline timeline = Timelines.open(path, ProgressListener.NONE)) {
      Annex annex = timeline.annex();
      assertThat(annex.kept()).isNull();
    }
    assertThat(path.resolve(".index/totals")).doesNotExist();
  }
}
