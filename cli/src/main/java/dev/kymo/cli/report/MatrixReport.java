package dev.kymo.cli.report;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.statistics.Grouping;
import dev.kymo.analysis.statistics.Matrix;
import dev.kymo.analysis.statistics.MatrixCell;
import dev.kymo.analysis.statistics.MatrixKind;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.terminal.TextTable;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.tables.GroupNames;
import dev.kymo.tables.MatrixTable;
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
    if (rows.forPeople() && all.isEmpty()) {
      terminal.line(nothing());
    } else if (rows.forPeople()) {
      drawPicture(all);
    }
    String word = StatisticsOptions.word(kind);
    List<MatrixCell> sorted =
        rows.forPeople()
            ? all.stream().sorted(Comparator.comparingLong(cell -> -cell.count())).toList()
            : all;
    new TableReport<>(terminal, rows, MatrixTable.of(word, matrix.atLeast(), names), sorted)
        .write(
            json -> {
              json.writeStringField("kind", word);
              json.writeBooleanField("atLeast", matrix.atLeast());
            },
            TableReport.oddities(timeline.oddities()),
            () -> {});
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
}
