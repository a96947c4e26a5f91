package dev.kymo.tables;

import dev.kymo.analysis.names.TimeText;
import dev.kymo.analysis.selection.PlacedCall;
import dev.kymo.analysis.statistics.StatisticsRow;
import dev.kymo.analysis.statistics.TimeColumns;
import dev.kymo.model.timeline.Track;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** How often things happened, when, and how long they took. */
public final class StatisticsTable {
  private final List<Track> tracks;
  private final Subject subject;

  /**
   * What the rows are about.
   *
   * @param kind in one word
   * @param point whether they take no time, and so none is the longest
   * @param group what rows are told apart by, in one word; empty = nothing
   * @param columns spans of time
   */
  public record Subject(
      String kind, boolean point, String group, GroupNames names, TimeColumns columns) {}

  private StatisticsTable(List<Track> tracks, Subject subject) {
    this.tracks = tracks;
    this.subject = subject;
  }

  /**
   * The table.
   *
   * @param tracks of the recording
   */
  public static Table<StatisticsRow> of(List<Track> tracks, Subject subject) {
    return new StatisticsTable(tracks, subject).table();
  }

  private Table<StatisticsRow> table() {
    Column<StatisticsRow> name =
        Column.text("name", subject.kind, "what happened", StatisticsRow::name);
    Column<StatisticsRow> count =
        Column.count("count", "count", "how often", StatisticsRow::count)
            .atLeast(StatisticsRow::atLeast);
    List<Column<StatisticsRow>> times =
        List.of(
            time("p50", "half of them took no longer", StatisticsRow::p50),
            time("p90", "90 % of them took no longer", StatisticsRow::p90),
            time("p99", "99 % of them took no longer", StatisticsRow::p99),
            time("max", "the longest", StatisticsRow::max));
    Column<StatisticsRow> begun =
        Column.series("begun", "over time", "in each span of time", StatisticsRow::begun);
    List<Column<StatisticsRow>> columns = new ArrayList<>();
    columns.add(Column.text("kind", "kind", "of what happened", row -> subject.kind));
    columns.add(name);
    columns.addAll(subject.names.columns("", StatisticsRow::group));
    columns.add(count);
    columns.add(Column.value("per_second", "a second", "how often in a second", this::perSecond));
    columns.add(
        Column.count("counted", "counted", "of these, counted only", StatisticsRow::counted));
    columns.add(time("total", "of all", StatisticsRow::total));
    columns.add(time("min", "the shortest", StatisticsRow::least));
    columns.addAll(times);
    columns.add(Column.text("longest", "longest at", "the longest", this::longest));
    columns.add(
        Column.flag(
            "estimated", "estimated", "whether times are estimates", StatisticsRow::estimated));
    columns.add(Columns.atLeast(StatisticsRow::atLeast));
    columns.add(begun);
    List<Column<StatisticsRow>> people = new ArrayList<>(List.of(count));
    people.add(Column.text("", "a second", "how often in a second", this::rate));
    people.addAll(times);
    people.add(begun);
    people.add(Column.text("", subject.group, "whose", row -> subject.names.of(row.group())));
    people.add(name);
    return new Table<>("rows", "how often things happened", columns, people, List.of());
  }

  private static Column<StatisticsRow> time(
      String id, String meaning, ToLongFunction<StatisticsRow> value) {
    return Column.nanos(id, id, meaning, value).where(StatisticsRow::timed, "");
  }

  private double perSecond(StatisticsRow row) {
    TimeColumns columns = subject.columns;
    return row.count() * 1e9 / Math.max(1, columns.to() - columns.from());
  }

  private String rate(StatisticsRow row) {
    double rate = perSecond(row);
    return String.format(Locale.ROOT, rate < 99.95 ? "%.3g" : "%.0f", rate);
  }

  private @Nullable String longest(StatisticsRow row) {
    PlacedCall call = row.longest();
    if (call == null || subject.point) {
      return null;
    }
    Track track = tracks.get(call.track());
    return TimeText.call(track.process(), track.thread(), call.depth(), call.begin());
  }
}
