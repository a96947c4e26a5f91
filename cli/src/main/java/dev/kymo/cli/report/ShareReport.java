package dev.kymo.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.statistics.Shares;
import dev.kymo.analysis.statistics.Shares.Group;
import dev.kymo.analysis.statistics.Subject;
import dev.kymo.cli.terminal.JsonFields;
import dev.kymo.cli.terminal.Nanos;
import dev.kymo.cli.terminal.Percent;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.terminal.TextTable;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.tables.Sparklines;
import dev.kymo.tables.Table;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;

/** The report of what the time of threads went to, over time. */
final class ShareReport {
  /** More groups than anybody looks at. */
  private static final int MOST = 10_000;

  private final Terminal terminal;
  private final Timeline timeline;
  private final RowOptions rows;
  private final Shares shares;

  ShareReport(
      Terminal terminal,
      Timeline timeline,
      TimelineSelection selection,
      StatisticsOptions options,
      RowOptions rows) {
    this.terminal = terminal;
    this.timeline = timeline;
    this.rows = rows;
    Subject subject = options.timed();
    this.shares =
        Shares.of(
            timeline,
            selection,
            subject,
            options.level(subject),
            options.columns(),
            MOST,
            new Progress());
  }

  void write() throws IOException {
    Pattern pattern = rows.pattern();
    List<Group> all =
        shares.groups().stream().filter(group -> pattern.matcher(group.name()).find()).toList();
    List<Group> shown = rows.shown(all);
    if (rows.json()) {
      writeJson(shown);
    } else if (rows.csv()) {
      writeCsv(shown);
    } else if (shown.isEmpty()) {
      terminal.line("nothing of that in the part asked for");
    } else {
      writeText(shown);
      rows.tellMore(terminal, all.size() - shown.size());
    }
  }

  private void writeText(List<Group> shown) {
    long whole = shares.groups().stream().mapToLong(Group::time).sum();
    long most = 1;
    for (int column = 0; column < shares.columns().count(); column++) {
      long sum = 0;
      for (Group group : shares.groups()) {
        sum += group.byColumn()[column];
      }
      most = Math.max(most, sum);
    }
    TextTable table = new TextTable();
    table.row("time", "share", "over time", "group");
    for (Group group : shown) {
      table.row(
          (shares.atLeast() ? "≥" : "") + Nanos.text(group.time()),
          Percent.text(group.time(), whole),
          Sparklines.bars(group.byColumn(), most),
          group.name());
    }
    table.write(terminal);
    if (shares.atLeast()) {
      terminal.line(Table.LOST);
    }
  }

  private void writeCsv(List<Group> shown) {
    terminal.line("group,from_ns,to_ns,time_ns,at_least");
    for (Group group : shown) {
      for (int column = 0; column < group.byColumn().length; column++) {
        if (group.byColumn()[column] > 0) {
          terminal.csv(
              group.name(),
              shares.columns().begin(column),
              Math.min(shares.columns().to(), shares.columns().begin(column + 1)),
              group.byColumn()[column],
              shares.atLeast());
        }
      }
    }
  }

  private void writeJson(List<Group> shown) throws IOException {
    try (JsonGenerator json = terminal.json()) {
      json.writeStartObject();
      json.writeBooleanField("atLeast", shares.atLeast());
      json.writeNumberField("from", shares.columns().from());
      json.writeNumberField("to", shares.columns().to());
      json.writeNumberField("columnWidth", shares.columns().width());
      json.writeArrayFieldStart("groups");
      for (Group group : shown) {
        json.writeStartObject();
        json.writeStringField("name", group.name());
        json.writeNumberField("time", group.time());
        json.writeArrayFieldStart("byColumn");
        for (long time : group.byColumn()) {
          json.writeNumber(time);
        }
        json.writeEndArray();
        json.writeEndObject();
      }
      json.writeEndArray();
      JsonFields.strings(json, "oddities", timeline.oddities());
      json.writeEndObject();
    }
    terminal.line("");
  }
}
