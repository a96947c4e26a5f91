package dev.kymo.query.tables;

import dev.kymo.exporters.source.ExportSource;
import dev.kymo.reader.KernelStream;
import java.util.List;

/** The kernel's events as it has them, of all processors, in the order of time. */
final class KernelTable extends KernelRows {
  private static final List<SqlColumn> COLUMNS =
      List.of(
          new SqlColumn("subsystem", SqlType.TEXT, "the kernel's name for the group of the event"),
          new SqlColumn("name", SqlType.TEXT, "the kernel's name for the event"),
          new SqlColumn("data", SqlType.TEXT, "its fields"));

  KernelTable(ExportSource source) {
    super(source, COLUMNS);
  }

  @Override
  public String name() {
    return "kernel_events";
  }

  @Override
  boolean has(KernelStream event) {
    return true;
  }

  @Override
  void put(KernelStream event, Rows rows) {
    boolean data = rows.wants(columns().size() - 1);
    rows.put(event.format().subsystem()).put(event.format().name());
    rows.put(data ? event.text() : null);
  }
}
