package dev.kymo.tables;

import java.util.List;
import java.util.function.Predicate;

/**
 * What the rows of a table say, for whoever shows it.
 *
 * @param <R> a row
 * @param name for programs: a word in the plural
 * @param meaning what a row is about, in one line
 * @param columns for programs; browsers show them in this order, too
 * @param people the columns of a terminal, that with names last; others than those of programs may
 *     be among them, such as shares
 * @param notes what people read below it
 */
public record Table<R>(
    String name,
    String meaning,
    List<Column<R>> columns,
    List<Column<R>> people,
    List<Note<R>> notes) {

  /** What people read below numbers that may be larger because something was lost. */
  public static final String LOST = "≥ at least: events were lost; 'kymo info' says how many";

  /**
   * A line below a table.
   *
   * @param when it is written: if this is so of a row
   */
  public record Note<R>(Predicate<R> when, String text) {}

  /** The columns of single values, for whoever has room for one in a cell. */
  public List<Column<R>> singleValues() {
    return columns.stream().filter(column -> column.unit() != Unit.SERIES).toList();
  }

  /** The columns for people in which some row has anything; all if there are no rows. */
  public List<Column<R>> peopleFor(List<R> rows) {
    return people.stream()
        .filter(column ->
            rows.isEmpty() || rows.stream().anyMatch(row -> !column.textOf(row).isEmpty()))
        .toList();
  }

  /** The notes for some rows. */
  public List<String> notesFor(List<R> rows) {
    return notes.stream()
        .filter(note -> rows.stream().anyMatch(note.when))
        .map(Note::text)
        .toList();
  }
}
