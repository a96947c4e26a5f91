package dev.kymo.exporters.otf2;

import dev.kymo.analysis.names.Categories;
import dev.kymo.exporters.otf2.library.Otf2Definitions;
import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.ExportTrack;
import dev.kymo.exporters.source.ExportWords;
import dev.kymo.exporters.source.Facts;
import dev.kymo.format.Definition;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TracedProcess;
import dev.kymo.model.definitions.TrackKind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes the global definitions of an archive: what its numbers mean. */
final class Otf2Meaning {
  private static final long NANOS = 1_000_000_000L;
  private static final byte ROLE_FUNCTION = 1;
  private static final byte ROLE_ARTIFICIAL = 31;
  private static final byte USER = 1;
  private static final byte MEASUREMENT = 6;
  private static final byte THREADS = 7;
  private static final byte HARDWARE = 10;
  private static final byte COMPILER = 2;

  private final ExportSource source;
  private final List<ExportTrack> locations;
  private final Strings strings;
  private final @Nullable Categories categories;
  private final Otf2Definitions to;

  /** What is written once all strings are: they must come first. */
  private final List<Runnable> later = new ArrayList<>();

  Otf2Meaning(
      ExportSource source,
      List<ExportTrack> locations,
      Strings strings,
      @Nullable Categories categories,
      Otf2Definitions to) {
    this.source = source;
    this.locations = locations;
    this.strings = strings;
    this.categories = categories;
    this.to = to;
  }

  void write(Numbers regions, Numbers metrics, long[] counts, long last) {
    to.clock(NANOS, last + 1, Facts.wallBegin(source));
    attribute(Otf2Trace.DATA, "data", "fields of a user event");
    attribute(Otf2Trace.FLAGS, "flags", "what is known of the ends of a call");
    attribute(Otf2Trace.OBJECT, "object", "identity of what a state waited for");
    attribute(Otf2Trace.BY, "by", "who let the thread go on");
    List<Integer> processes = processes();
    for (int i = 0; i < counts.length; i++) {
      location(i, counts[i], processes.indexOf(locations.get(i).process()));
    }
    for (int i = 0; i < regions.keys().size(); i++) {
      region(i, regions.keys().get(i));
    }
    for (int i = 0; i < metrics.keys().size(); i++) {
      metric(i, metrics.keys().get(i));
    }
    communicator();
    groups(regions);
    for (int i = 0; i < strings.all().size(); i++) {
      to.string(i, strings.all().get(i));
    }
    later.forEach(Runnable::run);
  }

  private void attribute(int number, String name, String description) {
    int nameOf = strings.of(name);
    int descriptionOf = strings.of(description);
    later.add(() -> to.attribute(number, nameOf, descriptionOf));
  }

  /** Writes the processes that have locations; returns them by their numbers. */
  private List<Integer> processes() {
    String host = source.definitions().recording().map(Definition.Recording::host).orElse("");
    int name = strings.of(host.isEmpty() ? "host" : host);
    int kind = strings.of("machine");
    later.add(() -> to.node(0, name, kind, Otf2Definitions.NONE));
    Set<Integer> used = new LinkedHashSet<>();
    locations.forEach(track -> used.add(track.process()));
    List<Integer> processes = List.copyOf(used);
    for (int i = 0; i < processes.size(); i++) {
      int number = i;
      int process = processes.get(i);
      int text =
          strings.of(
              source.definitions().processes().stream()
                  .filter(p -> p.process() == process)
                  .map(Otf2Meaning::name)
                  .findFirst()
                  .orElse("process " + process));
      later.add(() -> to.process(number, text, 0));
    }
    return processes;
  }

  private static String name(TracedProcess process) {
    return ExportWords.name(process);
  }

  private void location(int number, long events, int process) {
    int name = strings.of(locations.get(number).title());
    later.add(() -> to.location(number, name, events, process));
  }

  private void region(int number, int key) {
    if (key == LocationSink.LOST) {
      int name = strings.of("lost events");
      later.add(() ->
          to.region(number, name, name, ROLE_ARTIFICIAL, MEASUREMENT, Otf2Definitions.NONE, 0));
      return;
    }
    TracedMethod method = source.method(key / 2 - 1);
    boolean call = key % 2 == 0;
    int name = strings.of(ExportWords.name(call ? TrackKind.CALLS : TrackKind.STATES, method));
    int whole = strings.of(method.qualifiedName() + method.descriptor());
    int file = method.source().isEmpty() ? Otf2Definitions.NONE : strings.of(method.source());
    boolean own = source.definitions().isEvent(method.id());
    byte paradigm = own ? USER : call ? COMPILER : paradigm(method);
    byte role = call && !own ? ROLE_FUNCTION : ROLE_ARTIFICIAL;
    later.add(() -> to.region(number, name, whole, role, paradigm, file, method.line()));
  }

  /** Waits are of the thread library, all other states of the machine. */
  private static byte paradigm(TracedMethod state) {
    return dev.kymo.format.WaitKind.of(state.type()).isPresent() ? THREADS : HARDWARE;
  }

  private void metric(int number, int key) {
    TracedEvent event = source.definitions().event(key);
    int name = strings.of(event.qualifiedName());
    int description = strings.of(event.definition().description());
    int unit = strings.of("#");
    later.add(() -> to.metric(number, name, description, LocationSink.type(event), unit));
  }

  /** Messages name its members by their places. */
  private void communicator() {
    int name = strings.of("user messages");
    long[] members = new long[locations.size()];
    java.util.Arrays.setAll(members, i -> i);
    later.add(() -> to.communicator(0, 0, name, members));
  }

  private void groups(Numbers regions) {
    Categories known = categories;
    if (known == null) {
      return;
    }
    Map<String, List<Long>> groups = new TreeMap<>();
    for (int i = 0; i < regions.keys().size(); i++) {
      int key = regions.keys().get(i);
      if (key != LocationSink.LOST) {
        String category = known.of(source.method(key / 2 - 1));
        groups.computeIfAbsent(category, c -> new ArrayList<>()).add((long) i);
      }
    }
    int number = 2;
    for (Map.Entry<String, List<Long>> group : groups.entrySet()) {
      int name = strings.of(group.getKey());
      int self = number++;
      long[] members = group.getValue().stream().mapToLong(Long::longValue).toArray();
      later.add(() -> to.regions(self, name, members));
    }
  }
}
