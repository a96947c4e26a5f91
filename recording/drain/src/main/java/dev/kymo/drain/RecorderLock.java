package dev.kymo.drain;

import dev.kymo.format.ControlLayout;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/**
 * A lock in a session's directory that a recorder holds as long as it lives: the kernel gives it up
 * when the process dies, however that happens. The recorded processes look at it.
 */
final class RecorderLock implements AutoCloseable {
  private final FileChannel file;

  private RecorderLock(FileChannel file) {
    this.file = file;
  }

  /** Takes the lock of a new session; its file may be there already. */
  static RecorderLock take(Path session) throws IOException {
    Path path = session.resolve(ControlLayout.ALIVE);
    FileChannel file;
    try {
      file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      // Other users' processes that root records check it, too.
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r--r--"));
    } catch (FileAlreadyExistsException e) {
      file = FileChannel.open(path, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    }
    file.lock();
    return new RecorderLock(file);
  }

  /** Whether the recorder of a session lives. */
  static boolean isHeld(Path session) {
    try (FileChannel file =
            FileChannel.open(
                session.resolve(ControlLayout.ALIVE),
                StandardOpenOption.READ,
                LinkOption.NOFOLLOW_LINKS);
        @Nullable FileLock free = file.tryLock(0, Long.MAX_VALUE, true)) {
      return free == null;
    } catch (IOException e) {
      return false; // it had no lock, or has none yet
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
