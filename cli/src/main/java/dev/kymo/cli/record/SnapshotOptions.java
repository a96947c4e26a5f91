package dev.kymo.cli.record;

import dev.kymo.cli.words.DurationConverter;
import dev.kymo.cli.words.ViewPlace;
import dev.kymo.session.UsageException;
import dev.kymo.session.run.SnapshotRules;
import java.time.Duration;
import java.util.List;
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
    rules().check();
  }

  SnapshotRules rules() {
    return new SnapshotRules(rules, pause.toNanos(), most, ViewPlace::text);
  }
}
