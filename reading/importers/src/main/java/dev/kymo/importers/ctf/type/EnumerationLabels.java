package dev.kymo.importers.ctf.type;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Names of an enumeration's values. */
public final class EnumerationLabels {
  /** Values that were looked up are kept, but not any number of them. */
  private static final int MOST_KNOWN = 10_000;

  private final Map<String, Ranges> ranges;
  private final Map<Long, String> known = new HashMap<>();

  public EnumerationLabels(Map<String, Ranges> ranges) {
    this.ranges = new LinkedHashMap<>(ranges);
  }

  /** The values of a label; null = there is no such label. */
  public @Nullable Ranges ranges(String label) {
    return ranges.get(label);
  }

  public boolean has(String label) {
    return ranges.containsKey(label);
  }

  /** What a value is called; the number itself if it has no label, all labels if it has several. */
  public String text(long value) {
    String found = known.get(value);
    if (found == null) {
      found = find(value);
      if (known.size() < MOST_KNOWN) {
        known.put(value, found);
      }
    }
    return found;
  }

  private String find(long value) {
    StringBuilder text = new StringBuilder();
    ranges.forEach((label, of) -> {
      if (of.has(value)) {
        text.append(text.isEmpty() ? "" : "|").append(label);
      }
    });
    return text.isEmpty() ? String.valueOf(value) : text.toString();
  }
}
