package dev.kymo.query.rules;

import dev.kymo.format.SchedulerState;
import dev.kymo.format.WaitKind;
import dev.kymo.query.rules.Condition.Figure;
import dev.kymo.query.rules.Condition.Flaw;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads rules: one a line, except for questions, which end at a semicolon. */
public final class Rules {
  private static final Pattern QUANTILE = Pattern.compile("p(\\d{1,2})(?:\\.(\\d))?");
  private static final Pattern AMOUNT = Pattern.compile("(\\d[\\d_]*(?:\\.\\d{1,9})?)([a-zA-Z]*)");
  private static final Map<String, Integer> DIGITS = Map.of("s", 9, "ms", 6, "us", 3, "ns", 0);
  private static final List<String> COMPARISONS = List.of("=", "!=", "<", "<=", ">", ">=");
  private static final int THOUSAND = 1000;

  private final RuleText text;

  private Rules(RuleText text) {
    this.text = text;
  }

  /**
   * Reads all rules of a text.
   *
   * @param name of the text, for messages: a file's name
   * @throws RuleException if some are no rules
   */
  public static List<Rule> parse(String name, String text) throws RuleException {
    RuleText words = new RuleText(name, text);
    Rules reader = new Rules(words);
    List<Rule> rules = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    while (words.nextRule()) {
      try {
        rules.add(reader.rule());
      } catch (RuleText.Mistake e) {
        problems.add(words.place() + ": " + e.getMessage());
        words.skipLine();
      }
    }
    if (!problems.isEmpty()) {
      throw new RuleException(problems);
    }
    return rules;
  }

  private Rule rule() throws RuleText.Mistake {
    String place = text.place();
    String name = "";
    if (text.takes("rule")) {
      name = text.name("the rule's name in quotes");
      if (!text.wasQuoted()) {
        throw text.foundInstead("the rule's name in quotes", name);
      }
      text.colon();
      if (text.atSql()) {
        Rule question = new Rule(name, new Condition.NoRow(text.sql()), place);
        end();
        return question;
      }
    }
    text.atEnd();
    int begin = text.position();
    Condition condition = condition();
    String words = text.since(begin);
    end();
    return new Rule(name.isEmpty() ? words : name, condition, place);
  }

  private void end() throws RuleText.Mistake {
    if (!text.atEnd()) {
      throw text.expected("the end of the line");
    }
  }

  private Condition condition() throws RuleText.Mistake {
    String first = text.keyword();
    Matcher quantile = QUANTILE.matcher(first);
    if (quantile.matches()) {
      String tenth = quantile.group(2);
      int thousandths =
          Integer.parseInt(quantile.group(1)) * 10 + (tenth == null ? 0 : Integer.parseInt(tenth));
      return quantile(thousandths);
    }
    return switch (first) {
      case "no" -> no();
      case "calls" -> number(Figure.CALLS, "the name of a method");
      case "events" -> number(Figure.EVENTS, "the name of an event");
      case "mean" -> number(Figure.MEAN, "the name of a method");
      case "self" -> number(Figure.SELF, "the name of a method");
      case "longest" -> quantile(THOUSAND);
      default ->
          throw text.foundInstead(
              "a rule: no ..., calls of, events of, p99 of, longest of, mean of, self of, or rule"
                  + " \"NAME\": SELECT ...;",
              first);
    };
  }

  private Condition no() throws RuleText.Mistake {
    String what = text.keyword();
    return switch (what) {
      case "loss" -> new Condition.No(Flaw.LOSS, scope(false));
      case "damage" -> new Condition.No(Flaw.DAMAGE, Scope.ALL);
      case "deadlock" -> new Condition.No(Flaw.DEADLOCK, Scope.ALL);
      case "possible" -> {
        text.expect("deadlock");
        yield new Condition.No(Flaw.POSSIBLE_DEADLOCK, Scope.ALL);
      }
      case "wait" -> {
        String kind = text.takes("for") ? waitKind() : null;
        text.expect("over");
        yield new Condition.NoWait(kind, time(), scope(true));
      }
      case "time" -> {
        String state = state();
        text.expect("over");
        yield new Condition.NoTime(state, time(), scope(true));
      }
      case "call" -> {
        text.expect("of");
        String method = text.name("the name of a method");
        yield new Condition.NoCall(method, text.takes("over") ? time() : -1, scope(true));
      }
      case "event" -> {
        String event = text.name("the name of an event");
        yield new Condition.NoEvent(event, text.takes("with") ? test() : null, scope(true));
      }
      default ->
          throw text.foundInstead(
              "loss, damage, deadlock, possible deadlock, wait, time, call or event", what);
    };
  }

