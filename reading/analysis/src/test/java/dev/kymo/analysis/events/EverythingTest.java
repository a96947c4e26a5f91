package dev.kymo.analysis.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.model.timeline.Track;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lists of everything that random programs did, against what the programs know. */
class EverythingTest {
  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({"1, 1, 500", "2, 4, 20000", "3, 9, 3000"})
  void pagesHaveEverythingThatIsChosenOnce(long seed, int threads, int steps) throws IOException {
    System.out.println("seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    RandomProgram program = new RandomProgram(seed, threads, steps);
    Path path = program.recording().write(directory.resolve("r"));
    try (Timeline timeline = Timelines.open(path, ProgressListener.NONE)) {
      List<Integer> tracks = IntStream.range(0, timeline.tracks().size()).boxed().toList();
      for (int i = 0; i < 12; i++) {
        long from = i < 6 ? 0 : random.nextLong(timeline.duration());
        long to = i < 6 ? timeline.duration() : from + random.nextLong(timeline.duration());
        TimelineSelection selection =
            new TimelineSelection(from, to, i < 8 ? tracks : some(tracks, random));
        EventChoice choice = i == 0 ? EventChoice.ALL : choice(timeline, random, i);
        List<String> expected = expected(program, timeline, selection, choice);
        if (i == 0) {
          assertThat(expected).as("everything").hasSize(program.rows().size());
        }
        Pages pages = new Pages(timeline, selection, choice, steps / 100 + random.nextInt(2000));
        assertThat(differences(told(timeline, pages.forward()), expected)).isEmpty();
        assertThat(differences(told(timeline, pages.backward()), expected)).isEmpty();
      }
    }
  }

  /** Few of them: all would be too many to read. */
  private static List<String> differences(List<String> told, List<String> expected) {
    List<String> differences = new ArrayList<>();
    int i = 0;
    int j = 0;
    while ((i < told.size() || j < expected.size()) && differences.size() < 10) {
      int order =
          i == told.size() ? 1 : j == expected.size() ? -1 : told.get(i).compareTo(expected.get(j));
      if (order < 0) {
        differences.add("too many: " + told.get(i++));
      } else if (order > 0) {
        differences.add("missing: " + expected.get(j++));
      } else {
        i++;
        j++;
      }
    }
    return differences;
  }

  private static List<Integer> some(List<Integer> tracks, SplittableRandom random) {
    return tracks.stream().filter(track -> random.nextBoolean()).toList();
  }

  private static EventChoice choice(Timeline timeline, SplittableRandom random, int i) {
    Set<EventGroup> groups = EnumSet.noneOf(EventGroup.class);
    for (EventGroup group : EventGroup.values()) {
      if (random.nextInt(3) == 0) {
        groups.add(group);
      }
    }
    if (i % 3 == 0) {
      return new EventChoice(groups, null, null);
    }
    BitSet methods = new BitSet();
    IntStream.range(0, timeline.methods())
        .filter(method -> random.nextInt(4) == 0)
        .forEach(methods::set);
    boolean irq = random.nextBoolean();
    return new EventChoice(
        i % 3 == 1 ? EventChoice.ALL.groups() : groups,
        methods,
        name -> name.startsWith(irq ? "irq" : "timer"));
  }

  private static List<String> expected(
      RandomProgram program, Timeline timeline, TimelineSelection selection, EventChoice choice) {
    BitSet methods = choice.methods();
    List<String> expected = new ArrayList<>();
    for (RandomProgram.Row row : program.rows()) {
      boolean chosen = choice.groups().contains(row.group()) || isUntoldHandOff(row, choice);
      boolean named =
          row.kind() == RecordedEvent.KERNEL
              ? choice.names() == null || choice.names().test(row.method())
              : methods == null || methods.get(method(timeline, row.method()));
      boolean inside = row.time() >= selection.from() && row.time() <= selection.to();
      boolean here =
          selection.tracks().stream()
              .map(timeline.tracks()::get)
              .anyMatch(track -> track.kind() == row.of() && track.name().equals(row.thread()));
      if (chosen && named && inside && here) {
        boolean state = row.kind() == RecordedEvent.WOKEN && !choice.has(EventGroup.WAKES);
        expected.add(text(row, state ? RecordedEvent.STATE : row.kind()));
      }
    }
    Collections.sort(expected);
    return expected;
  }

  /** A hand-off is a state of no time as well: it is told as that unless it is as who did it. */
  private static boolean isUntoldHandOff(RandomProgram.Row row, EventChoice choice) {
    return row.method().equals("handed.CPU")
        && !choice.has(EventGroup.WAKES)
        && choice.has(EventGroup.SCHEDULED);
  }

  private static int method(Timeline timeline, String name) {
    return IntStream.range(0, timeline.methods())
        .filter(method -> timeline.method(method).qualifiedName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static String text(RandomProgram.Row row, int kind) {
    return text(
        row.time(),
        kind,
        row.of() + " " + row.thread(),
        row.method(),
        row.duration(),
        row.other(),
        row.text());
  }

  private static String text(
      long time, int kind, String track, String method, long took, String other, String text) {
    return "%012d %d %s %s %d <%s> %s".formatted(time, kind, track, method, took, other, text);
  }

  /** Sorted as text, so that it does not matter in which order what is of one time comes. */
  private static List<String> told(Timeline timeline, List<RecordedEvent> events) {
    List<String> told = new ArrayList<>();
    long time = 0;
    for (RecordedEvent event : events) {
      assertThat(event.time()).isGreaterThanOrEqualTo(time);
      time = event.time();
      Track track = timeline.tracks().get(event.track());
      told.add(
          text(
              event.time(),
              event.kind(),
              track.kind() + " " + track.name(),
              event.method() < 0 ? event.name() : timeline.method(event.method()).qualifiedName(),
              event.duration(),
              event.other() < 0 ? "" : timeline.tracks().get(event.other()).name(),
              event.text()));
    }
    Collections.sort(told);
    return told;
  }

  /** Reads a list page by page. */
  private record Pages(
      Timeline timeline, TimelineSelection selection, EventChoice choice, int count) {
    List<RecordedEvent> forward() {
      List<RecordedEvent> all = new ArrayList<>();
      EventPage page = after(0);
      while (page.more()) {
        assertThat(page.events()).hasSizeGreaterThanOrEqualTo(count);
        all.addAll(page.events());
        page = after(page.events().getLast().time() + 1);
      }
      all.addAll(page.events());
      return all;
    }

    private EventPage after(long time) {
      return EventPage.after(timeline, selection, choice, time, count, new Progress());
    }

    List<RecordedEvent> backward() {
      List<RecordedEvent> all = new ArrayList<>();
      EventPage page = before(timeline.duration() + 1);
      while (page.more()) {
        assertThat(page.events()).hasSizeGreaterThanOrEqualTo(count);
        all.addAll(0, page.events());
        page = before(page.events().getFirst().time());
      }
      all.addAll(0, page.events());
      return all;
    }

    private EventPage before(long time) {
      return EventPage.before(timeline, selection, choice, time, count, new Progress());
    }
  }
}
