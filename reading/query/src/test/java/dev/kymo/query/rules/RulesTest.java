package dev.kymo.query.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

class RulesTest {
  private static Condition one(String text) throws RuleException {
    List<Rule> rules = Rules.parse("r", text);
    assertThat(rules).hasSize(1);
    return rules.getFirst().condition();
  }

  private static List<String> problems(String text) {
    RuleException thrown =
        catchThrowableOfType(RuleException.class, () -> Rules.parse("my.rules", text));
    assertThat(thrown).as(text).isNotNull();
    return thrown.problems();
  }

  @Test
  void whatMustNotBe() throws Exception {
    assertThat(one("no loss")).isEqualTo(new Condition.No(Condition.Flaw.LOSS, Scope.ALL));
    assertThat(one("NO  Possible\tdeadlock # why"))
        .isEqualTo(new Condition.No(Condition.Flaw.POSSIBLE_DEADLOCK, Scope.ALL));
    assertThat(one("no wait over 50 ms"))
        .isEqualTo(new Condition.NoWait(null, 50_000_000, Scope.ALL));
    assertThat(one("no wait for monitor over 1.5us in thread 'http-*' during a.B.c from 1s to 2 s"))
        .isEqualTo(
            new Condition.NoWait(
                "monitor", 1500, new Scope("http-*", "a.B.c", 1_000_000_000, 2_000_000_000)));
    assertThat(one("no time blocked over 7ns"))
        .isEqualTo(new Condition.NoTime("blocked", 7, Scope.ALL));
    assertThat(one("no call of \"f(int, char)\" over 1_000 ns"))
        .isEqualTo(new Condition.NoCall("f(int, char)", 1000, Scope.ALL));
    assertThat(one("no call of a.B.<init>"))
        .isEqualTo(new Condition.NoCall("a.B.<init>", -1, Scope.ALL));
    assertThat(one("no event shop.ORDER with total >= -1.5"))
        .isEqualTo(
            new Condition.NoEvent(
                "shop.ORDER",
                new Condition.FieldTest("total", ">=", new BigDecimal("-1.5")),
                Scope.ALL));
    assertThat(one("no event shop.ORDER with who = 'a # b'"))
        .isEqualTo(
            new Condition.NoEvent(
                "shop.ORDER", new Condition.FieldTest("who", "=", "a # b"), Scope.ALL));
  }

  @Test
  void numbers() throws Exception {
    assertThat(one("calls of a.B.c at least 10_000"))
        .isEqualTo(
            new Condition.Number(
                Condition.Figure.CALLS, "a.B.c", Bound.AT_LEAST, 10_000, Scope.ALL));
    assertThat(one("p99.9 of a.* below 5 ms"))
        .isEqualTo(new Condition.Quantile(999, "a.*", Bound.BELOW, 5_000_000, Scope.ALL));
    assertThat(one("p5 of a.* above 5 ms"))
        .isEqualTo(new Condition.Quantile(50, "a.*", Bound.ABOVE, 5_000_000, Scope.ALL));
    assertThat(one("longest of a.* at most 5 s"))
        .isEqualTo(new Condition.Quantile(1000, "a.*", Bound.AT_MOST, 5_000_000_000L, Scope.ALL));
  }

  @Test
  void questionsEndAtTheirSemicolon() throws Exception {
    List<Rule> rules =
        Rules.parse(
            "r",
            """
            # comment

            rule "two; lines": SELECT ';' AS a, ";" -- ; not
              FROM calls /* ; */ WHERE 1 = 2;   # after it
            no loss
            rule "named": no deadlock
            rule "below":
              FROM gaps;
            """);
    assertThat(rules)
        .extracting(Rule::name)
        .containsExactly("two; lines", "no loss", "named", "below");
    assertThat(rules.getFirst().condition())
        .isEqualTo(
            new Condition.NoRow(
                "SELECT ';' AS a, \";\" -- ; not\n  FROM calls /* ; */ WHERE 1 = 2"));
    assertThat(rules.getLast().condition()).isEqualTo(new Condition.NoRow("FROM gaps"));
    assertThat(rules).extracting(Rule::place).containsExactly("r:3:1", "r:5:1", "r:6:1", "r:7:1");
  }

  /** All mistakes are told at once, each with its place. */
  @Test
  void mistakes() {
    assertThat(
            problems(
                """
                no lss
                no wait for coffee over 3 ms
                  no wait over 50
                p99 of x
                calls of x below 1.5
                rule foo: bar
                rule "x" no loss
                no loss at all
                no event e with a ~ 3
                calls of x during y below 3
                no wait over 1 ms from 2s to 1s
                no wait over 0.1 ns
                no loss in thread 'a
                rule "y": SELECT 1
                """))
        .containsExactly(
            "my.rules:1:4: expected loss, damage, deadlock, possible deadlock, wait, time, call or event, found 'lss'",
            "my.rules:2:13: expected what threads wait for (monitor, lock, park, sleep, wait, join, start, weaving, mutex, rwlock, spinlock, condition, semaphore, barrier, once), found 'coffee'",
            "my.rules:3:18: expected a unit of time (s, ms, us or ns), found the end of the line",
            "my.rules:4:9: expected below, above, at most or at least, found the end of the line",
            "my.rules:5:18: expected a whole number, found '1.5'",
            "my.rules:6:6: expected the rule's name in quotes, found 'foo:'",
            "my.rules:7:9: expected ':' after the rule's name",
            "my.rules:8:9: expected in thread, from, to, or the end of the line, found 'at'",
            "my.rules:9:19: expected one of = != < <= > >=, found '~'",
            "my.rules:10:12: expected below, above, at most or at least, found 'during'",
            "my.rules:11:30: the time range ends before it begins",
            "my.rules:12:18: expected a whole number of nanoseconds, found '0.1'",
            "my.rules:13:19: the quote has no end",
            "my.rules:14:11: the question has no end, write ';' after it");
  }
}
