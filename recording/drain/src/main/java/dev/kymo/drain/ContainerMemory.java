package dev.kymo.drain;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;

/**
 * A session's shared memory among the files of a container, reached by {@code /proc/PID/root}.
 * Whoever is in the container may put a link anywhere on the way at any time, which would lead to
 * files of this machine: so each directory is opened in the one above it, and never through a link.
 */
final class ContainerMemory {
  /** {@code /proc/PID/root}. */
  private static final int ROOT_NAMES = 3;

  private ContainerMemory() {}

  /** Removes it, and the user's directory above it if nothing else is there. */
  static void remove(Path sharedMemory) throws IOException {
    Path root = Path.of("/").resolve(sharedMemory.subpath(0, ROOT_NAMES));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(root)) {
      if (files instanceof SecureDirectoryStream<Path> secure) {
        remove(secure, sharedMemory.subpath(ROOT_NAMES, sharedMemory.getNameCount()), 0);
      }
    }
  }

  /**
   * Removes what a path leads to, and then the directory above that.
   *
   * @param above has the name with this index of the path
   */
  private static void remove(SecureDirectoryStream<Path> above, Path path, int index)
      throws IOException {
    Path name = path.getName(index);
    int left = path.getNameCount() - 1 - index;
    try (SecureDirectoryStream<Path> directory =
        above.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
      if (left == 0) {
        clear(directory);
      } else {
        remove(directory, path, index + 1);
      }
    }
    if (left <= 1) {
      deleteIfEmpty(above, name);
    }
  }

  private static void clear(SecureDirectoryStream<Path> session) throws IOException {
    for (Path file : session) {
      Path name = file.getFileName();
      if (!isDirectory(session, name)) {
        session.deleteFile(name);
      } else if (name.toString().startsWith("p")) {
        try (SecureDirectoryStream<Path> home =
            session.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
          clearHome(home);
        }
        deleteIfEmpty(session, name);
      }
    }
  }

  private static void clearHome(SecureDirectoryStream<Path> home) throws IOException {
    for (Path file : home) {
      Path name = file.getFileName();
      if (Home.FILES.matcher(name.toString()).matches()) {
        home.deleteFile(name);
      }
    }
  }

  private static boolean isDirectory(SecureDirectoryStream<Path> above, Path name)
      throws IOException {
    return above
        .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .readAttributes()
        .isDirectory();
  }

  private static void deleteIfEmpty(SecureDirectoryStream<Path> above, Path name)
      throws IOException {
    try {
      above.deleteDirectory(name);
    } catch (DirectoryNotEmptyException e) {
      // somebody in the container, or another recording, uses it
    }
  }
}
