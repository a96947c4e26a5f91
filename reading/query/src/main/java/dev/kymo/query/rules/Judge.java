package dev.kymo.query.rules;

import dev.kymo.analysis.locks.LockCycle;
import dev.kymo.analysis.locks.LockQuery;
import dev.kymo.analysis.locks.LockReport;
import dev.kymo.exporters.source.ExportSource;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.query.ask.Questions;
import dev.kymo.query.rules.Condition.Flaw;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Judges whether a recording keeps rules. */
public final class Judge {
  private final Evidence evidence;
  private final Found found;
  private final Measured measured;
  private final int most;
  private final ProgressListener progress;
  private @Nullable LockReport locks;

  /**
   * Judges a recording.
   *
   * @param questions about this recording alone
   * @param most so many places of a violation are reported
   * @param progress told how far another reading is, if one is needed
   */
  public Judge(ExportSource source, Questions questions, int most, ProgressListener progress) {
    this.evidence = new Evidence(source, questions);
    this.found = new Found(evidence, most);
    this.measured = new Measured(evidence, most);
    this.most = most;
    this.progress = progress;
  }

  /** Judges one rule. */
  public RuleVerdict judge(Rule rule) {
    try {
      return switch (rule.condition()) {
        case Condition.No no -> flaw(no);
        case Condition.NoWait wait -> found.waits(wait);
        case Condition.NoTime time -> found.times(time);
        case Condition.NoCall call -> found.calls(call);
        case Condition.NoEvent event -> found.events(event);
        case Condition.Number number -> measured.number(number);
        case Condition.Quantile quantile -> measured.quantile(quantile);
        case Condition.NoRow question -> new Asked(evidence, most).judge(question.sql());
      };
    } catch (SQLException e) {
      return RuleVerdict.failed(String.valueOf(e.getMessage()).strip());
    }
  }

  private RuleVerdict flaw(Condition.No rule) {
    return switch (rule.flaw()) {
      case LOSS -> loss(rule.scope());
      case DAMAGE -> damage();
      case DEADLOCK, POSSIBLE_DEADLOCK -> deadlock(rule.flaw());
    };
  }

  private RuleVerdict loss(Scope scope) {
    String wrong = evidence.wrong(scope);
    if (wrong != null) {
      return RuleVerdict.unknown(wrong);
    }
    Evidence.Loss loss = evidence.loss(scope, kind -> true);
    return loss.isNone()
        ? RuleVerdict.ok("")
        : RuleVerdict.violated(loss.words(), evidence.losses(scope, most));
  }

  private RuleVerdict damage() {
    List<String> oddities = evidence.source().pass().oddities();
    return oddities.isEmpty()
        ? RuleVerdict.ok("")
        : RuleVerdict.violated(
            "the recording is damaged: oddities=" + oddities.size(),
            oddities.stream().limit(most).map(Violation::nowhere).toList());
  }

  private RuleVerdict deadlock(Flaw flaw) {
    LockReport report = locks();
    boolean possible = flaw == Flaw.POSSIBLE_DEADLOCK;
    List<LockCycle> cycles =
        report.cycles().stream().filter(cycle -> possible || cycle.hasHappened()).toList();
    if (!cycles.isEmpty()) {
      return RuleVerdict.violated(
          "%d %s%s".formatted(cycles.size(), flaw.words(), cycles.size() == 1 ? "" : "s"),
          cycles.stream().limit(most).map(Judge::violation).toList());
    }
    if (!report.recorded() || (possible && !report.ordersKnown())) {
      return RuleVerdict.unknown(
          possible
              ? "in which order locks were taken is not in this recording; 'kymo record --threads'"
                  + " records that of native programs"
              : "nothing of locks in this recording; 'kymo record --waits on' records what Java's"
                  + " threads wait for, --threads what those of native programs do");
    }
    if (possible && report.moreCycles()) {
      return RuleVerdict.unknown("none was found, but too many locks are nested to look at all");
    }
    Evidence.Loss loss = evidence.loss(Scope.ALL, kind -> true);
    return loss.isNone()
        ? RuleVerdict.ok("")
        : RuleVerdict.unknown("none was found, but " + loss.words());
  }

  private LockReport locks() {
    LockReport known = locks;
    if (known == null) {
      LockQuery all = new LockQuery(0, Long.MAX_VALUE, thread -> true, object -> true, 1);
      known = LockReport.of(evidence.source().pass().recording(), all, progress);
      locks = known;
    }
    return known;
  }

  /** Its place is where the first of the threads begins to wait. */
  private static Violation violation(LockCycle cycle) {
    List<String> steps = new ArrayList<>();
    for (LockCycle.Step step : cycle.steps()) {
      steps.add("%s has %s and waits for %s".formatted(name(step), step.held(), step.wanted()));
    }
    LockCycle.Step first = cycle.steps().getFirst();
    long begin = first.wantedAt().time();
    long last =
        cycle.steps().stream().mapToLong(step -> step.wantedAt().time()).max().orElse(begin);
    return new Violation(
        first.thread().process(),
        first.thread().thread(),
        first.thread().definition().name(),
        -1,
        begin,
        Math.max(begin, last),
        steps.stream().collect(Collectors.joining("; ")));
  }

  private static String name(LockCycle.Step step) {
    String name = step.thread().definition().name();
    return name.isEmpty() ? "thread " + step.thread().thread() : name;
  }
}
