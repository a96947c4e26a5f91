package dev.kymo.cli.record;

import dev.kymo.drain.ClockCalibration;
import dev.kymo.format.Clock;
import dev.kymo.recorder.platform.ProcessorCounter;
import picocli.CommandLine.Option;

/** The option for the clock to record with. */
final class ClockOption {
  private enum Choice {
    auto,
    tsc,
    monotonic
  }

  @Option(
      names = "--clock",
      paramLabel = "CLOCK",
      defaultValue = "auto",
      description =
          "tsc: the processor's counter, cheapest, for C and Java 22 or later; monotonic: the"
              + " system's, for any; auto: tsc where all JVMs concerned can read it; default:"
              + " ${DEFAULT-VALUE}.")
  private Choice choice = Choice.auto;

  /**
   * The name of the recording's clock.
   *
   * @param oldestJava version of the oldest Java that may be recorded
   * @param kernel whether kernel events are recorded, too
   */
  String name(int oldestJava, boolean kernel) {
    return switch (choice) {
      case tsc -> ProcessorCounter.name();
      case monotonic -> Clock.MONOTONIC;
      case auto -> best(oldestJava, kernel);
    };
  }

  /** The kernel's events have the time of x86-64's counter, but not of ARM64's. */
  private static String best(int oldestJava, boolean kernel) {
    String best = ClockCalibration.best(oldestJava);
    return best.equals(Clock.CNTVCT) && kernel ? Clock.MONOTONIC : best;
  }
}
