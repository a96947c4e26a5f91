package dev.kymo.cli.options;

import dev.kymo.analysis.activity.OpenActivities;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.editing.activity.ActivityTracks;
import dev.kymo.reader.Recording;
import dev.kymo.session.system.RawText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for activities that are to have tracks of their own. */
public final class ActivityTracksOption {
  @Option(
      names = "--activities",
      paramLabel = "FILE|NAME: begin=EVENT end=EVENT key=FIELD",
      description =
          "Tracks of activities across threads and processes, with arrows to where they went"
              + " through: from a script FILE.js, a file of declarations or a declaration; see"
              + " docs/scripts.md.")
  private @Nullable String given;

  public boolean isGiven() {
    return given != null;
  }

  /** The file that it was read from; empty if it was declared without one. */
  public Optional<Path> file() {
    return given == null || Scripts.isDeclared(given)
        ? Optional.empty()
        : Optional.of(RawText.path(given));
  }

  /** Makes temporary directories. */
  public interface Place {
    /** An empty directory of this name, for as long as it is needed. */
    Path temporary(String name) throws IOException;
  }

  /** The recording, or one that has tracks of activities, too. */
  public Path shown(Path recording, Place place, Terminal terminal) throws IOException {
    if (given == null) {
      return recording;
    }
    try (Scripts.Rule rule = Scripts.activities(given);
        Recording open = Recording.open(recording)) {
      Path to = place.temporary(open.name());
      ActivityTracks.Written written =
          ActivityTracks.write(open, rule.rule(), to, terminal.progress("reading"));
      tell(written, terminal);
      return to;
    }
  }

  private static void tell(ActivityTracks.Written written, Terminal terminal) {
    tellOdd(written.odd(), terminal);
    if (written.crowdedOut() > 0) {
      terminal.warn(
          "more activities of one name were open at once than have tracks: most=%d without_track=%d"
              .formatted(ActivityTracks.MAX_LANES, written.crowdedOut()));
    }
    if (written.activities() == 0) {
      terminal.warn("no activities: no event began one");
    }
  }

  public static void tellOdd(OpenActivities odd, Terminal terminal) {
    if (odd.unbegun() > 0) {
      terminal.warn("ends without a begin: number=" + odd.unbegun());
    }
    if (odd.givenUp() > 0) {
      terminal.warn(
          "more activities were open at once than are kept, the oldest count as left open: most=%d given_up=%d"
              .formatted(OpenActivities.MAX, odd.givenUp()));
    }
  }
}
