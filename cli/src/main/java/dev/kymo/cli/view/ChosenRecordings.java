package dev.kymo.cli.view;

import dev.kymo.cli.options.LiveAxis;
import dev.kymo.cli.options.LogOptions;
import dev.kymo.cli.options.OffsetOptions;
import dev.kymo.cli.options.OneAxis;
import dev.kymo.cli.options.RecordingArgument;
import dev.kymo.cli.options.SessionFolder;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.importers.barrelfish.BfscopeAddress;
import dev.kymo.session.system.RawText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The recordings that a command shows: those that were named, and those in directories that were.
 * Used by one thread at a time.
 */
final class ChosenRecordings {
  /** Characters of the name of recordings that are shown as one. */
  private static final int LONGEST_NAME = 80;

  private final List<String> given;
  private final LogOptions logs;
  private final OffsetOptions offsets;
  private final boolean oneAxis;
  private final boolean needsAll;
  private final Terminal terminal;

  /** Those of the given that have recordings in them. */
  private final List<Path> directories = new ArrayList<>();

  private List<String> named = List.of();
  private List<Path> paths = List.of();
  private @Nullable LiveAxis axis;

  /**
   * Finds them.
   *
   * @param oneAxis whether they are to be on one axis in any case
   * @param needsAll whether everything is read before anything is shown
   */
  ChosenRecordings(
      List<String> given,
      LogOptions logs,
      OffsetOptions offsets,
      boolean oneAxis,
      boolean needsAll,
      Terminal terminal)
      throws IOException {
    this.given = given;
    this.logs = logs;
    this.offsets = offsets;
    this.oneAxis = oneAxis;
    this.needsAll = needsAll;
    this.terminal = terminal;
    for (String one : given) {
      if (!isLive(one) && !SessionFolder.recordings(RawText.path(one)).isEmpty()) {
        directories.add(RawText.path(one));
      }
    }
    named = named();
  }

  /** Whether it is still being sent by another tracer. */
  static boolean isLive(String recording) {
    return recording.startsWith(BfscopeAddress.SCHEME);
  }

  private List<String> named() throws IOException {
    List<String> all = new ArrayList<>();
    for (String one : given) {
      if (!isLive(one) && directories.contains(RawText.path(one))) {
        SessionFolder.recordings(RawText.path(one)).forEach(path -> all.add(path.toString()));
      } else {
        all.add(one);
      }
    }
    return all;
  }

  /** The only one, if it is a file or directory. */
  Optional<Path> single() {
    return named.size() == 1 && !isLive(named.getFirst())
        ? Optional.of(RawText.path(named.getFirst()))
        : Optional.empty();
  }

  /** What is to be shown: several files as one recording, if they are to be on one axis. */
  void prepare() throws IOException {
    named = named();
    axis = null;
    paths = prepared();
  }

  /** What is to be shown, each by itself. */
  List<Path> paths() {
    return paths;
  }

  /** What is to be shown instead, if recordings are being written that are to be on one axis. */
  Optional<LiveAxis> axis() {
    return Optional.ofNullable(axis);
  }

  /** Whether recordings that come into the directories are to be shown, too. */
  boolean moreMayCome() {
    return !directories.isEmpty()
        && !needsAll
        && given.stream().noneMatch(ChosenRecordings::isLive);
  }

  /** Recordings that have come into the directories, and are not shown. */
  List<Path> come() throws IOException {
    List<Path> come = new ArrayList<>();
    if (moreMayCome()) {
      for (Path directory : directories) {
        come.addAll(SessionFolder.recordings(directory));
      }
    }
    LiveAxis now = axis;
    come.removeIf(path -> now == null ? named.contains(path.toString()) : now.has(path));
    return come;
  }

  private List<Path> prepared() throws IOException {
    List<Path> ready = new ArrayList<>();
    boolean foreign = false;
    for (String recording : named) {
      Path path = ready(recording);
      foreign |= !path.equals(RawText.path(recording));
      ready.add(path);
    }
    List<Path> files = named.stream().map(RawText::path).toList();
    boolean asked = oneAxis || offsets.isGiven();
    OneAxis one = new OneAxis(logs, offsets, terminal);
    if (!needsAll) {
      axis = one.follow(files, ready, directories, asked, () -> joined(files)).orElse(null);
    }
    if (axis != null || ready.size() < 2 || !(asked || foreign || one.canBeJoined(ready))) {
      return ready;
    }
    Path joined = joined(files);
    if (asked) {
      one.join(files, ready, joined);
      return List.of(joined);
    }
    return joinIfPossible(one, files, ready, joined) ? List.of(joined) : ready;
  }

  private Path ready(String recording) throws IOException {
    return isLive(recording)
        ? logs.follow(recording, terminal)
        : RecordingArgument.ready(RawText.path(recording), logs, terminal);
  }

  /** An empty directory; of a directory's recordings it has the directory's name. */
  private Path joined(List<Path> files) throws IOException {
    boolean ofDirectory = directories.size() == 1 && given.size() == 1;
    String name = String.join(" + ", OneAxis.names(ofDirectory ? directories : files));
    return logs.temporary(name.substring(0, Math.min(name.length(), LONGEST_NAME)), terminal);
  }

  /** Files that cannot be on one axis stand one above the other. */
  private boolean joinIfPossible(OneAxis one, List<Path> files, List<Path> ready, Path joined) {
    try {
      return one.joinIfSameTime(files, ready, joined);
    } catch (IOException e) {
      terminal.warn("not on one axis: " + e.getMessage());
      return false;
    }
  }
}
