package dev.kymo.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.selection.PlacedCall;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.statistics.Grouping;
import dev.kymo.analysis.statistics.Matrix;
import dev.kymo.analysis.statistics.MatrixCell;
import dev.kymo.analysis.statistics.MatrixKind;
import dev.kymo.cli.terminal.JsonFields;
import dev.kymo.cli.terminal.Nanos;
import dev.kymo.cli.terminal.Quantity;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.terminal.TextTable;
import dev.kymo.model.timeline.Timeline;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The report of who sends how much to whom, or ends whose waits. */
final class MatrixReport {
  /** A picture of more parties is too wide. */
  private static final int WIDE = 32;

  private final Terminal terminal;
  private final Timeline timeline;
  private final RowOptions rows;
  private final MatrixKind kind;
  private final Matrix matrix;
  private final GroupNames names;

  MatrixReport(
      Terminal terminal,
      Timeline timeline,
      TimelineSelection selection,
      StatisticsOptions options,
      RowOptions rows) {
    this.terminal = terminal;
    this.timeline = timeline;
    this.rows = rows;
    this.kind = options.matrix();
    Grouping by = options.grouping().orElse(Grouping.THREAD);
    this.names = new GroupNames(timeline, by);
    this.matrix = Matrix.of(timeline, selection, kind, by, new Progress());
  }

  void write() throws IOException {
    Pattern pattern = rows.pattern();
    List<MatrixCell> all =
        matrix.cells().stream()
            .filter(cell ->
                pattern.matcher(names.of(cell.from())).find()
                    || pattern.matcher(names.of(cell.to())).find())
            .toList();
    if (rows.json()) {
      writeJson(rows.shown(all));
    } else if (rows.csv()) {
      writeCsv(rows.shown(all));
    } else {
      writeText(all);
    }
  }

  private void writeText(List<MatrixCell> all) {
    if (all.isEmpty()) {
      terminal.line(nothing());
      return;
    }
    drawPicture(all);
    boolean sizes = all.stream().anyMatch(cell -> cell.sized() > 0);
    TextTable table = new TextTable();
    table.row("count", sizes ? "size" : "", "average", "p50", "p99", "max", "from", "", "to");
    List<MatrixCell> sorted =
        all.stream().sorted(Comparator.comparingLong(cell -> -cell.count())).toList();
    List<MatrixCell> shown = rows.shown(sorted);
    for (MatrixCell cell : shown) {
      table.row(
          (matrix.atLeast() ? "≥" : "") + cell.count(),
          cell.sized() > 0 ? Quantity.text(cell.bytes(), "B") : "",
          time(cell.average()),
          time(cell.time(0.5)),
          time(cell.time(0.99)),
          time(cell.most()),
          names.of(cell.from()),
          "→",
          names.of(cell.to()));
    }
    table.write(terminal);
    rows.tellMore(terminal, all.size() - shown.size());
    if (matrix.atLeast()) {
      terminal.line("≥ at least: events were lost, or there are too many to keep");
    }
  }

  private String nothing() {
    return switch (kind) {
      case MESSAGES ->
          "no messages that were sent and received in the part asked for; see docs/events.md";
      case WAITS -> "no waits that another thread ended in the part asked for";
      case WAKEUPS, SWITCHES ->
          "nothing of that in the part asked for; 'kymo record --kernel cswitch,ipc' records it,"
              + " see docs/kernel.md";
    };
  }

  /** How many from each line to each column. */
  private void drawPicture(List<MatrixCell> all) {
    List<Integer> parties =
        matrix.parties().stream()
            .filter(party -> all.stream().anyMatch(c -> c.from() == party || c.to() == party))
            .toList();
    if (parties.size() > WIDE || parties.size() < 2) {
      return;
    }
    Map<Integer, Integer> place = new HashMap<>();
    parties.forEach(party -> place.put(party, place.size()));
    String[][] cells = new String[parties.size()][parties.size()];
    all.forEach(cell ->
        cells[place.getOrDefault(cell.from(), 0)][place.getOrDefault(cell.to(), 0)] =
            Long.toString(cell.count()));
    TextTable table = new TextTable();
    List<String> head = new ArrayList<>(List.of("from \\ to"));
    for (int i = 1; i <= parties.size(); i++) {
      head.add(Integer.toString(i));
    }
    head.add("");
    table.row(head.toArray(String[]::new));
    for (int i = 0; i < parties.size(); i++) {
      List<String> line = new ArrayList<>(List.of(Integer.toString(i + 1)));
      for (String cell : cells[i]) {
        line.add(cell == null ? "·" : cell);
      }
      line.add(names.of(parties.get(i)));
      table.row(line.toArray(String[]::new));
    }
    table.write(terminal);
    terminal.line("");
  }

  private static String time(long time) {
    return time < 0 ? "-" + Nanos.text(-time) : Nanos.text(time);
  }

  private void writeCsv(List<MatrixCell> all) {
    terminal.line(
        "kind,from_process,from_thread,from_name,from_core,to_process,to_thread,to_name,to_core,"
            + "count,bytes,sized,total_ns,avg_ns,min_ns,p50_ns,p99_ns,max_ns,longest_at_ns,at_least");
    for (MatrixCell cell : all) {
      PlacedCall longest = cell.longest();
      terminal.csv(
          StatisticsOptions.word(kind),
          names.process(cell.from()),
          names.thread(cell.from()),
          names.name(cell.from()),
          names.core(cell.from()),
          names.process(cell.to()),
          names.thread(cell.to()),
          names.name(cell.to()),
          names.core(cell.to()),
          cell.count(),
          cell.sized() > 0 ? cell.bytes() : "",
          cell.sized(),
          cell.total(),
          cell.average(),
          cell.least(),
          cell.time(0.5),
          cell.time(0.99),
          cell.most(),
          longest == null ? "" : longest.begin(),
          matrix.atLeast());
    }
  }

  private void writeJson(List<MatrixCell> all) throws IOException {
    try (JsonGenerator json = terminal.json()) {
      json.writeStartObject();
      json.writeStringField("kind", StatisticsOptions.word(kind));
      json.writeBooleanField("atLeast", matrix.atLeast());
      json.writeArrayFieldStart("cells");
      for (MatrixCell cell : all) {
        json.writeStartObject();
        names.write(json, "from", cell.from());
        names.write(json, "to", cell.to());
        json.writeNumberField("count", cell.count());
        if (cell.sized() > 0) {
          json.writeNumberField("bytes", cell.bytes());
          json.writeNumberField("sized", cell.sized());
        }
        json.writeNumberField("total", cell.total());
        json.writeNumberField("avg", cell.average());
        json.writeNumberField("min", cell.least());
        json.writeNumberField("p50", cell.time(0.5));
        json.writeNumberField("p99", cell.time(0.99));
        json.writeNumberField("max", cell.most());
        PlacedCall longest = cell.longest();
        if (longest != null) {
          json.writeNumberField("longestAt", longest.begin());
        }
        json.writeEndObject();
      }
      json.writeEndArray();
      JsonFields.strings(json, "oddities", timeline.oddities());
      json.writeEndObject();
    }
    terminal.line("");
  }
}
