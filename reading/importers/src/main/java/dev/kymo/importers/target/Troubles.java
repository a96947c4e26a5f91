package dev.kymo.importers.target;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Parts of the foreign file that could not be taken as they stand: how often, and the first one.
 */
public final class Troubles {
  private static final class Trouble {
    final String first;
    long count;

    Trouble(String first) {
      this.first = first;
    }
  }

  private final Map<String, Trouble> troubles = new LinkedHashMap<>();

  Troubles() {}

  /**
   * Counts one.
   *
   * @param sentence what happened to things of this kind: {@code ends without a begin were left
   *     out}
   * @param facts of this one: {@code line=12}
   */
  public void count(String sentence, String facts) {
    troubles.computeIfAbsent(sentence, none -> new Trouble(facts)).count++;
  }

  public long count(String sentence) {
    Trouble trouble = troubles.get(sentence);
    return trouble == null ? 0 : trouble.count;
  }

  /** A sentence about each kind. */
  List<String> texts() {
    List<String> texts = new ArrayList<>();
    troubles.forEach((sentence, trouble) ->
        texts.add("%s: count=%d first: %s".formatted(sentence, trouble.count, trouble.first)));
    return texts;
  }
}