  private String waitKind() throws RuleText.Mistake {
    String word = text.keyword();
    if (WaitKind.of(word).isEmpty()) {
      throw text.foundInstead(
          "what threads wait for (%s)"
              .formatted(
                  Arrays.stream(WaitKind.values())
                      .map(WaitKind::word)
                      .collect(Collectors.joining(", "))),
          word);
    }
    return word;
  }

  private String state() throws RuleText.Mistake {
    String word = text.keyword();
    for (SchedulerState state :
        List.of(
            SchedulerState.RUNNING,
            SchedulerState.RUNNABLE,
            SchedulerState.BLOCKED,
            SchedulerState.INTERRUPTED)) {
      if (state.word().equals(word)) {
        return word;
      }
    }
    throw text.foundInstead("running, runnable, blocked or interrupted", word);
  }

  private Condition.FieldTest test() throws RuleText.Mistake {
    String field = text.name("the name of a field");
    String comparison = text.word();
    if (!COMPARISONS.contains(comparison)) {
      throw text.foundInstead("one of " + String.join(" ", COMPARISONS), comparison);
    }
    String value = text.name("a number, or a text in quotes");
    if (text.wasQuoted()) {
      return new Condition.FieldTest(field, comparison, value);
    }
    try {
      return new Condition.FieldTest(field, comparison, new BigDecimal(value));
    } catch (NumberFormatException e) {
      throw text.foundInstead("a number, or a text in quotes", value);
    }
  }

  private Condition number(Figure figure, String what) throws RuleText.Mistake {
    text.expect("of");
    String of = text.name(what);
    Bound bound = bound();
    boolean time = figure == Figure.MEAN || figure == Figure.SELF;
    return new Condition.Number(figure, of, bound, time ? time() : count(), scope(false));
  }

  private Condition quantile(int thousandths) throws RuleText.Mistake {
    text.expect("of");
    String of = text.name("the name of a method");
    Bound bound = bound();
    return new Condition.Quantile(thousandths, of, bound, time(), scope(false));
  }

  private Bound bound() throws RuleText.Mistake {
    for (Bound bound : Bound.values()) {
      String[] words = bound.words().split(" ");
      if (words.length == 1 && text.takes(words[0])) {
        return bound;
      }
    }
    if (text.takes("at")) {
      if (text.takes("most")) {
        return Bound.AT_MOST;
      }
      if (text.takes("least")) {
        return Bound.AT_LEAST;
      }
      throw text.expected("'most' or 'least'");
    }
    throw text.expected("below, above, at most or at least");
  }

  /**
   * What follows what is demanded.
   *
   * @param calls whether it can be about what happens during calls only
   */
  private Scope scope(boolean calls) throws RuleText.Mistake {
    String thread = null;
    String during = null;
    long from = 0;
    long to = Long.MAX_VALUE;
    while (!text.atEnd()) {
      if (text.takes("in")) {
        text.expect("thread");
        thread = once(thread, text.name("the name or number of a thread"));
      } else if (calls && text.takes("during")) {
        during = once(during, text.name("the name of a method"));
      } else if (text.takes("from")) {
        from = time();
      } else if (text.takes("to")) {
        to = time();
      } else {
        throw text.expected(
            "in thread, %sfrom, to, or the end of the line".formatted(calls ? "during, " : ""));
      }
    }
    if (to < from) {
      throw new RuleText.Mistake("the time range ends before it begins");
    }
    return new Scope(thread, during, from, to);
  }

  private String once(@Nullable String before, String now) throws RuleText.Mistake {
    if (before != null) {
      throw text.foundInstead("this only once", now);
    }
    return now;
  }

  private long count() throws RuleText.Mistake {
    String word = text.word();
    Matcher amount = AMOUNT.matcher(word);
    if (amount.matches() && amount.group(2).isEmpty()) {
      Optional<Long> whole = whole(new BigDecimal(amount.group(1).replace("_", "")));
      if (whole.isPresent()) {
        return whole.get();
      }
    }
    throw text.foundInstead("a whole number", word);
  }

  /** A number and a unit, with or without a space between. */
  private long time() throws RuleText.Mistake {
    String word = text.word();
    Matcher amount = AMOUNT.matcher(word);
    if (!amount.matches()) {
      throw text.foundInstead("a time such as 50 ms", word);
    }
    String unit = amount.group(2);
    if (unit.isEmpty()) {
      unit = text.keyword();
    }
    Integer digits = DIGITS.get(unit.toLowerCase(Locale.ROOT));
    if (digits == null) {
      throw text.foundInstead("a unit of time (s, ms, us or ns)", unit);
    }
    BigDecimal nanos = new BigDecimal(amount.group(1).replace("_", "")).movePointRight(digits);
    return whole(nanos).orElseThrow(() -> text.foundInstead("a whole number of nanoseconds", word));
  }

  private static Optional<Long> whole(BigDecimal number) {
    try {
      return Optional.of(number.longValueExact());
    } catch (ArithmeticException e) {
      return Optional.empty();
    }
  }
}
