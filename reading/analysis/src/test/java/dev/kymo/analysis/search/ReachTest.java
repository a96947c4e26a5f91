package dev.kymo.analysis.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.analysis.events.EventChoice;
import dev.kymo.analysis.events.EventPage;
import dev.kymo.analysis.events.RecordedEvent;
import dev.kymo.analysis.selection.PlacedCall;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.RandomCalls;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Events and nearest calls of random recordings, against all their calls. */
class ReachTest {
  @TempDir Path directory;

  private record Found(PlacedCall place, int method, int flags) {}

  private static List<Found> calls(Timeline timeline, TimelineSelection selection) {
    List<Found> all = new ArrayList<>();
    for (int track : selection.tracks()) {
      timeline.calls(
          track,
          selection.from(),
          selection.to(),
          (depth, method, begin, end, flags) ->
              all.add(new Found(new PlacedCall(track, depth, begin, end - begin), method, flags)));
    }
    all.sort(Comparator.comparing(Found::place, PlacedCall.BY_PLACE));
    return all;
  }

  @ParameterizedTest
  @CsvSource({"1, 3, 3000", "2, 40, 50", "3, 2, 60000"})
  void pagingMeetsEveryEventOnce(long seed, int threads, int events) throws IOException {
    System.out.println("seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    Path path = RandomCalls.recording(seed, threads, events).write(directory.resolve("r"));
    try (Timeline timeline = Timelines.open(path, ProgressListener.NONE)) {
      List<Integer> tracks = IntStream.range(0, threads).boxed().toList();
      long end = timeline.duration();
      TimelineSelection all = new TimelineSelection(0, end, tracks);
      List<RecordedEvent> forward = forward(timeline, all, 1 + random.nextInt(5000));
      assertThat(forward).hasSize(threads * events);
      checkOrder(forward, timeline.tracks().size());
      assertThat(backward(timeline, all, end + 1, 1 + random.nextInt(5000))).isEqualTo(forward);
      TimelineSelection some =
          new TimelineSelection(end / 3, end / 2, tracks.subList(0, (threads + 1) / 2));
      List<RecordedEvent> inside = new ArrayList<>(forward);
      inside.removeIf(e ->
          e.time() < some.from() || e.time() > some.to() || !some.tracks().contains(e.track()));
      assertThat(forward(timeline, some, 70)).isEqualTo(inside);
      assertThat(backward(timeline, some, end + 1, 70)).isEqualTo(inside);
    }
  }

  private static List<RecordedEvent> forward(
      Timeline timeline, TimelineSelection selection, int count) {
    List<RecordedEvent> all = new ArrayList<>();
    EventPage page =
        EventPage.after(timeline, selection, EventChoice.ALL, 0, count, new Progress());
    while (page.more()) {
      assertThat(page.events()).hasSizeGreaterThanOrEqualTo(count);
      all.addAll(page.events());
      long next = page.events().getLast().time() + 1;
      page = EventPage.after(timeline, selection, EventChoice.ALL, next, count, new Progress());
    }
    all.addAll(page.events());
    return all;
  }

  private static List<RecordedEvent> backward(
      Timeline timeline, TimelineSelection selection, long end, int count) {
    List<RecordedEvent> all = new ArrayList<>();
    EventPage page =
        EventPage.before(timeline, selection, EventChoice.ALL, end, count, new Progress());
    while (page.more()) {
      all.addAll(0, page.events());
      long first = page.events().getFirst().time();
      page = EventPage.before(timeline, selection, EventChoice.ALL, first, count, new Progress());
    }
    all.addAll(0, page.events());
    return all;
  }

  /** Every thread's events nest. */
  private static void checkOrder(List<RecordedEvent> events, int tracks) {
    int[] depths = new int[tracks];
    long time = 0;
    for (RecordedEvent event : events) {
      assertThat(event.time()).isGreaterThanOrEqualTo(time);
      time = event.time();
      if (event.kind() == RecordedEvent.ENTER) {
        assertThat(event.depth()).isEqualTo(depths[event.track()]++);
      } else {
        assertThat(event.depth()).isEqualTo(--depths[event.track()]);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"4, 3, 4000", "5, 30, 60", "6, 1, 500"})
  void theNearestCallIsTheNextInTheRecordingsOrder(long seed, int threads, int events)
      throws IOException {
    System.out.println("seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    Path path = RandomCalls.recording(seed, threads, events).write(directory.resolve("r"));
    try (Timeline timeline = Timelines.open(path, ProgressListener.NONE)) {
      List<Integer> tracks = IntStream.range(0, threads).boxed().toList();
      for (int i = 0; i < 200; i++) {
        long from = random.nextLong(timeline.duration()) / 4;
        long to = from + random.nextLong(timeline.duration());
        TimelineSelection selection = new TimelineSelection(from, to, tracks);
        BitSet methods = new BitSet();
        methods.set(random.nextInt(RandomCalls.METHODS));
        List<Found> matching = calls(timeline, selection);
        PlacedCall place = place(timeline, matching, random, i);
        Search search = Search.of(timeline, selection, methods, new Progress());
        matching.removeIf(found -> !methods.get(found.method));
        assertThat(search.calls()).isEqualTo(matching.size());
        assertThat(LongestCallSearch.of(timeline, selection, methods, new Progress()))
            .isEqualTo(matching.stream().map(Found::place).min(PlacedCall.LONGEST_FIRST));
        List<PlacedCall> places = matching.stream().map(Found::place).toList();
        assertThat(NearestCall.next(timeline, selection, methods, place, new Progress()))
            .isEqualTo(nearest(places, place, 1));
        assertThat(NearestCall.previous(timeline, selection, methods, place, new Progress()))
            .isEqualTo(nearest(places.reversed(), place, -1));
      }
    }
  }

  private static PlacedCall place(
      Timeline timeline, List<Found> calls, SplittableRandom random, int i) {
    return i % 2 == 0 || calls.isEmpty()
        ? NearestCall.at(random.nextLong(timeline.duration()), i % 4 == 0)
        : calls.get(random.nextInt(calls.size())).place();
  }

  private static Optional<PlacedCall> nearest(List<PlacedCall> calls, PlacedCall to, int sign) {
    return calls.stream().filter(c -> PlacedCall.BY_PLACE.compare(c, to) * sign > 0).findFirst();
  }
}
