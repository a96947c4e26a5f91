package dev.kymo.cli.options;

import dev.kymo.cli.terminal.Nanos;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.editing.clocks.BootTime;
import dev.kymo.editing.clocks.ClockCounters;
import dev.kymo.editing.clocks.ClockDrift;
import dev.kymo.editing.clocks.ClockLine;
import dev.kymo.editing.clocks.ClockMatch;
import dev.kymo.editing.clocks.ClockNetwork;
import dev.kymo.editing.clocks.MessageMatch;
import dev.kymo.editing.clocks.SentMessages;
import dev.kymo.editing.slice.RecordingMerge;
import dev.kymo.format.Clock;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.reader.Recording;
import dev.kymo.session.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.Option;

/** Options for joining the clocks of several recordings. */
public final class OffsetOptions {
  private static final String MATCH = "match";
  private static final String MESSAGES = "messages";

  /** Times since a boot are below this, times since 1970 above: 30 years. */
  private static final long LONGEST_UPTIME = 30L * 365 * 86_400 * 1_000_000_000;

  @Option(
      names = "--offset",
      paramLabel = "NAME=TIME",
      description =
          "Moves the times of a recording, by its file's name: --offset b.jfr=1.5ms, or =-2s."
              + " NAME=match finds the offset by moments at which the same threads went on,"
              + " NAME=messages offset and drift by messages to and from the first recording.")
  private Map<String, String> offsets = new HashMap<>();

  public boolean isGiven() {
    return !offsets.isEmpty();
  }

  /**
   * Joins recordings: the first one's clock is that of all.
   *
   * @param names of the files that the user named, in the order of the recordings
   */
  public List<RecordingMerge.Source> join(
      List<String> names, List<Recording> recordings, Terminal terminal) throws IOException {
    return join(names, recordings, ComparedRecordings.network(recordings, terminal), terminal);
  }

  /**
   * The same.
   *
   * @param network what is known of their clocks
   */
  List<RecordingMerge.Source> join(
      List<String> names,
      List<Recording> recordings,
      Optional<ClockNetwork> network,
      Terminal terminal)
      throws IOException {
    for (String name : offsets.keySet()) {
      if (!names.contains(name)) {
        throw new UsageException(
            "no recording has this name: offset=%s names=%s"
                .formatted(name, String.join(", ", names)));
      }
    }
    List<RecordingMerge.Source> sources = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      int number = i;
      Optional<RecordingMerge.Source> compared =
          network
              .flatMap(known -> known.relation(number))
              .flatMap(relation -> compared(names.get(number), recordings.get(number), relation));
      sources.add(
          compared.isPresent()
              ? compared.get()
              : source(names.get(i), recordings.get(i), recordings, terminal));
    }
    return sources;
  }

  /** A recording whose clock was compared with the first one's; empty if something else counts. */
  Optional<RecordingMerge.Source> compared(
      String name, Recording recording, ClockNetwork.Relation relation) {
    return relation.sameCounter() || offsets.containsKey(name)
        ? Optional.empty()
        : Optional.of(compared(recording, relation.line(), relation.how()));
  }

  /**
   * Checks that recordings can be joined while they are written.
   *
   * @throws UsageException if everything would have to be read for that
   */
  void checkGrowing() {
    offsets.forEach((name, offset) -> {
      if (offset.equals(MATCH) || offset.equals(MESSAGES)) {
        throw new UsageException(
            "only recordings that are complete can be compared: offset=%s=%s"
                .formatted(name, offset));
      }
    });
  }

  private RecordingMerge.Source source(
      String name, Recording recording, List<Recording> all, Terminal terminal) throws IOException {
    Recording first = all.get(0);
    String given = offsets.get(name);
    if (given != null && given.equals(MESSAGES) && recording != first) {
      return byMessages(name, first, recording, terminal);
    }
    if (given != null && !given.equals(MATCH) && !given.equals(MESSAGES)) {
      return uncompared(recording, nanos(given), "by the offset that was given");
    }
    if (recording == first) {
      return uncompared(recording, 0, "its clock is that of all");
    }
    if (given == null && !isUptime(recording)) {
      boolean same = ClockCounters.areSame(first.metadata().clock(), recording.metadata().clock());
      return uncompared(recording, 0, same ? "it has the same clock" : "by wall time");
    }
    if (given == null && isUptime(first)) {
      return uncompared(recording, 0, "by the time since the boot, which is taken to be the same");
    }
    OptionalLong boot = given == null ? boot(all) : OptionalLong.empty();
    if (boot.isPresent()) {
      return uncompared(recording, boot.getAsLong(), "by the time since the boot");
    }
    Optional<ClockMatch> match = match(first, recording, terminal);
    if (match.isEmpty()) {
      throw new IOException(
          "clocks cannot be joined: recording=%s; its times are not wall time, and no moments of the same threads agree with those of %s; give --offset %s=TIME"
              .formatted(name, first.name(), name));
    }
    ClockMatch found = match.get();
    return new RecordingMerge.Source(
        recording,
        ClockDrift.constant(found.offset()),
        OptionalLong.of(found.error()),
        "by %d moments at which the same threads went on, within %s"
            .formatted(found.pairs(), Nanos.text(found.error())));
  }

  private static RecordingMerge.Source uncompared(Recording recording, long offset, String how) {
    return new RecordingMerge.Source(
        recording, ClockDrift.constant(offset), OptionalLong.empty(), how);
  }

  private static RecordingMerge.Source compared(Recording recording, ClockLine line, String how) {
    return new RecordingMerge.Source(
        recording,
        line.drift(),
        OptionalLong.of(line.error()),
        how + ", " + ComparedRecordings.words(line));
  }

  private static RecordingMerge.Source byMessages(
      String name, Recording first, Recording recording, Terminal terminal) throws IOException {
    Optional<ClockLine> match =
        MessageMatch.find(
            SentMessages.of(first, terminal.progress("reading")),
            SentMessages.of(recording, terminal.progress("reading")));
    if (match.isEmpty()) {
      throw new IOException(
          "clocks cannot be joined by messages: recording=%s; there have to be some in both directions between it and %s"
              .formatted(name, first.name()));
    }
    return compared(recording, match.get(), "by " + match.get().readings() + " messages");
  }

  /** Whether a clock counts from a boot that nobody has said the time of. */
  private static boolean isUptime(Recording recording) {
    Clock clock = recording.metadata().clock();
    return clock.wallOffset() == 0 && clock.nanos(CallPass.open(recording).base()) < LONGEST_UPTIME;
  }

  private static OptionalLong boot(List<Recording> all) {
    return all.stream()
        .map(BootTime::of)
        .filter(OptionalLong::isPresent)
        .findFirst()
        .orElse(OptionalLong.empty());
  }

  private static Optional<ClockMatch> match(Recording first, Recording other, Terminal terminal)
      throws IOException {
    Path one = first.path();
    try (Timeline a = Timelines.open(one, terminal.progress("reading"));
        Timeline b = Timelines.open(other.path(), terminal.progress("reading"))) {
      return ClockMatch.find(a, b);
    }
  }

  private static long nanos(String text) {
    boolean negative = text.startsWith("-");
    try {
      long nanos = new Nanos.Converter().convert(negative ? text.substring(1) : text).value();
      return negative ? -nanos : nanos;
    } catch (picocli.CommandLine.TypeConversionException e) {
      throw new UsageException("no offset: offset=" + text + "; write for example 1.5ms or -2s");
    }
  }
}
