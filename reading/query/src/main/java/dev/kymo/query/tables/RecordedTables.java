package dev.kymo.query.tables;

import dev.kymo.exporters.source.ExportSource;
import dev.kymo.format.Definition;
import dev.kymo.format.KernelEventFormat;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.model.definitions.TrackKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** All tables of a recording. */
public final class RecordedTables {
  /** The kinds of tracks, by their numbers in the tables of states. */
  public static final List<TrackKind> KINDS = List.of(TrackKind.values());

  private RecordedTables() {}

  /** The tables that every recording has, of what is selected of it. */
  public static List<SqlTable> main(ExportSource source) {
    List<SqlTable> tables = new ArrayList<>(new KnownTables(source).all());
    tables.add(new CallsTable(source));
    tables.add(
        new StatesTable(
            source, "states", EnumSet.of(TrackKind.SCHEDULED, TrackKind.JVM, TrackKind.CPU)));
    tables.add(new StatesTable(source, "waits", EnumSet.of(TrackKind.STATES)));
    tables.add(EventsTable.events(source));
    tables.add(EventsTable.counters(source));
    tables.add(new KernelTable(source));
    return tables;
  }

  /** What the table of a kind of user events is called, and the group that it is in. */
  public record Name(String group, String name) {}

  /** The name of a kind's table. */
  public static Name name(TracedEvent event) {
    return new Name(
        Names.group(event.subsystem().name()), Names.plain(event.definition().name(), "unnamed"));
  }

  /** A table for each kind of user events, and of the kernel's. */
  public static List<SqlTable> kinds(ExportSource source) {
    record Kind(String group, String name, String fields) {}
    Map<Kind, TracedEvent> events = new LinkedHashMap<>();
    Map<Kind, Set<Integer>> numbers = new LinkedHashMap<>();
    for (TracedEvent event : source.definitions().events()) {
      Kind kind =
          new Kind(
              event.subsystem().name(), event.definition().name(), event.definition().fields());
      events.putIfAbsent(kind, event);
      numbers.computeIfAbsent(kind, none -> new HashSet<>()).add(event.number());
    }
    List<SqlTable> tables = new ArrayList<>();
    numbers.forEach((kind, of) -> {
      TracedEvent event = events.get(kind);
      if (event != null) {
        tables.add(new UserEventTable(source, event, of));
      }
    });
    for (Definition.KernelEvent kind : source.definitions().kernelEvents().values()) {
      try {
        KernelEventFormat format = KernelEventFormat.parse(kind.subsystem(), kind.format());
        tables.add(new KernelEventTable(source, format));
      } catch (IllegalArgumentException e) {
        // damaged: its events are left out elsewhere, too, and reported there
      }
    }
    return tables;
  }
}
