package dev.kymo.importers.target;

import dev.kymo.format.Clock;
import dev.kymo.format.Redaction;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * One file's import: the empty directory that becomes the recording, and who hears how far it is.
 */
public final class Import {
  private final Path directory;
  private final ImportProgress progress;
  private final @Nullable Watcher watcher;
  private final Redaction redaction;

  /** An import into an empty directory. */
  public Import(Path directory, ImportProgress progress) {
    this(directory, progress, null, Redaction.USUAL);
  }

  /**
   * An import into a recording that others read meanwhile.
   *
   * @param watcher hears of each part before readers take it; null = nobody reads
   */
  public Import(Path directory, ImportProgress progress, @Nullable Watcher watcher) {
    this(directory, progress, watcher, Redaction.USUAL);
  }

  private Import(
      Path directory, ImportProgress progress, @Nullable Watcher watcher, Redaction redaction) {
    this.directory = directory;
    this.progress = progress;
    this.watcher = watcher;
    this.redaction = redaction;
  }

  /** The same, but other things are left out of command lines than {@link Redaction#USUAL} says. */
  public Import redacted(Redaction rules) {
    return new Import(directory, progress, watcher, rules);
  }

  /** What is left out of command lines that the file has. */
  public Redaction redaction() {
    return redaction;
  }

  public ImportProgress progress() {
    return progress;
  }

  /**
   * Begins the recording.
   *
   * @param clock of everything that follows
   * @param first time of the first event, or a time shortly before it
   * @param source what the file says of where it was recorded
   */
  public Target begin(Clock clock, long first, Source source, Order order) throws IOException {
    return new Target(directory, watcher, redaction, clock, first, source, order);
  }
}
