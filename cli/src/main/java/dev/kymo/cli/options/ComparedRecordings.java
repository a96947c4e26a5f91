package dev.kymo.cli.options;

import dev.kymo.cli.terminal.Nanos;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.editing.clocks.ClockLine;
import dev.kymo.editing.clocks.ClockNetwork;
import dev.kymo.editing.clocks.ComparedClock;
import dev.kymo.editing.clocks.SentMessages;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Recordings whose clocks are compared. */
public final class ComparedRecordings {
  private ComparedRecordings() {}

  /** How their clocks run to each other by what lies beside them; empty if there is nothing. */
  static Optional<ClockNetwork> network(List<Recording> recordings, Terminal terminal)
      throws IOException {
    for (Recording recording : recordings) {
      if (ComparedClock.isCompared(recording)) {
        return Optional.of(network(recordings, false, terminal));
      }
    }
    return Optional.empty();
  }

  /** Whether what lies beside them says how each one's clock runs to the first one's. */
  static boolean areCompared(List<Recording> recordings, Terminal terminal) throws IOException {
    return network(recordings, terminal).map(ClockNetwork::relatesAll).orElse(false);
  }

  /** How their clocks run to each other, by the messages that they sent each other, too. */
  public static ClockNetwork anew(List<Recording> recordings, Terminal terminal)
      throws IOException {
    return network(recordings, true, terminal);
  }

  private static ClockNetwork network(List<Recording> recordings, boolean anew, Terminal terminal)
      throws IOException {
    List<ComparedClock> clocks = new ArrayList<>();
    for (Recording recording : recordings) {
      try (Timeline timeline = Timelines.open(recording.path(), terminal.progress("reading"))) {
        long begin = timeline.wallBegin();
        long end = begin + timeline.duration();
        clocks.add(
            anew
                ? ComparedClock.anew(
                    recording, begin, end, SentMessages.of(recording, terminal.progress("reading")))
                : ComparedClock.of(recording, begin, end));
      }
    }
    return new ClockNetwork(clocks);
  }

  /** How a clock is related to the first one, for people. */
  public static String words(ClockNetwork.Relation relation) {
    return relation.sameCounter()
        ? "the same clock"
        : relation.how() + ", " + words(relation.line());
  }

  /** How fast and how exactly known a clock is, for people. */
  static String words(ClockLine line) {
    String uneven =
        line.slack() == 0
            ? ""
            : "; readings contradict each other by %s, as if a clock went unevenly"
                .formatted(Nanos.text(line.slack()));
    return "%.3f ppm, within %s%s"
        .formatted(line.drift().rate() * 1e6, Nanos.text(line.error()), uneven);
  }
}
