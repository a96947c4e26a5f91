package dev.kymo.analysis.difference;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** Choice of the differences that are worth telling. */
public final class Choice {
  /** Smaller shares of the time of a role's threads are not told. */
  public static final double SHARE = 0.001;

  private Choice() {}

  /** Those that are certain, the heaviest first. */
  public static List<Finding> certain(Difference difference) {
    return choose(difference, Choice::isCertain);
  }

  /** Those that may be chance, or are not known completely; the heaviest first. */
  public static List<Finding> uncertain(Difference difference) {
    return choose(difference, part -> !part.verdict().isFinding());
  }

  private static boolean isCertain(Part part) {
    return part.verdict().isFinding();
  }

  private static List<Finding> choose(Difference difference, Predicate<Part> wanted) {
    List<Finding> chosen = new ArrayList<>();
    for (Finding finding : difference.findings()) {
      double least = SHARE * time(finding.role());
      List<Part> parts =
          finding.parts().stream()
              .filter(wanted)
              .filter(part -> part.size() >= least || isExact(part))
              .toList();
      if (!parts.isEmpty()) {
        chosen.add(finding.with(parts));
      }
    }
    chosen.sort(Comparator.comparingDouble(Finding::size).reversed());
    return chosen;
  }

  /** Calls that are known not to vary are told however short they are. */
  private static boolean isExact(Part part) {
    return part.verdict() == Verdict.EXACT;
  }

  /** Time of a role's threads in their calls, on the side where it is more. */
  static double time(AlignedRole role) {
    return Math.max(role.tree().base().total(), role.tree().fresh().total());
  }
}
