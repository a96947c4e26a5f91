package dev.kymo.query.rules;

/** On which side of a limit a number has to be. */
public enum Bound {
  BELOW("below", true, false),
  AT_MOST("at most", true, true),
  ABOVE("above", false, false),
  AT_LEAST("at least", false, true);

  private final String words;
  private final boolean upper;
  private final boolean included;

  Bound(String words, boolean upper, boolean included) {
    this.words = words;
    this.upper = upper;
    this.included = included;
  }

  /** As rules have it. */
  public String words() {
    return words;
  }

  /** Whether small numbers are right. */
  public boolean isUpper() {
    return upper;
  }

  /** Whether a number is on the right side of the limit. */
  public boolean allows(long number, long limit) {
    return number == limit ? included : upper == (number < limit);
  }

  /** The same for a number that is not whole. */
  public boolean allows(double number, long limit) {
    return number == limit ? included : upper == (number < limit);
  }

  /** What is allowed, as the end of a comparison in SQL. */
  String sql(long limit) {
    return (upper ? "<" : ">") + (included ? "= " : " ") + limit;
  }
}
