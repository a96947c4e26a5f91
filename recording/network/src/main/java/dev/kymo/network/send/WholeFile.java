package dev.kymo.network.send;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Small files in a recording's directory of which others see the old or the new content. */
final class WholeFile {
  private WholeFile() {}

  static void write(Path file, CharSequence content) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".fresh");
    Files.writeString(fresh, content);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
