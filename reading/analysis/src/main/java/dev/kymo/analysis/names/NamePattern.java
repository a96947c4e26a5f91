package dev.kymo.analysis.names;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.UnanswerableException;
import dev.kymo.model.timeline.Timeline;
import java.util.BitSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A regular expression that names of methods are searched for. It comes from whoever asks, so that
 * its time is limited. Without a capital letter, letters of either case match.
 */
public final class NamePattern {
  private static final int MAX_LENGTH = 1000;

  /** Nested repetitions multiply; those of something empty look at no character. */
  private static final long MAX_REPETITIONS = 10_000;

  private static final Pattern REPETITION = Pattern.compile("\\{(\\d+)(?:,(\\d*))?}");

  /** A capital letter that is not part of a class such as {@code \S}. */
  private static final Pattern CAPITAL = Pattern.compile("(?<!\\\\)\\p{Lu}");

  private static final long LOOKS = 100_000_000;

  private final Pattern pattern;

  private NamePattern(Pattern pattern) {
    this.pattern = pattern;
  }

  /**
   * Takes a pattern.
   *
   * @throws UnanswerableException if it cannot be compiled or is too large
   */
  public static NamePattern of(String text) {
    if (text.length() > MAX_LENGTH) {
      throw new UnanswerableException(
          "The pattern is too long: length=" + text.length() + ", at most " + MAX_LENGTH + '.');
    }
    checkRepetitions(text);
    boolean anyCase = !CAPITAL.matcher(text).find();
    try {
      int flags = anyCase ? Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE : 0;
      return new NamePattern(Pattern.compile(text, flags));
    } catch (PatternSyntaxException e) {
      throw new UnanswerableException(
          "Not a regular expression: " + e.getDescription() + ", at=" + e.getIndex() + '.');
    } catch (StackOverflowError e) {
      throw new UnanswerableException("The pattern is nested too deeply.");
    }
  }

  private static void checkRepetitions(String text) {
    Matcher counts = REPETITION.matcher(text);
    double product = 1;
    while (counts.find()) {
      String most = counts.group(2);
      product *=
          Math.max(1, Double.parseDouble(most == null || most.isEmpty() ? counts.group(1) : most));
    }
    if (product > MAX_REPETITIONS) {
      throw new UnanswerableException(
          "The pattern repeats too often; its numbers in braces may multiply to "
              + MAX_REPETITIONS
              + '.');
    }
  }

  /**
   * Whether a name contains a match.
   *
   * @throws UnanswerableException if that takes too long
   */
  public boolean matches(String name, Progress progress) {
    try {
      return pattern.matcher(new CountedText(LOOKS, progress).set(name)).find();
    } catch (StackOverflowError e) {
      throw new UnanswerableException("The pattern needs too much memory to match.");
    }
  }

  /**
   * The methods whose full name contains a match.
   *
   * @throws UnanswerableException if that takes too long
   */
  public BitSet methods(Timeline timeline, Progress progress) {
    CountedText name = new CountedText(LOOKS, progress);
    BitSet found = new BitSet();
    try {
      for (int method = 0; method < timeline.methods(); method++) {
        progress.check();
        if (pattern.matcher(name.set(timeline.method(method).qualifiedName())).find()) {
          found.set(method);
        }
      }
    } catch (StackOverflowError e) {
      throw new UnanswerableException("The pattern needs too much memory to match.");
    }
    return found;
  }
}
