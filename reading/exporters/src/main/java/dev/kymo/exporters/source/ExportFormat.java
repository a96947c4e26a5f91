package dev.kymo.exporters.source;

import java.io.IOException;
import java.nio.file.Path;

/** A format that recordings can be written in. */
public interface ExportFormat {
  /** What users call it. */
  String name();

  /** One line for the help. */
  String description();

  default boolean isDirectory() {
    return false;
  }

  /** Whether command lines of processes are in it. */
  default boolean hasCommands() {
    return true;
  }

  /**
   * Writes an export. The same recording gives the same bytes.
   *
   * @param to an empty file or directory
   * @return what was written, in words
   * @throws java.io.UncheckedIOException also, if the output cannot be written
   */
  String write(ExportSource source, Path to) throws IOException;
}
