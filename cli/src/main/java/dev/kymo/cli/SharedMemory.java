package dev.kymo.cli;

import dev.kymo.recorder.Session;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Where recordings have the memory that they share with the programs. */
final class SharedMemory {
  static final String PREFIX = "kymo-";
  private static final Path USUAL = Path.of("/dev/shm");

  private SharedMemory() {}

  /** The directory in which each recording has one of its own. */
  static Path parent() {
    String given = System.getenv("KYMO_SHARED_MEMORY");
    Path fallback = Path.of(System.getProperty("java.io.tmpdir"));
    return given != null ? Path.of(given) : Files.isWritable(USUAL) ? USUAL : fallback;
  }

  /** Tells the programs what is recorded; the first thing that needs room there. */
  static void store(Session session) throws IOException {
    try {
      session.store();
    } catch (IOException e) {
      throw new IOException(
          "shared memory cannot be written: directory=%s error=\"%s\"; make room, or name another directory in KYMO_SHARED_MEMORY"
              .formatted(session.directory(), reason(e)),
          e);
    }
  }

  /** Whether there is no room for the buffer of a program's first thread. */
  static boolean isFull(Path directory, int buffer) {
    try {
      return Files.getFileStore(directory).getUsableSpace() < buffer;
    } catch (IOException e) {
      return false;
    }
  }

  private static String reason(IOException e) {
    return String.valueOf(
        e instanceof FileSystemException system && system.getReason() != null
            ? system.getReason()
            : e.getMessage());
  }

  /** Makes one for a recording, private to the user. */
  static Path make() throws IOException {
    Path parent = parent();
    try {
      return Files.createTempDirectory(
          parent,
          PREFIX,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (IOException e) {
      throw new IOException(
          "cannot make shared memory: directory=" + parent + " error=" + reason(e), e);
    }
  }
}
