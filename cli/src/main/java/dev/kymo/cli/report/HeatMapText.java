package dev.kymo.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.statistics.HeatMap;
import dev.kymo.analysis.statistics.TimeColumns;
import dev.kymo.analysis.summary.DurationMap.Cell;
import dev.kymo.cli.terminal.Nanos;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.tables.Sparklines;
import java.io.IOException;
import java.util.List;

/** How long things took when: a picture of characters, or its cells. */
final class HeatMapText {
  /** More lines of durations are put together. */
  private static final int LINES = 24;

  private HeatMapText() {}

  static void write(Terminal terminal, HeatMap map) {
    long[] bounds = map.map().bounds();
    if (bounds.length == 0) {
      terminal.line("nothing of which it is known how long it took");
      return;
    }
    int together = Math.ceilDiv(bounds.length - 1, LINES);
    int lines = Math.ceilDiv(bounds.length - 1, together);
    long[][] counts = new long[lines][map.columns().count()];
    long most = 1;
    for (Cell cell : map.map().cells()) {
      long[] line = counts[cell.row() / together];
      line[cell.column()] += cell.count();
      most = Math.max(most, line[cell.column()]);
    }
    for (int line = lines - 1; line >= 0; line--) {
      StringBuilder text = new StringBuilder();
      text.append("%10s ".formatted(Nanos.text(bounds[line * together]))).append('│');
      for (long count : counts[line]) {
        text.append(Sparklines.shade(count, most));
      }
      terminal.line(text.append('│').toString());
    }
    TimeColumns columns = map.columns();
    terminal.line(
        "%10s  from %s to %s s; █ = %d"
            .formatted("", Nanos.seconds(columns.from()), Nanos.seconds(columns.to()), most));
  }

  static void writeCsvHead(Terminal terminal) {
    terminal.line("kind,from_ns,to_ns,duration_from_ns,duration_to_ns,count,longest_ns");
  }

  static void writeCsv(Terminal terminal, String kind, HeatMap map) {
    long[] bounds = map.map().bounds();
    for (Cell cell : map.map().cells()) {
      terminal.csv(
          kind,
          map.columns().begin(cell.column()),
          Math.min(map.columns().to(), map.columns().begin(cell.column() + 1)),
          bounds[cell.row()],
          bounds[cell.row() + 1],
          cell.count(),
          cell.longest().duration());
    }
  }

  static void writeJson(JsonGenerator json, HeatMap map) throws IOException {
    long[] bounds = map.map().bounds();
    List<Cell> cells = map.map().cells();
    json.writeArrayFieldStart("heatMap");
    for (Cell cell : cells) {
      json.writeStartObject();
      json.writeNumberField("column", cell.column());
      json.writeNumberField("durationFrom", bounds[cell.row()]);
      json.writeNumberField("durationTo", bounds[cell.row() + 1]);
      json.writeNumberField("count", cell.count());
      json.writeNumberField("longest", cell.longest().duration());
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
