package dev.kymo.cli.record;

import dev.kymo.cli.terminal.UsageException;
import dev.kymo.cli.words.DurationConverter;
import dev.kymo.query.rules.LiveJudge;
import dev.kymo.query.rules.Rule;
import dev.kymo.query.rules.RuleException;
import dev.kymo.query.rules.Rules;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of {@code kymo record} about snapshots that it takes by itself. */
final class SnapshotOptions {
  @Option(
      names = "--snapshot-when",
      paramLabel = "RULE",
      description =
          "With --when-full overwrite: take a snapshot when this rule is violated, for instance 'no"
              + " call of shop.Clerk.serve over 20 ms', also while the call lasts; no call of, no"
              + " wait and no event as 'kymo check' takes them; repeatable.")
  private List<String> rules = List.of();

  @Option(
      names = "--snapshot-pause",
      paramLabel = "TIME",
      defaultValue = "10s",
      converter = DurationConverter.class,
      description =
          "With --snapshot-when: so long after a snapshot its rule takes no other; default:"
              + " ${DEFAULT-VALUE}.")
  private Duration pause = Duration.ofSeconds(10);

  @Option(
      names = "--snapshots",
      paramLabel = "N",
      defaultValue = "10",
      description = "With --snapshot-when: take so many at most; default: ${DEFAULT-VALUE}.")
  private int most = 10;

  void check(boolean flightRecorder) {
    if (rules.isEmpty()) {
      return;
    }
    if (!flightRecorder) {
      throw new UsageException("--snapshot-when goes with --when-full overwrite");
    }
    if (most < 1) {
      throw new UsageException("--snapshots has to be 1 or more: snapshots=" + most);
    }
    LiveJudge _ = judge(sentence -> {});
  }

  /**
   * Looks for violations; null if nobody asks for that.
   *
   * @param told takes sentences about what is not judged
   */
  @Nullable SnapshotWatch watch(Path recording, Consumer<String> told) {
    return rules.isEmpty()
        ? null
        : new SnapshotWatch(recording, judge(told), told, pause.toNanos(), most);
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
