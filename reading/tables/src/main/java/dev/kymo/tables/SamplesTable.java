package dev.kymo.tables;

import dev.kymo.analysis.samples.SampleReport;
import java.util.ArrayList;
import java.util.List;

/** How often threads were seen in each method, by samples of one kind. */
public final class SamplesTable {
  private SamplesTable() {}

  /** The table of a kind of samples. */
  public static Table<SampleReport.Row> of(SampleReport.Kind kind) {
    Column<SampleReport.Row> own =
        Column.count("own", "own", "samples in the method itself", SampleReport.Row::own);
    Column<SampleReport.Row> total =
        Column.count(
            "total", "total", "samples in it, or in what it called", SampleReport.Row::total);
    List<Column<SampleReport.Row>> method = Columns.method(SampleReport.Row::method);
    List<Column<SampleReport.Row>> columns = new ArrayList<>();
    columns.add(Column.text("kind", "kind", "the event of the samples", row -> kind.name()));
    columns.addAll(method);
    columns.addAll(List.of(own, total));
    columns.add(
        Column.count("samples", "samples", "all samples of the kind", row -> kind.samples()));
    return new Table<>(
        "methods",
        "how often threads were seen in each method",
        columns,
        List.of(
            own,
            total,
            Column.share("own", "of all samples", SampleReport.Row::own, row -> kind.samples()),
            method.getFirst()),
        List.of());
  }
}
