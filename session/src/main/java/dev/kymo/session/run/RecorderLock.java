package dev.kymo.session.run;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Held while instructions are recorded: a file {@code .recording}, which is locked as long as the
 * recorder lives, and gone when the recording is complete.
 */
public final class RecorderLock implements AutoCloseable {
  private final Path path;
  private final FileChannel file;

  private RecorderLock(Path path, FileChannel file) {
    this.path = path;
    this.file = file;
  }

  /** Holds a recording; null if another recorder does. */
  public static @Nullable RecorderLock hold(Path recording) throws IOException {
    Path path = recording.resolve(".recording");
    FileChannel file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = file.tryLock();
      if (lock != null) {
        return new RecorderLock(path, file);
      }
    } catch (OverlappingFileLockException e) {
      // This process does.
    }
    file.close();
    return null;
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(path);
    file.close();
  }
}
