package dev.kymo.viewer;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The files a browser loads. A class and not just resources in a jar, because a module lets nobody
 * else read its resources.
 */
public final class ViewerFiles {
  /** Folders and names of plain characters, no part beginning with a dot. */
  private static final Pattern PATH =
      Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*");

  private ViewerFiles() {}

  /**
   * Reads one file.
   *
   * @param path below the viewer's root, such as {@code index.html}
   * @return its bytes, or nothing if there is no such file (a build with {@code -Dviewer.skip} has
   *     none)
   */
  public static Optional<byte[]> read(String path) throws IOException {
    if (!PATH.matcher(path).matches() || path.endsWith(".class")) {
      return Optional.empty();
    }
    try (InputStream in = ViewerFiles.class.getResourceAsStream(path)) {
      return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
    }
  }
}
