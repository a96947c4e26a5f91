package dev.kymo.exporters.paje;

import dev.kymo.exporters.bytes.BytesOut;
import dev.kymo.exporters.source.ExportFormat;
import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.table.SortedRows;
import dev.kymo.exporters.table.Texts;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Paj&eacute;: containers for processes, threads and processors; calls and states are pushed and
 * popped; user events, messages and wake-ups, counters. Seconds with nine decimals.
 */
public final class PajeExport implements ExportFormat {
  @Override
  public String name() {
    return "paje";
  }

  @Override
  public String description() {
    return "trace of Paje, for ViTE, pj_dump and others";
  }

  @Override
  public String write(ExportSource source, Path to) throws IOException {
    Path folder = to.toAbsolutePath().getParent();
    if (folder == null) {
      throw new IOException("not a file: path=" + to);
    }
    String name = to.getFileName() + "-rows-";
    try (SortedRows rows = new SortedRows(PajeRows.WIDTH, folder, name);
        Texts texts = new Texts(folder.resolve(name + "texts"));
        BytesOut out = BytesOut.to(to)) {
      PajeHead head = new PajeHead(source, out);
      head.write();
      PajeRows body = new PajeRows(source, rows, texts, out);
      body.collect();
      body.write();
      head.end(body.last());
      return body.summary();
    }
  }
}
