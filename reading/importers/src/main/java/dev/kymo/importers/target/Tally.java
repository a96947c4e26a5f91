package dev.kymo.importers.target;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts of what became of what: how many events of the foreign file became calls, states, events
 * of their own. {@code kymo info} shows it.
 */
public final class Tally {
  /** Kinds that are told one by one; the others are summed up. */
  private static final int MOST_KINDS = 40;

  private final Map<String, Map<String, long[]>> counts = new LinkedHashMap<>();
  private long total;

  Tally() {}

  /**
   * Counts an event of the foreign file.
   *
   * @param what the file's name for its kind
   * @param became what it is in the recording, plural: {@code calls}
   */
  public void count(String what, String became) {
    count(what, became, 1);
  }

  public void count(String what, String became, long many) {
    counts.computeIfAbsent(became, none -> new LinkedHashMap<>())
            .computeIfAbsent(what, none -> new long[1])[0] +=
        many;
    total += many;
  }

  /** Events of the foreign file so far. */
  public long total() {
    return total;
  }

  /** A sentence for each thing that something became. */
  List<String> texts() {
    List<String> texts = new ArrayList<>();
    counts.forEach((became, kinds) -> texts.add(text(became, kinds)));
    return texts;
  }

  private static String text(String became, Map<String, long[]> kinds) {
    long sum = kinds.values().stream().mapToLong(many -> many[0]).sum();
    StringBuilder text = new StringBuilder("imported as " + became + ": " + sum);
    if (kinds.size() > 1 || !kinds.containsKey("")) {
      List<Map.Entry<String, long[]>> largest =
          kinds.entrySet().stream()
              .sorted(Comparator.comparingLong(kind -> -kind.getValue()[0]))
              .limit(MOST_KINDS)
              .toList();
      text.append(" (");
      for (int i = 0; i < largest.size(); i++) {
        text.append(i == 0 ? "" : ", ").append(largest.get(i).getKey());
        text.append(' ').append(largest.get(i).getValue()[0]);
      }
      int more = kinds.size() - largest.size();
      text.append(more > 0 ? ", " + more + " more kinds)" : ")");
    }
    return text.toString();
  }
}
