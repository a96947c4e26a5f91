package dev.kymo.tables;

import dev.kymo.analysis.selection.PlacedCall;
import dev.kymo.analysis.statistics.MatrixCell;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who sent how much to whom, or ended whose waits. */
public final class MatrixTable {
  private MatrixTable() {}

  /**
   * The table.
   *
   * @param kind of what is counted, in one word
   * @param atLeast whether there may have been more
   */
  public static Table<MatrixCell> of(String kind, boolean atLeast, GroupNames names) {
    Column<MatrixCell> count =
        Column.<MatrixCell>count("count", "count", "how many", MatrixCell::count)
            .atLeast(cell -> atLeast);
    Column<MatrixCell> size =
        Column.<MatrixCell>bytes("size", "size", "of those whose size is known", MatrixCell::bytes)
            .where(cell -> cell.sized() > 0, "");
    Column<MatrixCell> average =
        Column.nanos("avg", "avg", "the average time it took", MatrixCell::average);
    Column<MatrixCell> median =
        Column.nanos("p50", "p50", "half of them took no longer", cell -> cell.time(0.5));
    Column<MatrixCell> p99 =
        Column.nanos("p99", "p99", "99 % of them took no longer", cell -> cell.time(0.99));
    Column<MatrixCell> max = Column.nanos("max", "max", "the longest", MatrixCell::most);
    List<Column<MatrixCell>> columns = new ArrayList<>();
    columns.add(Column.text("kind", "kind", "what is counted", cell -> kind));
    columns.addAll(names.columns("from_", MatrixCell::from));
    columns.addAll(names.columns("to_", MatrixCell::to));
    columns.addAll(List.of(count, size));
    columns.add(Column.count("sized", "sized", "how many have a known size", MatrixCell::sized));
    columns.add(Column.nanos("total", "total", "of all", MatrixCell::total));
    columns.add(average);
    columns.add(Column.nanos("min", "min", "the shortest", MatrixCell::least));
    columns.addAll(List.of(median, p99, max));
    columns.add(
        Column.moment("longest_begin", "at", "when the longest began", MatrixTable::longest));
    columns.add(Columns.atLeast(cell -> atLeast));
    return new Table<>(
        "cells",
        "how much went from whom to whom",
        columns,
        List.of(
            count,
            size,
            average,
            median,
            p99,
            max,
            Column.text("", "from", "its name", cell -> names.of(cell.from())),
            Column.text("", "", "the direction", cell -> "→"),
            Column.text("", "to", "its name", cell -> names.of(cell.to()))),
        List.of(
            new Table.Note<>(
                cell -> atLeast, "≥ at least: events were lost, or there are too many to keep")));
  }

  private static @Nullable Long longest(MatrixCell cell) {
    PlacedCall longest = cell.longest();
    return longest == null ? null : longest.begin();
  }
}
