package dev.kymo.cli.print;

import dev.kymo.analysis.names.AliasFile;
import dev.kymo.analysis.names.Aliases;
import dev.kymo.analysis.names.EventFilter;
import dev.kymo.cli.options.FormatOptions;
import dev.kymo.session.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for which events {@code kymo print} writes, how and where to. */
final class PrintOptions {
  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "text, a line for people; table, columns with the time since the previous line "
              + "and the place in the program; raw, what was recorded, in columns that never "
              + "change. Default: text.")
  private @Nullable PrintFormat format;

  @Option(
      names = "--event",
      paramLabel = "PATTERN",
      description =
          "Only events with this name (* stands for anything): disk.ALLOC, a.B.run, or "
              + "all of disk, of a.B. May be repeated.")
  private List<String> events = new ArrayList<>();

  @Option(
      names = "--numbers",
      paramLabel = "A..B",
      converter = NumberRange.Converter.class,
      description =
          "Only events with these numbers, which count from 1 over the whole recording: 5..9, 5..,"
              + " ..9, 7.")
  private NumberRange numbers = NumberRange.ALL;

  @Option(
      names = "--aliases",
      paramLabel = "FILE",
      description =
          "Your own names, one a line: 0xHEX = name for an object, thread NAME = "
              + "name, subsystem.EVENT:VALUE = name.")
  private @Nullable Path aliases;

  @Option(
      names = "--split",
      paramLabel = "process|thread",
      description = "A file for each process or each thread, in the directory of -o.")
  private @Nullable Split split;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      description = "Directory to create for the files of --split.")
  private @Nullable Path output;

  /** What has a file of its own. */
  enum Split {
    process,
    thread
  }

  /**
   * Where files go.
   *
   * @param by what has a file of its own
   */
  record Target(Path directory, Split by) {}

  /** The format that was asked for, unless it is one of those for programs. */
  PrintFormat format(FormatOptions others) {
    if (format != null && (others.json() || others.csv())) {
      throw new UsageException("--format, --json and --csv exclude each other");
    }
    return format == null ? PrintFormat.text : format;
  }

  EventFilter filter() {
    return new EventFilter(events);
  }

  NumberRange numbers() {
    return numbers;
  }

  Aliases aliases() throws IOException {
    Path file = aliases;
    if (file == null) {
      return new Aliases();
    }
    try {
      return AliasFile.read(file);
    } catch (NoSuchFileException e) {
      throw new UsageException("no such file with aliases: path=" + file);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  /** Where to, if not to the terminal. */
  Optional<Target> files() {
    if (split == null && output == null) {
      return Optional.empty();
    }
    if (split == null || output == null) {
      throw new UsageException("--split and -o go together: --split process|thread -o DIR");
    }
    if (Files.exists(output)) {
      throw new UsageException("output exists already: path=" + output + "; name a new directory");
    }
    return Optional.of(new Target(output, split));
  }
}
