package dev.kymo.query.tables;

import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.Selected;
import dev.kymo.format.KernelEventFormat;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.KernelMerge;
import dev.kymo.reader.KernelStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The kernel's events as it has them, of all processors, in the order of time. */
record KernelTable(ExportSource source) implements Table {
  private static final int AT_ONCE = 2048;
  private static final List<Column> COLUMNS =
      List.of(
          new Column(
              "time", ColumnType.LONG, "ns since the recording's begin; below 0 = before it"),
          new Column("cpu", ColumnType.INT, "processor"),
          new Column("tid", ColumnType.INT, "the kernel's number of the thread that ran there"),
          new Column("subsystem", ColumnType.TEXT, "the kernel's name for the group of the event"),
          new Column("name", ColumnType.TEXT, "the kernel's name for the event"),
          new Column("data", ColumnType.TEXT, "its fields"));

  @Override
  public String name() {
    return "kernel_events";
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public Scan scan(boolean[] wanted) {
    AtomicBoolean taken = new AtomicBoolean();
    return new Scan() {
      @Override
      public int threads() {
        return 1;
      }

      @Override
      public @Nullable Part next() {
        return taken.getAndSet(true) ? null : new All(wanted);
      }
    };
  }

  private final class All implements Part {
    private final boolean[] wanted;
    private final Selected selected = source.selected();
    private final NanoClock clock = source.pass().nanoClock();
    private final long base = source.pass().base();
    private final KernelMerge merge =
        KernelMerge.all(
            source.pass().recording(),
            source.definitions().kernelEvents().values(),
            new Diagnostics());

    All(boolean[] wanted) {
      this.wanted = wanted;
    }

    @Override
    public boolean read(Rows rows) {
      for (int i = 0; i < AT_ONCE; i++) {
        KernelStream event = merge.until(Long.MAX_VALUE);
        if (event == null) {
          return false;
        }
        long at = event.clock();
        long time = at >= base ? clock.nanos(at) : -clock.duration(base - at);
        if (selected.overlaps(time, time)) {
          rows.put(time).put(event.cpu()).put(event.tid());
          rows.put(event.format().subsystem()).put(event.format().name());
          rows.put(wanted[COLUMNS.size() - 1] ? text(event) : null).end();
        }
      }
      return true;
    }
  }

  private static String text(KernelStream event) {
    StringBuilder text = new StringBuilder();
    for (KernelEventFormat.Field field : event.format().fields()) {
      text.append(text.isEmpty() ? "" : " ").append(field.name()).append('=');
      text.append(event.text(field));
    }
    return text.toString();
  }
}
