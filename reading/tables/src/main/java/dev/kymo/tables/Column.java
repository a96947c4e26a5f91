package dev.kymo.tables;

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table, for whoever shows it.
 *
 * @param <R> a row
 * @param id for programs: lower-case words with underscores
 * @param label for people, above the column
 * @param meaning one line
 * @param value of a row, as its unit says; null = there is none
 * @param absent what people read of a row that has no value
 * @param least whether there may be more than the value of a row: something was lost, or not over
 * @param estimated whether the value of a row is an estimate
 * @param sum of the values of several rows; null = they cannot be added
 */
@SuppressWarnings("checkstyle:ParameterNumber")
public record Column<R>(
    String id,
    String label,
    Unit unit,
    String meaning,
    Function<R, @Nullable Object> value,
    Function<R, String> absent,
    Predicate<R> least,
    Predicate<R> estimated,
    Function<List<R>, @Nullable Object> sum) {

  /** What people read where something is not known. */
  public static final String UNKNOWN = "?";

  private static <R> Column<R> of(
      String id, String label, Unit unit, String meaning, Function<R, @Nullable Object> value) {
    return new Column<>(
        id, label, unit, meaning, value, row -> "", row -> false, row -> false, rows -> null);
  }

  /** How many. */
  public static <R> Column<R> count(
      String id, String label, String meaning, ToLongFunction<R> value) {
    return of(id, label, Unit.COUNT, meaning, value::applyAsLong);
  }

  /** A duration. */
  public static <R> Column<R> nanos(
      String id, String label, String meaning, ToLongFunction<R> value) {
    return of(id, label, Unit.NANOS, meaning, value::applyAsLong);
  }

  /** A point in time; null = there is none. */
  public static <R> Column<R> moment(
      String id, String label, String meaning, Function<R, @Nullable Long> value) {
    return of(id, label, Unit.MOMENT, meaning, value::apply);
  }

  /** A number by which something is known; null = there is none. */
  public static <R> Column<R> number(
      String id, String label, String meaning, Function<R, @Nullable Long> value) {
    return of(id, label, Unit.NUMBER, meaning, value::apply);
  }

  /** An address in a process. */
  public static <R> Column<R> address(
      String id, String label, String meaning, ToLongFunction<R> value) {
    return of(id, label, Unit.ADDRESS, meaning, value::applyAsLong);
  }

  /** Text; null = there is none. */
  public static <R> Column<R> text(
      String id, String label, String meaning, Function<R, @Nullable String> value) {
    return of(id, label, Unit.TEXT, meaning, value::apply);
  }

  /** How many bytes. */
  public static <R> Column<R> bytes(
      String id, String label, String meaning, ToLongFunction<R> value) {
    return of(id, label, Unit.BYTES, meaning, value::applyAsLong);
  }

  /** Any number; null = there is none. */
  public static <R> Column<R> value(
      String id, String label, String meaning, Function<R, @Nullable Double> value) {
    return of(id, label, Unit.VALUE, meaning, value::apply);
  }

  /** How many in each of equal spans of time. */
  public static <R> Column<R> series(
      String id, String label, String meaning, Function<R, long[]> value) {
    return of(id, label, Unit.SERIES, meaning, value::apply);
  }

  /** Yes or no. */
  public static <R> Column<R> flag(String id, String label, String meaning, Predicate<R> value) {
    return of(id, label, Unit.FLAG, meaning, value::test);
  }

  /** A part of something, for people: programs divide. There is none of nothing. */
  public static <R> Column<R> share(
      String label, String meaning, ToLongFunction<R> part, ToLongFunction<R> whole) {
    return of(
        "",
        label,
        Unit.SHARE,
        meaning,
        row -> {
          long all = whole.applyAsLong(row);
          return all == 0 ? null : (double) part.applyAsLong(row) / all;
        });
  }

  /** A part of another column's value, for people; there is none where this one has no value. */
  public Column<R> shareOf(Column<R> whole) {
    return of(
        "",
        "",
        Unit.SHARE,
        "of " + whole.label,
        row ->
            value.apply(row) instanceof Long part
                    && whole.value.apply(row) instanceof Long all
                    && all != 0
                ? (double) part / all
                : null);
  }

  /**
   * The same column, whose value is known of some rows only.
   *
   * @param text what people read of the others
   */
  public Column<R> where(Predicate<R> known, String text) {
    return new Column<>(
        id,
        label,
        unit,
        meaning,
        row -> known.test(row) ? value.apply(row) : null,
        row -> known.test(row) ? absent.apply(row) : text,
        least,
        estimated,
        sum);
  }

  /** The same column, of which there may be more in some rows. */
  public Column<R> atLeast(Predicate<R> some) {
    return new Column<>(id, label, unit, meaning, value, absent, some, estimated, sum);
  }

  /** The same column, whose values are estimates in some rows. */
  public Column<R> estimatedWhere(Predicate<R> some) {
    return new Column<>(id, label, unit, meaning, value, absent, least, some, sum);
  }

  /** The same column, whose values can be added. */
  public Column<R> summed(ToLongFunction<R> part) {
    return summedAs(rows -> rows.stream().mapToLong(part).sum());
  }

  /** The same column, with what it says of several rows together. */
  public Column<R> summedAs(Function<List<R>, @Nullable Object> all) {
    return new Column<>(id, label, unit, meaning, value, absent, least, estimated, all);
  }

  /** Whether a row has a value of which there may be more. */
  public boolean isAtLeast(R row) {
    return least.test(row) && value.apply(row) != null;
  }

  /** The value of a row for people. */
  public String textOf(R row) {
    Object known = value.apply(row);
    return known == null
        ? absent.apply(row)
        : (least.test(row) ? "≥" : "") + (estimated.test(row) ? "~" : "") + unit.text(known);
  }

  /** What several rows are together, for people; empty if that is nothing. */
  public String sumOf(List<R> rows) {
    Object all = sum.apply(rows);
    return all == null ? "" : (rows.stream().anyMatch(least) ? "≥" : "") + unit.text(all);
  }

  /** Its name in JSON: the words of the id joined, each but the first with a capital. */
  public String field() {
    StringBuilder to = new StringBuilder(id.length());
    for (int i = 0; i < id.length(); i++) {
      char c = id.charAt(i);
      if (c == '_') {
        i++;
        c = Character.toUpperCase(id.charAt(i));
      }
      to.append(c);
    }
    return to.toString();
  }

  /** Its name where nothing else says the unit. */
  public String head() {
    return id + unit.suffix();
  }
}
