package dev.kymo.importers.otf2.archive;

import dev.kymo.importers.otf2.archive.Defined.ClockProperties;
import dev.kymo.importers.otf2.archive.Defined.Comm;
import dev.kymo.importers.otf2.archive.Defined.Context;
import dev.kymo.importers.otf2.archive.Defined.Group;
import dev.kymo.importers.otf2.archive.Defined.Location;
import dev.kymo.importers.otf2.archive.Defined.LocationGroup;
import dev.kymo.importers.otf2.archive.Defined.MetricClass;
import dev.kymo.importers.otf2.archive.Defined.MetricInstance;
import dev.kymo.importers.otf2.archive.Defined.MetricMember;
import dev.kymo.importers.otf2.archive.Defined.Node;
import dev.kymo.importers.otf2.archive.Defined.Region;
import dev.kymo.importers.otf2.archive.Defined.Source;
import java.io.IOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The global definitions of an archive: what the numbers in its events mean. */
public final class ArchiveDefinitions {
  final Map<Integer, String> strings = new HashMap<>();

  /** Names of what has nothing but a name that events need. */
  final Map<Reference, Map<Integer, Integer>> names = new HashMap<>();

  final Map<Integer, Integer> paradigms = new HashMap<>();
  final Map<Integer, Integer> ioParadigms = new HashMap<>();
  final Map<Integer, Node> nodes = new HashMap<>();
  final Map<Integer, LocationGroup> locationGroups = new HashMap<>();
  final Map<Long, Location> locations = new HashMap<>();
  final Map<Integer, Region> regions = new HashMap<>();
  final Map<Integer, Group> groups = new TreeMap<>();
  final Map<Integer, Comm> comms = new HashMap<>();
  final Map<Integer, MetricMember> members = new HashMap<>();
  final Map<Integer, MetricClass> metricClasses = new HashMap<>();
  final Map<Integer, MetricInstance> metricInstances = new HashMap<>();
  final Map<Integer, Context> contexts = new HashMap<>();
  final Map<Integer, Source> sources = new HashMap<>();

  final Map<String, Integer> others = new TreeMap<>();

  ClockProperties clock = new ClockProperties(0, 0, 0, -1);

  ArchiveDefinitions() {}

  public static ArchiveDefinitions read(Anchor anchor) throws IOException {
    return DefinitionReader.read(anchor);
  }

  public ClockProperties clock() {
    return clock;
  }

  /** All locations: those of a location group follow each other. */
  public List<Location> locations() {
    return locations.values().stream()
        .sorted(Comparator.comparingInt(Location::group).thenComparingLong(Location::id))
        .toList();
  }

  public @Nullable Location location(long id) {
    return locations.get(id);
  }

  public @Nullable LocationGroup locationGroup(int id) {
    return locationGroups.get(id);
  }

  public @Nullable Node node(int id) {
    return nodes.get(id);
  }

  public @Nullable Region region(int id) {
    return regions.get(id);
  }

  public @Nullable Group group(int id) {
    return groups.get(id);
  }

  public Collection<Group> groups() {
    return groups.values();
  }

  public @Nullable Comm comm(int id) {
    return comms.get(id);
  }

  public @Nullable MetricMember metricMember(int id) {
    return members.get(id);
  }

  public @Nullable MetricClass metricClass(int id) {
    return metricClasses.get(id);
  }

  public @Nullable MetricInstance metricInstance(int id) {
    return metricInstances.get(id);
  }

  public @Nullable Context context(int id) {
    return contexts.get(id);
  }

  /** How many there are of each kind that nothing is made of. */
  public Map<String, Integer> others() {
    return others;
  }

  /** A string; empty if it is not defined. */
  public String string(int id) {
    return strings.getOrDefault(id, "");
  }

  /** What events call a paradigm. */
  public String paradigm(int id) {
    return named(string(paradigms.getOrDefault(id, Defined.NONE)), "paradigm", id);
  }

  /** What events call a paradigm of input and output. */
  public String ioParadigm(int id) {
    return named(string(ioParadigms.getOrDefault(id, Defined.NONE)), "paradigm", id);
  }

  /** What a definition is called: its name, or its kind and number. */
  public String name(Reference of, long id) {
    if (id == Defined.NONE) {
      return "";
    }
    int number = (int) id;
    return switch (of) {
      case STRING -> strings.getOrDefault(number, "string " + id);
      case LOCATION -> named(text(locations.get(id), Location::name), "location", id);
      case LOCATION_GROUP ->
          named(text(locationGroups.get(number), LocationGroup::name), "location group", id);
      case REGION -> named(text(regions.get(number), Region::name), "region", id);
      case COMM -> named(text(comms.get(number), Comm::name), "communicator", id);
      case CALLING_CONTEXT -> {
        Context context = contexts.get(number);
        yield context == null ? "context " + id : name(Reference.REGION, context.region());
      }
      case SOURCE_CODE_LOCATION -> {
        Source source = sources.get(number);
        yield source == null ? "line " + id : string(source.file()) + ":" + source.line();
      }
      case METRIC, GROUP -> word(of) + " " + id;
      default -> {
        Map<Integer, Integer> known = names.getOrDefault(of, Map.of());
        yield named(string(known.getOrDefault(number, Defined.NONE)), word(of), id);
      }
    };
  }

  private static String word(Reference of) {
    return of.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
  }

  private <T> String text(@Nullable T defined, java.util.function.ToIntFunction<T> name) {
    return defined == null ? "" : string(name.applyAsInt(defined));
  }

  private static String named(String name, String kind, long id) {
    return name.isEmpty() ? kind + " " + Long.toUnsignedString(id) : name;
  }
}
