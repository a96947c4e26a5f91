package dev.kymo.cli.options;

import dev.kymo.analysis.slice.RecordingMerge;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Several recordings, and other tracers' files, as one recording. */
public final class OneAxis {
  private final LogOptions logs;
  private final OffsetOptions offsets;
  private final Terminal terminal;

  /** Joins recordings by these options. */
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
    List<String> names = names(paths);
    List<Recording> recordings = new ArrayList<>();
    try {
      for (Path path : ready) {
        recordings.add(Recording.open(path));
      }
      List<RecordingMerge.Source> sources = offsets.join(names, recordings, terminal);
      for (int i = 1; i < sources.size(); i++) {
        RecordingMerge.Source source = sources.get(i);
        terminal.warn("joined %s: %s".formatted(names.get(i), source.joined()));
      }
      return RecordingMerge.of(sources).write(directory, terminal.progress("merging"));
    } finally {
      recordings.forEach(Recording::close);
    }
  }
}
