package dev.kymo.query.rules;

import org.jspecify.annotations.Nullable;

/** What a rule demands. Durations are nanoseconds. */
public sealed interface Condition {
  /** What can be missing in a recording as a whole. */
  enum Flaw {
    LOSS("loss"),
    DAMAGE("damage"),
    DEADLOCK("deadlock"),
    POSSIBLE_DEADLOCK("possible deadlock");

    private final String words;

    Flaw(String words) {
      this.words = words;
    }

    /** As rules have it. */
    public String words() {
      return words;
    }
  }

  /** What a single number is about. */
  enum Figure {
    /** Number of calls. */
    CALLS,
    /** Mean of their durations. */
    MEAN,
    /** Sum of their times without the calls that they made. */
    SELF,
    /** Number of user events. */
    EVENTS
  }

  /** {@code no loss}. */
  record No(Flaw flaw, Scope scope) implements Condition {}

  /**
   * {@code no wait for monitor over 10 ms}.
   *
   * @param kind word of the kind of wait; null = any
   */
  record NoWait(@Nullable String kind, long over, Scope scope) implements Condition {}

  /**
   * {@code no time blocked over 10 ms}: what the kernel did.
   *
   * @param state word of the state
   */
  record NoTime(String state, long over, Scope scope) implements Condition {}

  /**
   * {@code no call of a.B.c over 10 ms}.
   *
   * @param over -1 = none at all
   */
  record NoCall(String method, long over, Scope scope) implements Condition {}

  /**
   * {@code no event shop.ORDER with total > 100}.
   *
   * @param test null = none at all
   */
  record NoEvent(String event, @Nullable FieldTest test, Scope scope) implements Condition {}

  /**
   * What a field of an event is compared with.
   *
   * @param comparison as in SQL
   * @param value a number or a text
   */
  record FieldTest(String field, String comparison, Object value) {}

  /**
   * {@code calls of a.B.c below 100}.
   *
   * @param of name of methods or events, in which {@code *} stands for anything
   */
  record Number(Figure figure, String of, Bound bound, long limit, Scope scope)
      implements Condition {}

  /**
   * {@code p99 of a.B.c below 5 ms}: durations of calls.
   *
   * @param thousandths 990 of them are at most as long; 1000 = the longest
   */
  record Quantile(int thousandths, String method, Bound bound, long limit, Scope scope)
      implements Condition {}

  /** SQL whose rows are what should not be there. */
  record NoRow(String sql) implements Condition {}
}
