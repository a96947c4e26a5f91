package dev.kymo.reader;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Checks whether a recording is still being written. Its recorder holds a lock on {@code .rings}
 * while it lives, and removes that file when everything is in the streams.
 */
public final class WriterWatch {
  private static final String RINGS = ".rings";
  private static final String PRESENT = ".present";

  /**
   * Each question for the lock opens a file, and is in the way of whoever completes a recording.
   */
  private static final long LOCK_PERIOD = TimeUnit.SECONDS.toNanos(1);

  private final Path recording;
  private boolean locked = true;
  private long asked = System.nanoTime() - LOCK_PERIOD;
  private long present = Long.MIN_VALUE;

  public WriterWatch(Path recording) {
    this.recording = recording;
  }

  /** The present state; ask before reading the streams. */
  public RecordingState look() {
    if (!isThere()) {
      return RecordingState.COMPLETE;
    }
    long now = System.nanoTime();
    if (now - asked >= LOCK_PERIOD) {
      asked = now;
      locked = isLocked();
    }
    return locked ? RecordingState.GROWING : RecordingState.ABANDONED;
  }

  private boolean isThere() {
    return Files.isRegularFile(recording.resolve(RINGS), LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Clock up to which every event is in the streams; ask before reading them. {@link
   * Long#MIN_VALUE} if unknown.
   */
  public long present() {
    try (FileChannel file = open(PRESENT)) {
      present = Math.max(present, clock(file, 0, Long.MIN_VALUE));
    } catch (IOException e) {
      // It does not exist yet, or any more: the last answer stays true.
    }
    return present;
  }

  /**
   * Finds out up to which clocks processes' states that are over are in the streams; ask after
   * {@link #present} and before reading them.
   *
   * @param clocks by process, which only grow; 0 if its states come at once, or if it is unknown
   */
  void states(Map<Integer, Long> clocks) {
    try (FileChannel file = open(PRESENT)) {
      for (Map.Entry<Integer, Long> process : clocks.entrySet()) {
        process.setValue(Math.max(process.getValue(), clock(file, process.getKey(), 0)));
      }
    } catch (IOException e) {
      // likewise
    }
  }

  /**
   * An entry of the array; it may be missing, or damaged: clocks count from 0. The largest number
   * says that everything is there.
   */
  private static long clock(FileChannel file, int index, long missing) throws IOException {
    ByteBuffer clock = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    long at = Integer.toUnsignedLong(index) * Long.BYTES; // a file may have any number
    long read = file.read(clock, at) == Long.BYTES ? clock.getLong(0) : missing;
    return read < 0 ? missing : read;
  }

  /** Opening a pipe would wait. */
  private FileChannel open(String name) throws IOException {
    Path path = recording.resolve(name);
    if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new NoSuchFileException(path.toString());
    }
    return FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
  }

  private boolean isLocked() {
    try (FileChannel file = open(RINGS);
        FileLock lock = file.tryLock(0, Long.MAX_VALUE, true)) {
      // A recorder that ended in between removed the file and then gave up its lock.
      return lock == null || !isThere();
    } catch (OverlappingFileLockException e) {
      return true; // recorded by this very process
    } catch (NoSuchFileException e) {
      return true; // just completed: seen next time
    } catch (IOException e) {
      return false;
    }
  }
}
