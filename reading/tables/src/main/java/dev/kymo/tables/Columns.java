package dev.kymo.tables;

import dev.kymo.model.definitions.TracedMethod;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/** Columns that several tables have. */
final class Columns {
  private Columns() {}

  static <R> Column<R> atLeast(Predicate<R> least) {
    return Column.flag("at_least", "at least", "whether there may have been more", least);
  }

  static <R> Column<R> process(Function<R, Integer> process) {
    return Column.number(
        "process", "process", "number of the process", row -> (long) process.apply(row));
  }

  static <R> Column<R> pid(Function<R, Integer> pid) {
    return Column.number(
        "pid", "pid", "the kernel's number of the process", row -> (long) pid.apply(row));
  }

  /** Which method: name, descriptor, process. */
  static <R> List<Column<R>> method(Function<R, TracedMethod> of) {
    return List.of(
        Column.text("method", "method", "class and method", row -> of.apply(row).qualifiedName()),
        Column.text(
            "descriptor", "descriptor", "as in the class file", row -> of.apply(row).descriptor()),
        process(row -> of.apply(row).process()));
  }
}
