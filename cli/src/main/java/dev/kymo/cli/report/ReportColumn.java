package dev.kymo.cli.report;

import dev.kymo.analysis.costs.CorrectedTimes;
import dev.kymo.analysis.summary.MethodSummary;
import java.util.Comparator;
import java.util.function.ToLongFunction;

/** What the rows of a report can be sorted by; named as on the command line. */
@SuppressWarnings("checkstyle:ConstantName")
enum ReportColumn {
  calls,
  counted,
  total,
  self,
  correctedTotal,
  correctedSelf,
  avg,
  p50,
  p99,
  max,
  name;

  /** Largest first; names from A to Z. */
  Comparator<MethodSummary> order() {
    return switch (this) {
      case calls -> largest(MethodSummary::calls);
      case counted -> largest(MethodSummary::counted);
      case total -> largest(MethodSummary::total);
      case self -> largest(MethodSummary::self);
      case correctedTotal ->
          largest(r -> r.corrected().map(CorrectedTimes::total).orElse(r.total()));
      case correctedSelf -> largest(r -> r.corrected().map(CorrectedTimes::self).orElse(r.self()));
      case avg -> largest(MethodSummary::average);
      case p50 -> largest(MethodSummary::p50);
      case p99 -> largest(MethodSummary::p99);
      case max -> largest(MethodSummary::max);
      case name -> Comparator.comparing(row -> row.method().qualifiedName());
    };
  }

  private static Comparator<MethodSummary> largest(ToLongFunction<MethodSummary> value) {
    return Comparator.comparingLong(value).reversed();
  }
}
