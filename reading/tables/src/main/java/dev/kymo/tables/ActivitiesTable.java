package dev.kymo.tables;

import dev.kymo.analysis.activity.ActivityReport;
import java.util.ArrayList;
import java.util.List;

/** How many activities there were of each name, and how long they took. */
public final class ActivitiesTable {
  private ActivitiesTable() {}

  /** The table. */
  public static Table<ActivityReport.Row> of() {
    Column<ActivityReport.Row> name =
        Column.text("activity", "activity", "what they are called", ActivityReport.Row::name);
    Column<ActivityReport.Row> open =
        Column.count("left_open", "left open", "how many did not end", ActivityReport.Row::open);
    List<Column<ActivityReport.Row>> figures =
        List.of(
            Column.nanos("total", "total", "of all that ended", ActivityReport.Row::total),
            ofEnded(
                Column.nanos("avg", "avg", "the average of these", ActivityReport.Row::average)),
            percentile("p50", 0.5),
            percentile("p90", 0.9),
            percentile("p99", 0.99),
            ofEnded(Column.nanos("max", "max", "the longest", ActivityReport.Row::max)));
    Column<ActivityReport.Row> count =
        Column.count("count", "count", "how many ended", ActivityReport.Row::count);
    List<Column<ActivityReport.Row>> columns = new ArrayList<>(List.of(name, count, open));
    columns.addAll(figures);
    columns.add(
        Column.count("events", "events", "the events that they have", ActivityReport.Row::events));
    List<Column<ActivityReport.Row>> people =
        new ArrayList<>(List.of(count, open.where(row -> row.open() > 0, "")));
    people.addAll(figures);
    people.add(name);
    return new Table<>(
        "activities", "how long the activities of each name took", columns, people, List.of());
  }

  private static Column<ActivityReport.Row> percentile(String id, double share) {
    return ofEnded(
        Column.nanos(
            id,
            id,
            "%.0f %% of them took no longer, within 1.6 %%".formatted(100 * share),
            row -> row.percentile(share)));
  }

  private static Column<ActivityReport.Row> ofEnded(Column<ActivityReport.Row> column) {
    return column.where(row -> row.count() > 0, "");
  }
}
