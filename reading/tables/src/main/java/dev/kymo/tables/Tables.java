package dev.kymo.tables;

import dev.kymo.analysis.samples.SampleReport;
import dev.kymo.analysis.statistics.Grouping;
import dev.kymo.analysis.statistics.TimeColumns;
import dev.kymo.model.definitions.RecordedStates;
import java.util.List;

/** All tables as they are without a recording: what their columns are called and mean. */
public final class Tables {
  private Tables() {}

  /**
   * A table and who shows it.
   *
   * @param option of {@code kymo report}; empty = none is needed
   */
  public record Shown(String option, Table<?> table) {}

  public static List<Shown> all() {
    GroupNames names = new GroupNames(List.of(), List.of(), Grouping.THREAD);
    StatisticsTable.Subject subject =
        new StatisticsTable.Subject("calls", false, "", names, new TimeColumns(0, 1, 1, 1));
    RecordedStates recorded = new RecordedStates(true, true);
    return List.of(
        new Shown("", MethodsTable.of(List.of())),
        new Shown("--threads", ThreadsTable.of(List.of(), recorded)),
        new Shown("--locks", LocksTable.of(2)),
        new Shown("--events", UserEventsTable.of()),
        new Shown("--samples", SamplesTable.of(new SampleReport.Kind("", 0, 0, List.of()))),
        new Shown("--categories", CategoriesTable.of(0)),
        new Shown("--activities", ActivitiesTable.of()),
        new Shown("--statistics", StatisticsTable.of(List.of(), subject)),
        new Shown("--matrix", MatrixTable.of("", false, names)),
        new Shown("--instructions", InstructionsTable.files(0)),
        new Shown("--instructions", InstructionsTable.levels(0)));
  }
}
