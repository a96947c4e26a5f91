package dev.kymo.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.statistics.Grouping;
import dev.kymo.analysis.statistics.HeatMap;
import dev.kymo.analysis.statistics.Statistics;
import dev.kymo.analysis.statistics.StatisticsRow;
import dev.kymo.analysis.statistics.Subject;
import dev.kymo.analysis.statistics.TimeColumns;
import dev.kymo.cli.terminal.JsonFields;
import dev.kymo.cli.terminal.TableOutput;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.tables.GroupNames;
import dev.kymo.tables.StatisticsTable;
import dev.kymo.tables.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The report of how often things happen, and how long they take. */
final class StatisticsReport {
  private static final List<Subject> DEFAULT =
      List.of(Subject.CALLS, Subject.EVENTS, Subject.MESSAGES);

  private final Terminal terminal;
  private final Timeline timeline;
  private final TimelineSelection selection;
  private final StatisticsOptions options;
  private final RowOptions rows;
  private final Grouping by;
  private final GroupNames names;

  /**
   * What is known of a subject.
   *
   * @param shown rows
   * @param more how many rows are not shown
   */
  private record Part(
      Subject subject,
      Statistics statistics,
      TableOutput<StatisticsRow> table,
      List<StatisticsRow> shown,
      int more,
      @Nullable HeatMap map) {}

  StatisticsReport(
      Terminal terminal,
      Timeline timeline,
      TimelineSelection selection,
      StatisticsOptions options,
      RowOptions rows) {
    this.terminal = terminal;
    this.timeline = timeline;
    this.selection = selection;
    this.options = options;
    this.rows = rows;
    this.by = options.grouping().orElse(Grouping.NONE);
    this.names = new GroupNames(timeline, by);
  }

  void write() throws IOException {
    Pattern pattern = rows.pattern();
    List<Subject> asked = options.subjects();
    List<Part> parts = new ArrayList<>();
    for (Subject subject : asked.isEmpty() ? DEFAULT : asked) {
      Part part = part(subject, pattern);
      if (!part.shown.isEmpty() || !asked.isEmpty()) {
        parts.add(part);
      }
    }
    if (rows.json()) {
      writeJson(parts);
    } else if (rows.csv()) {
      writeCsv(parts);
    } else {
      writeText(parts);
    }
  }

  private Part part(Subject subject, Pattern pattern) {
    Statistics statistics =
        Statistics.of(timeline, selection, subject, by, options.columns(), new Progress());
    List<StatisticsRow> all =
        statistics.rows().stream().filter(row -> pattern.matcher(row.name()).find()).toList();
    List<StatisticsRow> shown = rows.shown(all);
    HeatMap map = options.heatMap() ? map(subject, all) : null;
    return new Part(
        subject,
        statistics,
        table(subject, statistics.columns()),
        shown,
        all.size() - shown.size(),
        map);
  }

  private TableOutput<StatisticsRow> table(Subject subject, TimeColumns columns) {
    StatisticsTable.Subject of =
        new StatisticsTable.Subject(
            StatisticsOptions.word(subject),
            subject.isPoint(),
            by == Grouping.NONE ? "" : StatisticsOptions.word(by),
            names,
            columns);
    return new TableOutput<>(terminal, StatisticsTable.of(timeline.tracks(), of));
  }

  private HeatMap map(Subject subject, List<StatisticsRow> all) {
    BitSet numbers = new BitSet();
    all.forEach(row -> numbers.set(row.number()));
    HeatMap.Choice choice = new HeatMap.Choice(subject, numbers, by, HeatMap.ANY);
    return HeatMap.of(timeline, selection, choice, options.columns(), new Progress());
  }

  private void writeText(List<Part> parts) {
    if (parts.isEmpty()) {
      terminal.line("nothing happened in the part asked for");
    }
    for (int i = 0; i < parts.size(); i++) {
      if (i > 0) {
        terminal.line("");
      }
      writeText(parts.get(i));
    }
    if (parts.stream().anyMatch(part -> part.statistics.atLeast())) {
      terminal.line(Table.LOST);
    }
  }

  private void writeText(Part part) {
    String of = StatisticsOptions.word(part.subject);
    if (part.shown.isEmpty()) {
      terminal.line("no " + of + " in the part asked for");
      return;
    }
    part.table.writeText(part.shown, part.shown);
    rows.tellMore(terminal, part.more);
    if (part.map != null) {
      terminal.line("");
      HeatMapText.write(terminal, part.map);
    }
  }

  private void writeCsv(List<Part> parts) {
    if (options.heatMap()) {
      HeatMapText.writeCsvHead(terminal);
      parts.forEach(part -> {
        if (part.map != null) {
          HeatMapText.writeCsv(terminal, StatisticsOptions.word(part.subject), part.map);
        }
      });
      return;
    }
    table(Subject.CALLS, new TimeColumns(0, 1, 1, 1)).writeCsvHead();
    parts.forEach(part -> part.table.writeCsvRows(part.shown));
  }

  private void writeJson(List<Part> parts) throws IOException {
    try (JsonGenerator json = terminal.json()) {
      json.writeStartObject();
      json.writeArrayFieldStart("statistics");
      for (Part part : parts) {
        json.writeStartObject();
        json.writeStringField("kind", StatisticsOptions.word(part.subject));
        json.writeBooleanField("atLeast", part.statistics.atLeast());
        json.writeNumberField("from", part.statistics.columns().from());
        json.writeNumberField("to", part.statistics.columns().to());
        json.writeNumberField("columnWidth", part.statistics.columns().width());
        part.table.writeJson(json, part.shown);
        if (part.map != null) {
          HeatMapText.writeJson(json, part.map);
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
