package dev.kymo.exporters.source;

import dev.kymo.format.Definition;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.TrackKind;

/**
 * A row of a recording: the calls of a thread, its states, or a processor.
 *
 * @param number place among the exported tracks, from 0
 * @param thread what was recorded
 * @param kind what its calls are
 * @param of number of the track of calls whose thread's states these are; -1 = none
 */
public record ExportTrack(int number, ThreadCalls thread, TrackKind kind, int of) {
  /** Number of the process in the recording. */
  public int process() {
    return thread.process();
  }

  public Definition.TracedThread definition() {
    return thread.definition();
  }

  /** The thread's name and, of anything but its calls, what else is shown. */
  public String title() {
    String name = definition().name().isEmpty() ? "thread " + thread.thread() : definition().name();
    return switch (kind) {
      case STATES -> name + " (waits)";
      case SCHEDULED -> name + " (scheduled)";
      case CALLS, JVM, CPU -> name;
    };
  }
}
