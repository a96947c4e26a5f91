package dev.kymo.session.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Runs a program of this machine for its output. */
final class HostProgram {
  private static final int LAST_LINES = 3;

  private HostProgram() {}

  /**
   * What it writes on standard output.
   *
   * @param extra variables of the environment; one with an empty value is removed
   * @throws IOException if it fails, with what it wrote last
   */
  static String run(Path directory, Map<String, String> extra, List<String> words)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(words).directory(directory.toFile());
    builder.redirectErrorStream(true);
    extra.forEach((name, value) -> {
      if (value.isEmpty()) {
        builder.environment().remove(name);
      } else {
        builder.environment().put(name, value);
      }
    });
    Process process = builder.start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = process.waitFor();
    if (code != 0) {
      throw new IOException(
          "%s failed: exit_code=%d output=\"%s\"".formatted(words.getFirst(), code, last(text)));
    }
    return text;
  }

  /** The last lines of a text, as one. */
  static String last(String text) {
    List<String> lines = text.lines().filter(line -> !line.isBlank()).toList();
    return lines.stream()
        .skip(Math.max(0, lines.size() - LAST_LINES))
        .map(String::strip)
        .collect(Collectors.joining("; "));
  }
}
