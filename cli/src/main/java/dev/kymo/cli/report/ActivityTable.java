package dev.kymo.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.activity.Activities;
import dev.kymo.analysis.activity.Activity;
import dev.kymo.analysis.activity.ActivityReport;
import dev.kymo.analysis.activity.ActivityRule;
import dev.kymo.analysis.activity.OpenActivities;
import dev.kymo.analysis.names.ThreadFilter;
import dev.kymo.cli.options.ActivityTracksOption;
import dev.kymo.cli.options.SelectionOptions;
import dev.kymo.cli.terminal.JsonFields;
import dev.kymo.cli.terminal.Nanos;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.terminal.TextTable;
import dev.kymo.model.calls.CallPass;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The report about activities, in each format. */
final class ActivityTable {
  private final Terminal terminal;
  private final ActivityReport report;
  private final List<ActivityReport.Row> rows;
  private final OpenActivities odd;

  private ActivityTable(
      Terminal terminal, ActivityReport report, List<ActivityReport.Row> rows, OpenActivities odd) {
    this.terminal = terminal;
    this.report = report;
    this.rows = rows;
    this.odd = odd;
  }

  /** Finds activities and writes what is known of them. */
  static void write(
      Terminal terminal,
      CallPass pass,
      ActivityRule rule,
      SelectionOptions selection,
      RowOptions options,
      Pattern pattern)
      throws IOException {
    ActivityReport report = new ActivityReport(wanted(pass, selection, pattern), options.top());
    OpenActivities odd = Activities.find(pass, rule, report, terminal.progress("reading"));
    List<ActivityReport.Row> all = report.rows();
    ActivityTable table = new ActivityTable(terminal, report, options.shown(all), odd);
    if (options.json()) {
      table.writeJson(pass.oddities());
    } else if (options.csv()) {
      table.writeCsv();
    } else if (all.isEmpty()) {
      terminal.line("no activities: no event began one");
    } else {
      table.writeText();
    }
    options.tellMore(terminal, all.size() - table.rows.size());
    ActivityTracksOption.tellOdd(odd, terminal);
  }

  /** Those that overlap the times, on one of the threads. */
  private static Predicate<Activity> wanted(
      CallPass pass, SelectionOptions selection, Pattern pattern) {
    long from = selection.from();
    long to = selection.to();
    ThreadFilter threads = selection.threads();
    return activity ->
        activity.begin() <= to
            && activity.end() >= from
            && pattern.matcher(activity.name()).find()
            && activity.steps().stream()
                .anyMatch(step ->
                    threads.test(
                        pass.definitions().threadOrNameless(step.process(), step.thread())));
  }

  private void writeText() {
    TextTable table = new TextTable();
    table.row("number", "left open", "total", "average", "p50", "p90", "p99", "max", "activity");
    for (ActivityReport.Row row : rows) {
      table.row(
          Long.toString(row.count()),
          row.open() == 0 ? "" : Long.toString(row.open()),
          Nanos.text(row.total()),
          Nanos.text(row.average()),
          Nanos.text(row.percentile(0.5)),
          Nanos.text(row.percentile(0.9)),
          Nanos.text(row.percentile(0.99)),
          Nanos.text(row.max()),
          row.name());
    }
    table.write(terminal);
    if (!report.longest().isEmpty()) {
      terminal.line("");
      writeLongest();
    }
  }

  private void writeLongest() {
    TextTable table = new TextTable();
    table.row("time", "from", "to", "events", "threads", "longest activities");
    for (Activity activity : report.longest()) {
      table.row(
          Nanos.text(activity.duration()),
          Nanos.seconds(activity.begin()),
          Nanos.seconds(activity.end()),
          Long.toString(activity.events()),
          Long.toString(activity.threads()),
          activity.name() + ": " + activity.key() + ", " + way(activity));
    }
    table.write(terminal);
  }

  /** The threads that it ran through, in the order of its events. */
  private static String way(Activity activity) {
    StringBuilder way = new StringBuilder();
    String before = "";
    for (Activity.Step step : activity.steps()) {
      String thread =
          step.threadName().isEmpty() ? step.process() + "/" + step.thread() : step.threadName();
      if (!thread.equals(before)) {
        way.append(way.isEmpty() ? "" : " > ").append(thread);
        before = thread;
      }
    }
    return way.toString();
  }

  private void writeCsv() {
    terminal.line(
        "activity,number,left_open,total_ns,average_ns,p50_ns,p90_ns,p99_ns,max_ns,events");
    for (ActivityReport.Row row : rows) {
      terminal.csv(
          row.name(),
          row.count(),
          row.open(),
          row.total(),
          row.average(),
          row.percentile(0.5),
          row.percentile(0.9),
          row.percentile(0.99),
          row.max(),
          row.events());
    }
  }

  private void writeJson(List<String> oddities) throws IOException {
    try (JsonGenerator json = terminal.json()) {
      json.writeStartObject();
      json.writeArrayFieldStart("activities");
      for (ActivityReport.Row row : rows) {
        write(json, row);
      }
      json.writeEndArray();
      json.writeArrayFieldStart("longest");
      for (Activity activity : report.longest()) {
        write(json, activity);
      }
      json.writeEndArray();
      json.writeNumberField("endsWithoutBegin", odd.unbegun());
      json.writeNumberField("givenUp", odd.givenUp());
      JsonFields.strings(json, "oddities", oddities);
      json.writeEndObject();
    }
    terminal.line("");
  }

  private static void write(JsonGenerator json, ActivityReport.Row row) throws IOException {
    json.writeStartObject();
    json.writeStringField("activity", row.name());
    json.writeNumberField("number", row.count());
    json.writeNumberField("leftOpen", row.open());
    json.writeNumberField("total", row.total());
    json.writeNumberField("average", row.average());
    json.writeNumberField("p50", row.percentile(0.5));
    json.writeNumberField("p90", row.percentile(0.9));
    json.writeNumberField("p99", row.percentile(0.99));
    json.writeNumberField("max", row.max());
    json.writeNumberField("events", row.events());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Activity activity) throws IOException {
    json.writeStartObject();
    json.writeStringField("activity", activity.name());
    json.writeStringField("key", activity.key());
    json.writeNumberField("begin", activity.begin());
    json.writeNumberField("end", activity.end());
    json.writeNumberField("events", activity.events());
    json.writeArrayFieldStart("steps");
    for (Activity.Step step : activity.steps()) {
      json.writeStartObject();
      json.writeNumberField("process", step.process());
      json.writeNumberField("thread", step.thread());
      json.writeStringField("threadName", step.threadName());
      json.writeNumberField("time", step.time());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
