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
import dev.kymo.tables.ActivitiesTable;
import java.io.IOException;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The report about activities, in each format. */
final class ActivityTable {
  private final Terminal terminal;
  private final ActivityReport report;

  private ActivityTable(Terminal terminal, ActivityReport report) {
    this.terminal = terminal;
    this.report = report;
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
    TableReport<ActivityReport.Row> table =
        new TableReport<>(terminal, options, ActivitiesTable.of(), report.rows());
    if (options.forPeople() && table.isEmpty()) {
      terminal.line("no activities: no event began one");
    }
    table.write(
        json -> {},
        json -> {
          json.writeArrayFieldStart("longest");
          for (Activity activity : report.longest()) {
            write(json, activity);
          }
          json.writeEndArray();
          json.writeNumberField("endsWithoutBegin", odd.unbegun());
          json.writeNumberField("givenUp", odd.givenUp());
          JsonFields.strings(json, "oddities", pass.oddities());
        },
        new ActivityTable(terminal, report)::writeLongest);
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

  private void writeLongest() {
    if (report.longest().isEmpty()) {
      return;
    }
    terminal.line("");
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
