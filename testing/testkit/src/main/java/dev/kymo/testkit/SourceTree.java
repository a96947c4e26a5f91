package dev.kymo.testkit;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where Kymo's source tree lies: tests run in the folder of their module. */
public final class SourceTree {
  private static final Path ROOT = find();

  private SourceTree() {}

  /** The file or folder with this path from the root of the source tree; absolute. */
  public static Path path(String first, String... more) {
    return ROOT.resolve(Path.of(first, more));
  }

  private static Path find() {
    Path start = Path.of("").toAbsolutePath();
    for (Path folder = start; folder != null; folder = folder.getParent()) {
      if (Files.isRegularFile(folder.resolve("kymo"))
          && Files.isDirectory(folder.resolve("corpus"))) {
        return folder;
      }
    }
    throw new IllegalStateException("not inside Kymo's source tree: folder=" + start);
  }
}
