package dev.kymo.analysis.names;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.UnanswerableException;

/**
 * Text that can be looked at only so often: some regular expressions look at the same characters
 * again and again, and would not end before the year is out.
 */
final class CountedText implements CharSequence {
  private static final int CHECK_EVERY = 1 << 16;

  private final Progress progress;
  private String text = "";
  private long left;
  private int unchecked;

  /**
   * Empty text.
   *
   * @param looks at a character, over all texts
   */
  CountedText(long looks, Progress progress) {
    this.left = looks;
    this.progress = progress;
  }

  /** Another text follows. */
  CountedText set(String next) {
    text = next;
    return this;
  }

  @Override
  public char charAt(int index) {
    if (--left < 0) {
      throw new UnanswerableException("The pattern takes too long to match; use a simpler one.");
    }
    if (++unchecked == CHECK_EVERY) {
      unchecked = 0;
      progress.check();
    }
    return text.charAt(index);
  }

  @Override
  public int length() {
    return text.length();
  }

  @Override
  public CharSequence subSequence(int start, int end) {
    return text.subSequence(start, end);
  }

  @Override
  public String toString() {
    return text;
  }
}
