package dev.kymo.analysis.names;

import java.util.function.Predicate;
import java.util.regex.Pattern;

/** A name in which {@code *} stands for anything. */
public final class NameGlob implements Predicate<String> {
  private final String text;
  private final Pattern pattern;

  /** Takes any text: only {@code *} has a meaning. */
  public NameGlob(String text) {
    StringBuilder regex = new StringBuilder();
    for (String part : text.split("\\*+", -1)) {
      regex.append(regex.isEmpty() ? "" : ".*").append(Pattern.quote(part));
    }
    this.text = text;
    this.pattern = Pattern.compile(regex.toString(), Pattern.DOTALL);
  }

  @Override
  public boolean test(String name) {
    return pattern.matcher(name).matches();
  }

  @Override
  public String toString() {
    return text;
  }
}
