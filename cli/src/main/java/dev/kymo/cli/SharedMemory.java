package dev.kymo.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Where recordings have the memory that they share with the programs. */
final class SharedMemory {
  static final String PREFIX = "kymo-";
  private static final int ROOTS_MODE = 01733;
  private static final Path USUAL = Path.of("/dev/shm");

  private SharedMemory() {}

  /** The directory in which each recording has one of its own. */
  static Path parent() {
    String given = System.getenv("KYMO_SHARED_MEMORY");
    Path fallback = Path.of(System.getProperty("java.io.tmpdir"));
    return given != null ? Path.of(given) : Files.isWritable(USUAL) ? USUAL : fallback;
  }

  /** Root's may be used by processes that give up root; whatever its umask is. */
  static void letOthersRead(Path file) throws IOException {
    if (Files.getAttribute(file, "unix:uid").equals(0)) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    }
  }

  /**
   * Makes one for a recording, private to the user. Of root's, which it has to itself, processes
   * that give up root can make their part of it (but not see or remove another's).
   */
  static Path make() throws IOException {
    Path parent = parent();
    try {
      Path made =
          Files.createTempDirectory(
              parent,
              PREFIX,
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      if (Files.getAttribute(made, "unix:uid").equals(0)) {
        Files.setAttribute(made, "unix:mode", ROOTS_MODE);
      }
      return made;
    } catch (IOException e) {
      throw new IOException(
          "cannot make shared memory: directory=" + parent + " error=" + e.getMessage(), e);
    }
  }
}
