package dev.kymo.jmh;

import dev.kymo.api.Unrecorded;
import java.nio.file.Files;
import java.nio.file.Path;

/** Names of recordings and pages. */
@Unrecorded
final class Places {
  /** Text of the marks in a recording with one benchmark. */
  static final String RUN = "1";

  /** Names of files may have 255 bytes. */
  private static final int LONGEST = 200;

  private Places() {}

  /** A recording that is not there yet, of a benchmark with its parameters. */
  static Path free(Path folder, String benchmark) {
    // The agent takes commas and percent signs for its own.
    String name = benchmark.replaceAll("[^A-Za-z0-9_.$=-]", "_");
    name = name.substring(0, Math.min(name.length(), LONGEST));
    int number = 1;
    while (Files.exists(folder.resolve(name + "-" + number + ".kymo"))) {
      number++;
    }
    return folder.resolve(name + "-" + number + ".kymo");
  }

  /**
   * The page of a recording.
   *
   * @param run which of its benchmarks is shown; empty = there is one
   */
  static Path page(Path recording, String run) {
    String name = recording.getFileName().toString().replaceFirst("\\.kymo$", "");
    return recording.resolveSibling(name + (run.isEmpty() ? "" : "-" + run) + ".html");
  }
}
