package dev.kymo.cli.options;

import dev.kymo.analysis.filter.EventTest;
import dev.kymo.scripts.ScriptFilter;
import dev.kymo.session.UsageException;
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

  /**
   * A choice of events, in which a script may have a part.
   *
   * @param placed whether it may ask for places
   */
  public record Choice(EventTest test, boolean placed, @Nullable ScriptFilter script)
      implements AutoCloseable {
    /** Whether there is none. */
    public boolean isAll() {
      return test.isAll();
    }

    @Override
    public void close() {
      if (script != null) {
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

  /** What options and then the script choose; to be used and closed by this thread. */
  public Choice open(EventChoiceOptions events) throws IOException {
    return open(file, events);
  }

  /**
   * What options and then a script choose; to be used and closed by this thread.
   *
   * @param file null = no script
   */
  public static Choice open(@Nullable Path file, EventChoiceOptions events) throws IOException {
    if (file == null) {
      return new Choice(events.and(EventTest.ALL), false, null);
    }
    try {
      ScriptFilter script = ScriptFilter.open(file, Scripts::giveUp);
      return new Choice(events.and(script), script.asksForPlaces(), script);
    } catch (NoSuchFileException e) {
      throw new UsageException("no such script: file=" + file);
    }
  }
}
