package dev.kymo.cli.record;

import dev.kymo.recorder.userevents.EventOptions;
import dev.kymo.session.UsageException;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Options of {@code kymo record} about events of the programs' own. */
final class UserEventOptions {
  private static final String FAULT = "fault";

  @Option(
      names = "--disable-events",
      paramLabel = "EVENTS",
      split = ",",
      description =
          "User events that are off at first: a subsystem (disk), one event"
              + " (disk.ALLOC), category:NAME, kind:KIND, or * for all; repeatable. kymo ctl switches"
              + " them while the program runs.")
  private List<String> disabled = List.of();

  @Option(
      names = "--start-on",
      paramLabel = "EVENT",
      description =
          "Start recording at this user event: disk.ALLOC, disk.ALLOC=42 (with this"
              + " argument), disk.ALLOC#3 (the third time); repeatable.")
  private List<String> startOn = List.of();

  @Option(
      names = "--stop-on",
      paramLabel = "EVENT",
      description =
          "Stop recording after this event; only occurrences while recording count;"
              + " repeatable. With --instructions: fault, at the first fault of the processor that a"
              + " signal's handler gets, or that ends a process.")
  private List<String> stopOn = List.of();

  @Option(
      names = "--snapshot-on",
      paramLabel = "EVENT",
      description =
          "With --when-full overwrite: at this event write what the buffers hold as a separate recording,"
              + " NAME-1.kymo and so on, and continue; repeatable.")
  private List<String> snapshotOn = List.of();

  /**
   * What is asked for.
   *
   * @param nanos for so long is recorded; 0 = to the end
   * @param alsoDisabled further patterns of events that are off at first
   */
  EventOptions options(long nanos, List<String> alsoDisabled) {
    List<String> all = Stream.concat(disabled.stream(), alsoDisabled.stream()).toList();
    return new EventOptions(all, startOn, stopOn, snapshotOn, nanos);
  }

  /** Whether a recording of instructions is to stop at a fault. */
  boolean stopsAtFault() {
    if (!stopOn.isEmpty() && !stopOn.equals(List.of(FAULT))) {
      throw new UsageException("--instructions goes with --stop-on fault, not with events");
    }
    return !stopOn.isEmpty();
  }

  void check(boolean flightRecorder) {
    try {
      options(0, List.of()).check();
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
    if (!snapshotOn.isEmpty() && !flightRecorder) {
      throw new UsageException("--snapshot-on goes with --when-full overwrite");
    }
  }
}
