package dev.kymo.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.selection.PlacedCall;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.statistics.Grouping;
import dev.kymo.analysis.statistics.HeatMap;
import dev.kymo.analysis.statistics.Statistics;
import dev.kymo.analysis.statistics.StatisticsRow;
import dev.kymo.analysis.statistics.Subject;
import dev.kymo.analysis.statistics.TimeColumns;
import dev.kymo.cli.terminal.JsonFields;
import dev.kymo.cli.terminal.Nanos;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.terminal.TextTable;
import dev.kymo.cli.words.CallId;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
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
    return new Part(subject, statistics, shown, all.size() - shown.size(), map);
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
      terminal.line("≥ at least: events were lost; 'kymo info' says how many");
    }
  }

  private void writeText(Part part) {
    String of = StatisticsOptions.word(part.subject);
    if (part.shown.isEmpty()) {
      terminal.line("no " + of + " in the part asked for");
      return;
    }
    TextTable table = new TextTable();
    String group = by == Grouping.NONE ? "" : StatisticsOptions.word(by);
    table.row("count", "a second", "p50", "p90", "p99", "max", "over time", group, of);
    for (StatisticsRow row : part.shown) {
      String least = row.atLeast() ? "≥" : "";
      table.row(
          least + row.count(),
          rate(part.statistics.columns(), row.count()),
          time(row, row.p50()),
          time(row, row.p90()),
          time(row, row.p99()),
          time(row, row.max()),
          Blocks.bars(row.begun()),
          names.of(row.group()),
          row.name());
    }
    table.write(terminal);
    rows.tellMore(terminal, part.more);
    if (part.map != null) {
      terminal.line("");
      HeatMapText.write(terminal, part.map);
    }
  }

  private static String time(StatisticsRow row, long time) {
    return !row.timed() ? "" : time < 0 ? "-" + Nanos.text(-time) : Nanos.text(time);
  }

  private static double perSecond(TimeColumns columns, long count) {
    return count * 1e9 / Math.max(1, columns.to() - columns.from());
  }

  private static String rate(TimeColumns columns, long count) {
    double rate = perSecond(columns, count);
    return String.format(Locale.ROOT, rate < 99.95 ? "%.3g" : "%.0f", rate);
  }

  private String longest(StatisticsRow row, Subject subject) {
    PlacedCall call = row.longest();
    if (call == null || subject.isPoint()) {
      return "";
    }
    Track track = timeline.tracks().get(call.track());
    return CallId.text(track.process(), track.thread(), call.depth(), call.begin());
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
    terminal.line(
        "kind,name,process,thread,group_name,core,count,per_second,counted,total_ns,min_ns,p50_ns,"
            + "p90_ns,p99_ns,max_ns,longest,estimated,at_least");
    for (Part part : parts) {
      for (StatisticsRow row : part.shown) {
        boolean timed = row.timed();
        terminal.csv(
            StatisticsOptions.word(part.subject),
            row.name(),
            names.process(row.group()),
            names.thread(row.group()),
            names.name(row.group()),
            names.core(row.group()),
            row.count(),
            String.format(Locale.ROOT, "%.6g", perSecond(part.statistics.columns(), row.count())),
            row.counted(),
            timed ? row.total() : "",
            timed ? row.least() : "",
            timed ? row.p50() : "",
            timed ? row.p90() : "",
            timed ? row.p99() : "",
            timed ? row.max() : "",
            longest(row, part.subject),
            row.estimated(),
            row.atLeast());
      }
    }
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
        json.writeArrayFieldStart("rows");
        for (StatisticsRow row : part.shown) {
          write(json, part, row);
        }
        json.writeEndArray();
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

  private void write(JsonGenerator json, Part part, StatisticsRow row) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", row.name());
    names.write(json, "", row.group());
    json.writeNumberField("count", row.count());
    json.writeNumberField("counted", row.counted());
    if (row.timed()) {
      json.writeNumberField("total", row.total());
      json.writeNumberField("min", row.least());
      json.writeNumberField("p50", row.p50());
      json.writeNumberField("p90", row.p90());
      json.writeNumberField("p99", row.p99());
      json.writeNumberField("max", row.max());
    }
    String longest = longest(row, part.subject);
    if (!longest.isEmpty()) {
      json.writeStringField("longest", longest);
    }
    json.writeBooleanField("estimated", row.estimated());
    json.writeBooleanField("atLeast", row.atLeast());
    json.writeArrayFieldStart("begun");
    for (long begun : row.begun()) {
      json.writeNumber(begun);
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
