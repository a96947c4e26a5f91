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
import dev.kymo.importers.target.ForeignException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads global definitions. */
final class DefinitionReader {
  private static final int BUFFER = 64 * 1024;

  /** Definitions, and members of groups, are kept in memory. */
  private static final int MOST = 4_000_000;

  private static final int MPI = 4;

  /** Types of groups as versions before 1.2 had them; the last three were those of MPI. */
  private static final List<Integer> OLD_GROUPS = List.of(0, 1, 2, 2, 5, 6, 4);

  private static final int OLD_MPI = 4;
  private static final Map<Integer, String> OTHERS =
      Map.ofEntries(
          Map.entry(7, "properties of paradigms"),
          Map.entry(16, "call sites"),
          Map.entry(17, "call paths"),
          Map.entry(25, "recorders of metrics"),
          Map.entry(26, "properties of nodes"),
          Map.entry(27, "domains of nodes"),
          Map.entry(28, "properties of location groups"),
          Map.entry(29, "properties of locations"),
          Map.entry(30, "dimensions"),
          Map.entry(31, "topologies"),
          Map.entry(32, "coordinates"),
          Map.entry(35, "properties of calling contexts"),
          Map.entry(37, "properties of files"),
          Map.entry(41, "states of handles"),
          Map.entry(42, "parameters of call paths"));

  private final ArchiveDefinitions to = new ArchiveDefinitions();
  private int kept;

  private DefinitionReader() {}

  static ArchiveDefinitions read(Anchor anchor) throws IOException {
    DefinitionReader reader = new DefinitionReader();
    try (RecordFile in =
        RecordFile.open(anchor.definitionFile(), anchor.definitionChunk(), false, BUFFER)) {
      reader.all(in, anchor);
    }
    return reader.to;
  }

  private void all(RecordFile in, Anchor anchor) throws IOException {
    long count = 0;
    while (in.next()) {
      count++;
      keep(1, in);
      take(in);
    }
    if (count != anchor.definitions()) {
      throw in.damaged(
          "archive has not as many definitions as its anchor says",
          "definitions=%d said=%d".formatted(count, anchor.definitions()));
    }
    if (to.clock.resolution() <= 0) {
      throw in.damaged("archive does not say how fast its clock is", "");
    }
  }

  private void keep(int many, RecordFile in) throws ForeignException {
    kept += many;
    if (kept > MOST) {
      throw in.damaged("archive has too many definitions", "most=" + MOST);
    }
  }

  private void take(RecordFile in) throws ForeignException {
    switch (in.type()) {
      case 5 ->
          to.clock =
              new ClockProperties(in.u64(), in.u64(), in.u64(), in.hasMore() ? in.u64() : -1L);
      case 6 -> to.paradigms.put(in.u8(), in.u32());
      case 8 -> {
        int self = in.u8();
        in.u32(); // what it is known by everywhere
        to.ioParadigms.put(self, in.u32());
      }
      case 10 -> to.strings.put(in.u32(), in.text());
      case 11 -> name(Reference.ATTRIBUTE, in);
      case 12 -> to.nodes.put(in.u32(), new Node(in.u32(), in.u32(), in.u32()));
      case 13 -> to.locationGroups.put(in.u32(), new LocationGroup(in.u32(), in.u8(), in.u32()));
      case 14 -> {
        long id = in.u64();
        to.locations.put(id, new Location(id, in.u32(), in.u8(), in.u64(), in.u32()));
      }
      case 15 -> region(in);
      case 18 -> group(in);
      case 19 -> member(in);
      case 20 -> metricClass(in);
      case 21 -> {
        int self = in.u32();
        int metricClass = in.u32();
        in.u64(); // the location that has the events
        to.metricInstances.put(self, new MetricInstance(metricClass, in.u8(), in.u64()));
      }
      case 22 -> to.comms.put(in.u32(), new Comm(in.u32(), in.u32(), Defined.NONE));
      case 23 -> name(Reference.PARAMETER, in);
      case 24 -> name(Reference.RMA_WIN, in);
      case 33 -> to.sources.put(in.u32(), new Source(in.u32(), in.u32()));
      case 34 -> to.contexts.put(in.u32(), new Context(in.u32(), in.u32(), in.u32()));
      case 36 -> name(Reference.INTERRUPT_GENERATOR, in);
      case 38, 39 -> name(Reference.IO_FILE, in);
      case 40 -> name(Reference.IO_HANDLE, in);
      case 43 -> to.comms.put(in.u32(), new Comm(in.u32(), in.u32(), in.u32()));
      default ->
          to.others.merge(OTHERS.getOrDefault(in.type(), "type " + in.type()), 1, Integer::sum);
    }
  }

  private void name(Reference of, RecordFile in) throws ForeignException {
    to.names.computeIfAbsent(of, none -> new HashMap<>()).put(in.u32(), in.u32());
  }

  private void region(RecordFile in) throws ForeignException {
    int self = in.u32();
    int name = in.u32();
    in.u32(); // its description
    in.u8(); // what it is, as older versions say it
    to.regions.put(self, new Region(name, in.u32(), in.u32()));
  }

  private void group(RecordFile in) throws ForeignException {
    int self = in.u32();
    in.u32(); // its name
    int old = in.u8();
    long[] all = new long[in.count(in.u32())];
    keep(all.length, in);
    for (int i = 0; i < all.length; i++) {
      all[i] = in.u64();
    }
    to.groups.put(
        self, in.hasMore() ? new Group(in.u8(), in.u8(), in.u32(), all) : ofOldVersion(old, all));
  }

  private static Group ofOldVersion(int type, long[] all) {
    int known = type < OLD_GROUPS.size() ? OLD_GROUPS.get(type) : 0;
    return new Group(known, type >= OLD_MPI ? MPI : 0, 0, all);
  }

  private void member(RecordFile in) throws ForeignException {
    int self = in.u32();
    int name = in.u32();
    in.u32(); // its description
    in.u8(); // who counts
    in.u8(); // whether its values are sums
    in.u8(); // their type, which events say, too
    to.members.put(self, new MetricMember(name, in.u8(), in.u64(), in.u32()));
  }

  private void metricClass(RecordFile in) throws ForeignException {
    int self = in.u32();
    int[] all = new int[in.count(in.u8())];
    for (int i = 0; i < all.length; i++) {
      all[i] = in.u32();
    }
    to.metricClasses.put(self, new MetricClass(all));
  }
}
