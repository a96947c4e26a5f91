package dev.kymo.query.tables;

import dev.kymo.exporters.source.ExportSource;
import dev.kymo.model.definitions.TrackKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/** All tables of a recording. */
public final class RecordedTables {
  /** The kinds of tracks, by their numbers in the tables of states. */
  public static final List<TrackKind> KINDS = List.of(TrackKind.values());

  private RecordedTables() {}

  /** The tables of what is selected of a recording. */
  public static List<Table> of(ExportSource source) {
    List<Table> tables = new ArrayList<>(new KnownTables(source).all());
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
}
