package dev.kymo.importers.otf2;

import dev.kymo.format.Clock;
import dev.kymo.importers.otf2.archive.Anchor;
import dev.kymo.importers.otf2.archive.ArchiveDefinitions;
import dev.kymo.importers.otf2.archive.Defined;
import dev.kymo.importers.otf2.archive.Defined.ClockProperties;
import dev.kymo.importers.otf2.archive.Defined.Location;
import dev.kymo.importers.otf2.archive.Defined.LocationGroup;
import dev.kymo.importers.otf2.archive.Defined.Node;
import dev.kymo.importers.otf2.archive.EventMerger;
import dev.kymo.importers.otf2.archive.LocationEvents;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.Import;
import dev.kymo.importers.target.Order;
import dev.kymo.importers.target.Source;
import dev.kymo.importers.target.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One import: all events of all locations, in the order of their times. */
final class Otf2Import {
  /** Each has an open file; events of more are sorted as they are written. */
  private static final int MOST_OPEN = 1000;

  private static final int PROGRESS_EVERY = 10_000;
  private static final int DEEPEST = 100;
  private static final int MOST_NOTICES = 40;

  private final ForeignFile file;
  private final Anchor anchor;
  private final String title;
  private final ArchiveDefinitions definitions;
  private final List<List<Location>> parts;
  private final long size;
  private long done;

  Otf2Import(ForeignFile file, Anchor anchor, String title) throws IOException {
    this.file = file;
    this.anchor = anchor;
    this.title = title;
    this.definitions = ArchiveDefinitions.read(anchor);
    this.parts = parts(definitions.locations());
    this.size = size();
  }

  private static List<List<Location>> parts(List<Location> all) {
    List<List<Location>> parts = new ArrayList<>();
    for (int from = 0; from < all.size(); from += MOST_OPEN) {
      parts.add(all.subList(from, Math.min(all.size(), from + MOST_OPEN)));
    }
    return parts;
  }

  private long size() throws IOException {
    long sum = 0;
    for (Location location : definitions.locations()) {
      Path events = anchor.eventFile(location.id());
      sum += Files.exists(events) ? Files.size(events) : 0;
    }
    return sum;
  }

  void convert(Import to) throws IOException {
    long first = first();
    Order order = parts.size() == 1 ? Order.BY_TIME : Order.ANY;
    try (Target target = to.begin(clock(), first, source(), order)) {
      Actions actions = new Actions(target, definitions);
      for (List<Location> part : parts) {
        try (EventMerger events = new EventMerger(anchor, part)) {
          take(events, actions, to);
          check(events, target);
        }
      }
      actions.finish();
      notices(target);
    }
  }

  private void take(EventMerger events, Actions actions, Import to) throws IOException {
    long count = 0;
    for (LocationEvents event = events.next(); event != null; event = events.next()) {
      actions.take(event);
      if (++count % PROGRESS_EVERY == 0) {
        to.progress().at(done + events.done(), size);
      }
    }
    done += events.done();
  }

  private static void check(EventMerger events, Target target) {
    for (LocationEvents location : events.locations()) {
      long said = location.location().events();
      if (said != Defined.NONE && said != location.count()) {
        String id = Long.toUnsignedString(location.location().id());
        target
            .troubles()
            .count(
                "locations do not have as many events as their definitions say",
                "location=%s events=%d said=%d".formatted(id, location.count(), said));
      }
    }
  }

  /**
   * The time at which the recording begins. The archive's own is a time before all events; where it
   * is longer before them than all of the trace lasts, it says nothing, and the first event's time
   * is taken.
   */
  private long first() throws IOException {
    long first = Long.MAX_VALUE;
    for (List<Location> part : parts) {
      try (EventMerger events = new EventMerger(anchor, part)) {
        LocationEvents event = events.next();
        first = event == null ? first : Math.min(first, event.time());
      }
    }
    ClockProperties clock = definitions.clock();
    if (first == Long.MAX_VALUE) {
      return Math.max(0, clock.offset());
    }
    boolean near =
        clock.offset() >= 0 && clock.offset() <= first && first - clock.offset() <= clock.length();
    return near ? clock.offset() : first;
  }

  private Clock clock() {
    ClockProperties said = definitions.clock();
    Clock clock = new Clock(Clock.MONOTONIC, said.resolution(), 0);
    boolean known = said.wall() > 0 && said.offset() >= 0;
    return known
        ? new Clock(clock.name(), said.resolution(), said.wall() - clock.nanos(said.offset()))
        : clock;
  }

  private Source source() {
    return new Source(title, file.name(), host(), "unknown", "unknown", 0);
  }

  /** The innermost machine that all processes are in. */
  private String host() {
    List<Integer> common = null;
    for (Location location : definitions.locations()) {
      List<Integer> way = way(definitions.locationGroup(location.group()));
      common = common == null ? way : shared(common, way);
    }
    Node node = common == null || common.isEmpty() ? null : definitions.node(common.getLast());
    String name = node == null ? anchor.machine() : definitions.string(node.name());
    return name.isEmpty() ? "unknown" : name;
  }

  private static List<Integer> shared(List<Integer> a, List<Integer> b) {
    int same = 0;
    while (same < a.size() && same < b.size() && a.get(same).equals(b.get(same))) {
      same++;
    }
    return a.subList(0, same);
  }

  /** From the outermost node to that of a location group. */
  private List<Integer> way(@Nullable LocationGroup group) {
    List<Integer> way = new ArrayList<>();
    int at = group == null ? Defined.NONE : group.node();
    for (Node node = definitions.node(at); node != null && way.size() < DEEPEST; ) {
      way.addFirst(at);
      at = node.parent();
      node = definitions.node(at);
    }
    return way;
  }

  private void notices(Target target) throws IOException {
    target.notice(
        "archive: creator=\"%s\" version=%s machine=\"%s\" description=\"%s\""
            .formatted(anchor.creator(), anchor.version(), anchor.machine(), anchor.description()));
    Map<String, String> properties = new TreeMap<>(anchor.properties());
    properties.replaceAll(target.redaction()::value);
    if (!properties.isEmpty()) {
      target.notice("properties of the archive: " + list(properties, "="));
    }
    Map<String, Integer> machines = new TreeMap<>();
    for (Location location : definitions.locations()) {
      String names =
          way(definitions.locationGroup(location.group())).stream()
              .map(id -> definitions.string(name(id)))
              .collect(Collectors.joining("/"));
      machines.merge(names, 1, Integer::sum);
    }
    if (!machines.isEmpty()) {
      target.notice("locations by machine: " + list(machines, " "));
    }
    if (!definitions.others().isEmpty()) {
      target.notice("definitions that were left out: " + list(definitions.others(), " "));
    }
    if (anchor.snapshots() != 0 || anchor.thumbnails() != 0 || Files.exists(anchor.markerFile())) {
      target.notice(
          "other files of the archive were left out: snapshots=%d thumbnails=%d markers=%s"
              .formatted(
                  anchor.snapshots(),
                  anchor.thumbnails(),
                  Files.exists(anchor.markerFile()) ? "yes" : "no"));
    }
  }

  private int name(int node) {
    Node known = definitions.node(node);
    return known == null ? Defined.NONE : known.name();
  }

  private static String list(Map<String, ?> all, String between) {
    String more = all.size() > MOST_NOTICES ? ", and more" : "";
    return all.entrySet().stream()
            .limit(MOST_NOTICES)
            .map(one -> one.getKey() + between + one.getValue())
            .collect(Collectors.joining(", "))
        + more;
  }
}
