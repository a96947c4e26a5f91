package dev.kymo.drain;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * A session's shared memory among the files of a container, reached by {@code /proc/PID/root}.
 * Whoever is in the container may put a link anywhere on the way at any time, which would lead to
 * files of this machine: so each directory is opened in the one above it, and never through a link.
 */
final class ContainerMemory implements AutoCloseable {
  /** How the directories begin that hold files of flight recorders; the agent makes them. */
  static final String FLIGHT_RECORDER = "jfr-";

  /** {@code /proc/PID/root}. */
  private static final int ROOT_NAMES = 3;

  private static final Path OPEN_FILES = Path.of("/proc/self/fd");

  private final SecureDirectoryStream<Path> session;
  private final Path path;

  private ContainerMemory(SecureDirectoryStream<Path> session, Path path) {
    this.session = session;
    this.path = path;
  }

  /**
   * Opens it. Until it is closed, its {@link #path} is this directory, whatever is put in its
   * place.
   *
   * @return null if it is gone
   * @throws IOException if something on the way is a link, or no directory
   */
  static @Nullable ContainerMemory open(Path sharedMemory) throws IOException {
    SecureDirectoryStream<Path> at = null;
    try {
      at = secure(root(sharedMemory));
      for (Path name : inner(sharedMemory)) {
        try (SecureDirectoryStream<Path> above = at) {
          at = above.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
        }
      }
      return new ContainerMemory(at, number(at));
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      if (at != null) {
        at.close();
      }
      throw new IOException(
          "it cannot be opened: directory=%s error=%s".formatted(sharedMemory, e), e);
    }
  }

  /** The path of an open directory by its number, which the class library does not tell. */
  private static Path number(SecureDirectoryStream<Path> directory) throws IOException {
    Object key =
        directory.getFileAttributeView(BasicFileAttributeView.class).readAttributes().fileKey();
    try (DirectoryStream<Path> numbers = Files.newDirectoryStream(OPEN_FILES)) {
      for (Path number : numbers) {
        if (isOpen(number, key)) {
          return number.resolve("."); // the directory, and no link to it
        }
      }
    }
    throw new IOException("it is not among the open files: directory=" + key);
  }

  private static boolean isOpen(Path number, Object key) {
    try {
      return key.equals(Files.readAttributes(number, BasicFileAttributes.class).fileKey());
    } catch (IOException e) {
      return false; // closed just now
    }
  }

  Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    session.close();
  }

  private static Path root(Path sharedMemory) {
    return Path.of("/").resolve(sharedMemory.subpath(0, ROOT_NAMES));
  }

  private static Path inner(Path sharedMemory) {
    return sharedMemory.subpath(ROOT_NAMES, sharedMemory.getNameCount());
  }

  @SuppressWarnings("StreamResourceLeak") // whoever asks closes it
  private static SecureDirectoryStream<Path> secure(Path directory) throws IOException {
    DirectoryStream<Path> files = Files.newDirectoryStream(directory);
    if (files instanceof SecureDirectoryStream<Path> secure) {
      return secure;
    }
    files.close();
    throw new IOException("this system cannot open files relative to a directory");
  }

  /** Removes it, and the user's directory above it if nothing else is there. */
  static void remove(Path sharedMemory) throws IOException {
    try (SecureDirectoryStream<Path> root = secure(root(sharedMemory))) {
      remove(root, inner(sharedMemory), 0);
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
      } else if (name.toString().startsWith(FLIGHT_RECORDER)) {
        removeTree(session, name);
      }
    }
  }

  /** Removes a directory with all that is in it, whoever else may change it meanwhile. */
  static void removeTree(SecureDirectoryStream<Path> above, Path name) throws IOException {
    try (SecureDirectoryStream<Path> directory =
        above.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
      for (Path file : directory) {
        if (isDirectory(directory, file.getFileName())) {
          removeTree(directory, file.getFileName());
        } else {
          directory.deleteFile(file.getFileName());
        }
      }
    }
    deleteIfEmpty(above, name);
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
