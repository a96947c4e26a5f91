package dev.kymo.tables;

import dev.kymo.instructions.listing.InstructionUse;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** Of which files how many instructions were executed. */
public final class InstructionsTable {
  private InstructionsTable() {}

  /** The name of a row's file. */
  public static String file(InstructionUse.Row row) {
    return row.module().isEmpty() ? "generated code" : row.module();
  }

  /**
   * The table of files.
   *
   * @param all instructions
   */
  public static Table<InstructionUse.Row> files(long all) {
    Column<InstructionUse.Row> process = Columns.process(InstructionUse.Row::process);
    Column<InstructionUse.Row> pid = Columns.pid(InstructionUse.Row::pid);
    Column<InstructionUse.Row> file =
        Column.text("file", "file", "where the code is from", InstructionsTable::file);
    Column<InstructionUse.Row> first =
        Column.address("first", "from", "of the first instruction", InstructionUse.Row::first);
    Column<InstructionUse.Row> last =
        Column.address("last", "to", "of the last instruction", InstructionUse.Row::last);
    List<Column<InstructionUse.Row>> columns = new ArrayList<>(List.of(process, pid, file));
    List<Column<InstructionUse.Row>> people = new ArrayList<>();
    figures(all, InstructionUse.Row::instructions, InstructionUse.Row::code, columns, people);
    columns.addAll(List.of(first, last));
    people.addAll(List.of(first, last, process, pid, file));
    return new Table<>(
        "files", "how many instructions of each file were executed", columns, people, List.of());
  }

  /**
   * The table of programs and levels of privilege, which whole machines have.
   *
   * @param all instructions
   */
  public static Table<InstructionUse.LevelRow> levels(long all) {
    Column<InstructionUse.LevelRow> process = Columns.process(InstructionUse.LevelRow::process);
    Column<InstructionUse.LevelRow> pid = Columns.pid(InstructionUse.LevelRow::pid);
    Column<InstructionUse.LevelRow> program =
        Column.text("program", "program", "its name", InstructionUse.LevelRow::name);
    Column<InstructionUse.LevelRow> level =
        Column.text("level", "level", "kernel or user", row -> row.level().word());
    List<Column<InstructionUse.LevelRow>> columns =
        new ArrayList<>(List.of(process, pid, program, level));
    List<Column<InstructionUse.LevelRow>> people = new ArrayList<>();
    figures(
        all, InstructionUse.LevelRow::instructions, InstructionUse.LevelRow::code, columns, people);
    people.addAll(List.of(process, pid, program, level));
    return new Table<>(
        "levels", "how many instructions of each level were executed", columns, people, List.of());
  }

  private static <R> void figures(
      long all,
      ToLongFunction<R> instructions,
      ToLongFunction<R> code,
      List<Column<R>> columns,
      List<Column<R>> people) {
    Column<R> count =
        Column.count("instructions", "instructions", "how many were executed", instructions);
    Column<R> bytes = Column.bytes("code", "code", "of code that was executed at least once", code);
    columns.addAll(List.of(count, bytes));
    people.addAll(List.of(count, Column.share("share", "of all", instructions, row -> all), bytes));
  }
}
