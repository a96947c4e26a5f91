package dev.kymo.cli.options;

import dev.kymo.cli.terminal.Terminal;
import dev.kymo.editing.slice.RecordingMerge;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.reader.Recording;
import dev.kymo.reader.RecordingState;
import dev.kymo.reader.WriterWatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Several recordings, and other tracers' files, as one recording. */
public final class OneAxis {
  private final LogOptions logs;
  private final OffsetOptions offsets;
  private final Terminal terminal;

  public OneAxis(LogOptions logs, OffsetOptions offsets, Terminal terminal) {
    this.logs = logs;
    this.offsets = offsets;
    this.terminal = terminal;
  }

  /** Names of files, as options and messages have them. */
  public static List<String> names(List<Path> paths) {
    return paths.stream().map(path -> String.valueOf(path.normalize().getFileName())).toList();
  }

  /** Writes them into an empty directory; returns the number of their events. */
  public long write(List<Path> paths, Path directory) throws IOException {
    List<Path> ready = new ArrayList<>();
    for (Path path : paths) {
      ready.add(RecordingArgument.ready(path, logs, terminal));
    }
    return join(paths, ready, directory);
  }

  /** The same of recordings that are ready to be opened. */
  public long join(List<Path> paths, List<Path> ready, Path directory) throws IOException {
    return joined(paths, ready, sources -> write(paths, sources, directory));
  }

  /**
   * The same if some of them are of the same time.
   *
   * @return whether they are, and were written
   */
  public boolean joinIfSameTime(List<Path> paths, List<Path> ready, Path directory)
      throws IOException {
    return joined(
        paths,
        ready,
        sources -> {
          List<long[]> ranges = new ArrayList<>();
          for (RecordingMerge.Source source : sources) {
            ranges.add(range(source));
          }
          boolean same = overlap(ranges);
          if (same) {
            write(paths, sources, directory);
          }
          return same;
        });
  }

  /** Whether recordings are complete, and what lies beside them says how their clocks run. */
  public boolean canBeJoined(List<Path> ready) throws IOException {
    return opened(
        ready,
        recordings ->
            recordings.stream().noneMatch(Recording::isGrowing)
                && ComparedRecordings.areCompared(recordings, terminal));
  }

  /**
   * Begins to show recordings as one while they are written.
   *
   * @param paths as the user named them
   * @param ready the same, ready to be opened
   * @param directories of recordings, to which more may come
   * @param asked whether clocks that were not compared are to be joined, too
   * @param place gives an empty directory
   * @return empty if none of them is being written, or they cannot be on one axis
   */
  public Optional<LiveAxis> follow(
      List<Path> paths, List<Path> ready, List<Path> directories, boolean asked, Place place)
      throws IOException {
    if (ready.stream().noneMatch(OneAxis::isGrowing)) {
      return Optional.empty();
    }
    List<AxisMember> members = new ArrayList<>();
    try {
      for (int i = 0; i < ready.size(); i++) {
        members.add(AxisMember.open(ready.get(i), names(paths).get(i), terminal));
      }
      if (isLive(members, !directories.isEmpty(), asked)) {
        offsets.checkGrowing();
        List<AxisMember> taken = List.copyOf(members);
        members.clear();
        return Optional.of(
            new LiveAxis(taken, place.make(), directories, offsets, asked, terminal));
      }
      return Optional.empty();
    } finally {
      members.forEach(AxisMember::close);
    }
  }

  private static boolean isGrowing(Path recording) {
    return new WriterWatch(recording).look() == RecordingState.GROWING;
  }

  /** Where a recording is made. */
  public interface Place {
    /** An empty directory. */
    Path make() throws IOException;
  }

  private boolean isLive(List<AxisMember> members, boolean moreMayCome, boolean asked)
      throws IOException {
    if (members.size() == 1) {
      return moreMayCome;
    }
    return asked || (AxisMember.areCompared(members) && overlapNow(members));
  }

  private boolean overlapNow(List<AxisMember> members) throws IOException {
    List<RecordingMerge.Source> sources = AxisMember.join(members, offsets, terminal);
    List<long[]> ranges = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      AxisMember member = members.get(i);
      long moved = sources.get(i).drift().at(member.begin());
      long end = member.recording().isGrowing() ? Long.MAX_VALUE : member.end() + moved;
      ranges.add(new long[] {member.begin() + moved, end});
    }
    return overlap(ranges);
  }

  private interface Use<F, T> {
    T of(List<F> from) throws IOException;
  }

  private <T> T joined(List<Path> paths, List<Path> ready, Use<RecordingMerge.Source, T> use)
      throws IOException {
    return opened(ready, recordings -> use.of(offsets.join(names(paths), recordings, terminal)));
  }

  private static <T> T opened(List<Path> ready, Use<Recording, T> use) throws IOException {
    List<Recording> recordings = new ArrayList<>();
    try {
      for (Path path : ready) {
        recordings.add(Recording.open(path));
      }
      return use.of(recordings);
    } finally {
      recordings.forEach(Recording::close);
    }
  }

  private long write(List<Path> paths, List<RecordingMerge.Source> sources, Path directory)
      throws IOException {
    for (int i = 1; i < sources.size(); i++) {
      terminal.warn("joined %s: %s".formatted(names(paths).get(i), sources.get(i).joined()));
    }
    return RecordingMerge.of(sources).write(directory, terminal.progress("merging"));
  }

  private long[] range(RecordingMerge.Source source) throws IOException {
    try (Timeline timeline =
        Timelines.open(source.recording().path(), terminal.progress("reading"))) {
      long begin = timeline.wallBegin() + source.drift().at(timeline.wallBegin());
      return new long[] {begin, begin + timeline.duration()};
    }
  }

  /** Whether a recording has anything of the time of another one. */
  private static boolean overlap(List<long[]> ranges) {
    List<long[]> sorted = new ArrayList<>(ranges);
    sorted.sort(Comparator.comparingLong(range -> range[0]));
    long end = Long.MIN_VALUE;
    boolean overlap = false;
    for (long[] range : sorted) {
      overlap |= range[0] <= end;
      end = Math.max(end, range[1]);
    }
    return overlap;
  }
}
