package dev.kymo.analysis.summary;

import dev.kymo.analysis.names.Categories;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What the methods of a category cost.
 *
 * @param self nanoseconds in them, without the calls they made
 * @param methods how many were called
 * @param atLeast there may have been more
 */
public record CategorySum(String category, long self, long calls, long methods, boolean atLeast) {

  /** One for each category that has a method; the largest self time first. */
  public static List<CategorySum> of(Categories categories, List<MethodSummary> rows) {
    Map<String, List<MethodSummary>> groups =
        rows.stream()
            .collect(
                Collectors.groupingBy(
                    row -> categories.of(row.method()), TreeMap::new, Collectors.toList()));
    return groups.entrySet().stream()
        .map(group -> of(group.getKey(), group.getValue()))
        .sorted(Comparator.comparingLong(CategorySum::self).reversed())
        .toList();
  }

  private static CategorySum of(String category, List<MethodSummary> rows) {
    return new CategorySum(
        category,
        rows.stream().mapToLong(MethodSummary::self).sum(),
        rows.stream().mapToLong(MethodSummary::calls).sum(),
        rows.size(),
        rows.stream().anyMatch(MethodSummary::timeAtLeast));
  }
}
