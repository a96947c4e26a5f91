package dev.kymo.tables;

import dev.kymo.analysis.summary.CategorySum;
import java.util.List;

/** What groups of methods cost, without what others did that they called. */
public final class CategoriesTable {
  private CategoriesTable() {}

  /**
   * The table.
   *
   * @param all nanoseconds of all categories
   */
  public static Table<CategorySum> of(long all) {
    Column<CategorySum> category =
        Column.text("category", "category", "a group of methods", CategorySum::category);
    Column<CategorySum> self =
        Column.nanos("self", "self", "in its methods themselves", CategorySum::self)
            .atLeast(CategorySum::atLeast);
    Column<CategorySum> calls =
        Column.count("calls", "calls", "calls of its methods", CategorySum::calls)
            .atLeast(CategorySum::atLeast);
    Column<CategorySum> methods =
        Column.count("methods", "methods", "how many methods were called", CategorySum::methods);
    return new Table<>(
        "categories",
        "what each category of methods cost",
        List.of(category, self, calls, methods, Columns.atLeast(CategorySum::atLeast)),
        List.of(
            self,
            Column.share("share", "of the self times of all", CategorySum::self, row -> all),
            calls,
            methods,
            category),
        List.of());
  }
}
