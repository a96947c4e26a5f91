package dev.kymo.query.tables;

import dev.kymo.exporters.source.ExportSource;
import dev.kymo.format.KernelEventFormat;
import dev.kymo.reader.KernelStream;

/** One kind of the kernel's events, with a column for each field. */
final class KernelEventTable extends KernelRows {
  private final KernelEventFormat format;

  KernelEventTable(ExportSource source, KernelEventFormat format) {
    super(source, format.fields().stream().map(KernelEventTable::column).toList());
    this.format = format;
  }

  private static SqlColumn column(KernelEventFormat.Field field) {
    boolean number = field.kind() == KernelEventFormat.Kind.INTEGER;
    boolean unsigned = field.size() == Long.BYTES && !field.signed();
    SqlType type = !number ? SqlType.TEXT : unsigned ? SqlType.UNSIGNED : SqlType.LONG;
    return new SqlColumn(field.name(), type, field.declaration());
  }

  @Override
  public String name() {
    return Names.plain(format.name(), "unnamed");
  }

  @Override
  public String group() {
    return "kernel";
  }

  @Override
  boolean has(KernelStream event) {
    return event.format().name().equals(format.name())
        && event.format().subsystem().equals(format.subsystem());
  }

  @Override
  void put(KernelStream event, Rows rows) {
    for (KernelEventFormat.Field field : format.fields()) {
      if (field.kind() == KernelEventFormat.Kind.INTEGER) {
        rows.put(event.number(field));
      } else {
        rows.put(event.text(field));
      }
    }
  }
}
