package dev.kymo.cli.record;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option of {@code kymo record} about thread operations. */
final class ThreadOptions {
  enum Level {
    /** Each operation as an event. */
    calls("pthread-waits"),
    /** And what threads wait for, as states. */
    contention("pthread-waits.owners"),
    /** And who lets them go on. */
    owners("");

    /** Pattern of the events that are off, empty if none are. */
    final String disabled;

    Level(String disabled) {
      this.disabled = disabled;
    }
  }

  @Option(
      names = "--threads",
      arity = "0..1",
      paramLabel = "LEVEL",
      fallbackValue = "owners",
      description =
          "Record operations of the thread library (mutexes, conditions, join, ...) in unchanged"
              + " programs: calls only, contention: also what threads wait for, or owners: also who"
              + " lets them go on; default: ${FALLBACK-VALUE}.")
  private @Nullable Level level;

  boolean isOn() {
    return level != null;
  }

  /** Patterns of events that are off because of the level. */
  List<String> disabled() {
    return level == null || level.disabled.isEmpty() ? List.of() : List.of(level.disabled);
  }
}
