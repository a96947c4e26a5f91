package dev.kymo.session.run;

import dev.kymo.query.rules.LiveJudge;
import dev.kymo.query.rules.Rule;
import dev.kymo.query.rules.RuleException;
import dev.kymo.query.rules.Rules;
import dev.kymo.session.UsageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which a flight recorder takes snapshots by itself.
 *
 * @param rules whose violation takes one; none = it never does
 * @param pauseNanos during which a rule takes no other
 * @param most snapshots
 * @param places says where in a snapshot to look
 */
public record SnapshotRules(List<String> rules, long pauseNanos, int most, PlaceText places) {
  /** A place in a recording, as command lines name it. */
  public interface PlaceText {
    /** The place from {@code begin} to {@code end}, in nanoseconds of the recording. */
    String of(int process, int thread, long begin, long end);
  }

  /** Refuses rules that cannot be judged while recording. */
  public void check() {
    LiveJudge _ = judge(sentence -> {});
  }

  /**
   * Looks for violations; null if nobody asks for that.
   *
   * @param told takes sentences about what is not judged
   */
  @Nullable SnapshotWatch watch(Path recording, Consumer<String> told) {
    return rules.isEmpty() ? null : new SnapshotWatch(recording, judge(told), told, this);
  }

  private LiveJudge judge(Consumer<String> told) {
    try {
      List<Rule> all = new ArrayList<>();
      for (String rule : rules) {
        all.addAll(Rules.parse("--snapshot-when", rule));
      }
      return new LiveJudge(all, told);
    } catch (RuleException e) {
      throw new UsageException(String.join("\n", e.problems()));
    }
  }
}
