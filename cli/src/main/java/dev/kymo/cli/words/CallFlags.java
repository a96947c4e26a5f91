package dev.kymo.cli.words;

import dev.kymo.model.calls.Slice;
import java.util.ArrayList;
import java.util.List;

/** Puts the flags of a call into words. */
public final class CallFlags {
  private CallFlags() {}

  /** What is special about a call; usually nothing. */
  public static List<String> words(int flags) {
    List<String> words = new ArrayList<>();
    add(words, flags, Slice.UNWOUND, "unwound");
    add(words, flags, Slice.OPEN_BEGIN, "open-begin");
    add(words, flags, Slice.OPEN_END, "open-end");
    add(words, flags, Slice.INFERRED_END, "inferred-end");
    add(words, flags, Slice.LOSSY, "lossy");
    return words;
  }

  private static void add(List<String> words, int flags, int flag, String word) {
    if ((flags & flag) != 0) {
      words.add(word);
    }
  }
}
