package dev.kymo.cli.options;

import dev.kymo.cli.terminal.Terminal;
import dev.kymo.editing.clocks.ClockNetwork;
import dev.kymo.editing.clocks.ComparedClock;
import dev.kymo.editing.slice.RecordingMerge;
import dev.kymo.format.Clock;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.reader.Recording;
import dev.kymo.reader.WriterWatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A recording that is shown with others while it is written.
 *
 * @param name of its file
 * @param begin nanoseconds since 1970, by its clock
 * @param end the same, of what there was when it was opened
 */
record AxisMember(String name, Recording recording, long begin, long end) implements AutoCloseable {
  static AxisMember open(Path path, String name, Terminal terminal) throws IOException {
    try (Recording read = Recording.open(path)) {
      long begin = time(read, CallPass.open(read).base());
      return new AxisMember(name, Recording.open(path), begin, end(read, begin, terminal));
    }
  }

  private static long end(Recording recording, long begin, Terminal terminal) throws IOException {
    if (recording.isGrowing()) {
      long present = new WriterWatch(recording.path()).present();
      return present == Long.MIN_VALUE ? begin : Math.max(begin, time(recording, present));
    }
    try (Timeline timeline = Timelines.open(recording.path(), terminal.progress("reading"))) {
      return timeline.wallBegin() + timeline.duration();
    }
  }

  private static long time(Recording recording, long ticks) {
    Clock clock = recording.metadata().clock();
    return clock.wallOffset() + clock.nanos(ticks);
  }

  /**
   * What is known of its clock by now.
   *
   * @param last ticks of its newest event, or before its begin
   */
  ComparedClock clock(long last) throws IOException {
    long newest = last == Long.MIN_VALUE ? end : Math.max(end, time(recording, last));
    return ComparedClock.of(recording, begin, newest);
  }

  /** Whether what lies beside them says how each one's clock runs to the first one's. */
  static boolean areCompared(List<AxisMember> members) throws IOException {
    boolean any = false;
    for (AxisMember member : members) {
      any |= ComparedClock.isCompared(member.recording());
    }
    return any && network(members).relatesAll();
  }

  private static ClockNetwork network(List<AxisMember> members) throws IOException {
    List<ComparedClock> clocks = new ArrayList<>();
    for (AxisMember member : members) {
      clocks.add(member.clock(Long.MIN_VALUE));
    }
    return new ClockNetwork(clocks);
  }

  /** Joins them by what is known when they were not read. */
  static List<RecordingMerge.Source> join(
      List<AxisMember> members, OffsetOptions offsets, Terminal terminal) throws IOException {
    return join(members, network(members), offsets, terminal);
  }

  /** Joins them; the first one's clock is that of all. */
  static List<RecordingMerge.Source> join(
      List<AxisMember> members, ClockNetwork network, OffsetOptions offsets, Terminal terminal)
      throws IOException {
    return offsets.join(
        members.stream().map(AxisMember::name).toList(),
        members.stream().map(AxisMember::recording).toList(),
        Optional.of(network),
        terminal);
  }

  @Override
  public void close() {
    recording.close();
  }
}
