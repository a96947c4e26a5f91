package dev.kymo.reader;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Counts all oddities of a reading pass and keeps the first of each kind, so that a file of rubbish
 * does not make an endless list. Not safe for use by several threads.
 */
public final class Diagnostics {
  /** Diagnostics kept of each kind. */
  public static final int KEPT = 20;

  private final Map<Oddity, Long> counts = new EnumMap<>(Oddity.class);
  private final List<Diagnostic> kept = new ArrayList<>();

  public Diagnostics() {}

  /**
   * Counts an oddity.
   *
   * @param facts asked for only if the diagnostic is kept
   */
  public void add(Oddity oddity, String file, long offset, Supplier<String> facts) {
    long count = counts.merge(oddity, 1L, Long::sum);
    if (count <= KEPT) {
      kept.add(new Diagnostic(oddity, file, offset, facts.get()));
    }
  }

  /** The first {@link #KEPT} of each kind, in the order in which they were met. */
  public List<Diagnostic> kept() {
    return List.copyOf(kept);
  }

  public long count(Oddity oddity) {
    return counts.getOrDefault(oddity, 0L);
  }

  public long total() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Everything as lines of text: those that were kept, then how many more of each kind there were.
   */
  public List<String> texts() {
    List<String> texts = new ArrayList<>();
    kept.forEach(d -> texts.add(d.text()));
    counts.forEach((oddity, count) -> {
      if (count > KEPT) {
        texts.add("%s: %d more times".formatted(oddity.what(), count - KEPT));
      }
    });
    return texts;
  }
}
