package dev.kymo.cli.options;

import dev.kymo.analysis.filter.EventTest;
import dev.kymo.cli.terminal.UsageException;
import dev.kymo.scripts.ScriptFilter;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The script that chooses events. */
public final class FilterOption {
  /** How names of scripts end. */
  public static final String ENDING = ".js";

  @Option(
      names = "--filter",
      paramLabel = "FILE.js",
      description =
          "Only events for which function accept(event) of this script returns true; see"
              + " docs/scripts.md.")
  private @Nullable Path file;

  /** A choice of events, which may have been made by a script. */
  public record Choice(EventTest test, boolean placed) implements AutoCloseable {
    /** Everything. */
    public static final Choice ALL = new Choice(EventTest.ALL, false);

    /** Whether there is none. */
    public boolean isAll() {
      return test.isAll();
    }

    @Override
    public void close() {
      if (test instanceof ScriptFilter script) {
        script.close();
      }
    }
  }

  public boolean isGiven() {
    return file != null;
  }

  /** The script. */
  public Optional<Path> file() {
    return Optional.ofNullable(file);
  }

  /** What the script chooses, if there is one; to be used and closed by this thread. */
  public Choice open() throws IOException {
    return file == null ? Choice.ALL : open(file);
  }

  /** What a script chooses; to be used and closed by this thread. */
  public static Choice open(Path file) throws IOException {
    try {
      ScriptFilter script = ScriptFilter.open(file, Scripts::giveUp);
      return new Choice(script, script.asksForPlaces());
    } catch (NoSuchFileException e) {
      throw new UsageException("no such script: file=" + file);
    }
  }
}
