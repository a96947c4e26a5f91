package dev.kymo.events.generate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A file to be written.
 *
 * @param path relative, with {@code /}
 */
public record GeneratedFile(String path, String text) {
  /**
   * Writes it below a folder, which is made if needed. A file that already has this text is left
   * alone, so that nothing is compiled again without need.
   *
   * @return where it is
   */
  public Path writeTo(Path folder) throws IOException {
    Path file = folder.resolve(path);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (Files.isRegularFile(file) && Arrays.equals(Files.readAllBytes(file), bytes)) {
      return file;
    }
    Path parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    return Files.write(file, bytes);
  }
}
