package dev.kymo.query.tables;

import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.Selected;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.KernelMerge;
import dev.kymo.reader.KernelStream;
import java.util.List;
import java.util.stream.Stream;

/** A table of the kernel's events. One thread reads it: events of all processors are merged. */
abstract class KernelRows implements SqlTable {
  private static final int AT_ONCE = 2048;
  private static final List<SqlColumn> HEAD =
      List.of(
          new SqlColumn("time", SqlType.LONG, "ns since the recording's begin; below 0 = before"),
          new SqlColumn("cpu", SqlType.INT, "processor"),
          new SqlColumn("tid", SqlType.INT, "the kernel's number of the thread that ran there"));

  private final ExportSource source;
  private final List<SqlColumn> columns;

  /** A table with these columns after those that all events have. */
  KernelRows(ExportSource source, List<SqlColumn> further) {
    this.source = source;
    this.columns = Names.distinct(Stream.concat(HEAD.stream(), further.stream()).toList());
  }

  @Override
  public final List<SqlColumn> columns() {
    return columns;
  }

  @Override
  public final long rows() {
    return source.definitions().kernelEvents().isEmpty() ? 0 : 1 << 20; // nobody has counted them
  }

  /** Whether an event is one of the table's. */
  abstract boolean has(KernelStream event);

  /** Puts the values of the further columns. */
  abstract void put(KernelStream event, Rows rows);

  @Override
  public final Scan scan() {
    return Scan.once(All::new);
  }

  private final class All implements Part {
    private final Selected selected = source.selected();
    private final NanoClock clock = source.pass().nanoClock();
    private final long base = source.pass().base();
    private final KernelMerge merge =
        KernelMerge.all(
            source.pass().recording(),
            source.definitions().kernelEvents().values(),
            new Diagnostics());

    @Override
    public boolean read(Rows rows) {
      for (int i = 0; i < AT_ONCE; i++) {
        KernelStream event = merge.until(Long.MAX_VALUE);
        if (event == null) {
          return false;
        }
        if (has(event)) {
          long at = event.clock();
          long time = at >= base ? clock.nanos(at) : -clock.duration(base - at);
          if (selected.overlaps(time, time)) {
            rows.put(time).put(event.cpu()).put(event.tid());
            put(event, rows);
            rows.end();
          }
        }
      }
      return true;
    }
  }
}
