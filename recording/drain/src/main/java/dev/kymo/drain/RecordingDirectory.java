package dev.kymo.drain;

import dev.kymo.format.Clock;
import dev.kymo.format.KernelEventFormat;
import dev.kymo.format.MetadataText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The directory of a recording, as its only writer sees it. While it is written, the file {@code
 * .rings} in it names the shared memory and is locked; a {@code .rings} without a lock is what a
 * killed recorder left behind. {@code .present} says up to which clocks all events, and each
 * process's states, are in the files.
 */
public final class RecordingDirectory implements AutoCloseable {
  private static final String RINGS = ".rings";
  private static final String PRESENT = ".present";
  private static final int LONGEST_PATH = 4096;

  /** Highest number of a process whose states are said to be there. */
  private static final int MOST_STATES = 1 << 20;

  private final Path path;
  private final FileChannel lockFile;
  private @Nullable FileChannel present;
  private List<KernelEventFormat> kernelEvents = List.of();

  private RecordingDirectory(Path path, FileChannel lockFile) {
    this.path = path;
    this.lockFile = lockFile;
  }

  /**
   * Makes a new directory, private to the user.
   *
   * @throws IOException with a message for the user if it exists or cannot be made
   */
  public static RecordingDirectory create(Path path, Path sharedMemory) throws IOException {
    make(path);
    FileChannel lockFile =
        FileChannel.open(
            path.resolve(RINGS), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    lockFile.write(ByteBuffer.wrap(sharedMemory.toString().getBytes(UTF_8)));
    lockFile.lock();
    return new RecordingDirectory(path, lockFile);
  }

  /** Makes an empty directory for a recording, private to the user. */
  public static void make(Path path) throws IOException {
    try {
      Files.createDirectory(
          path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (FileAlreadyExistsException e) {
      throw new IOException(
          "recording exists already: path=" + path + "; remove it or choose another name with -o");
    } catch (NoSuchFileException e) {
      throw new IOException(
          "no such directory to record into: path=" + path.toAbsolutePath().getParent());
    } catch (AccessDeniedException e) {
      throw new IOException(
          "directory is not writable: path="
              + path.toAbsolutePath().getParent()
              + "; choose another place with -o");
    } catch (FileSystemException e) {
      throw new IOException(
          "recording cannot be made: path=%s error=\"%s\"; choose another place with -o"
              .formatted(path, e.getReason()));
    }
  }

  /** Deletes a recording's directory, which has no directories in it. */
  public static void delete(Path directory) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }

  /** Takes over a recording that a killed recorder of this user left; null if there is none. */
  static @Nullable RecordingDirectory takeOver(Path path) throws IOException {
    Path rings = path.resolve(RINGS);
    if (!Files.isRegularFile(rings, LinkOption.NOFOLLOW_LINKS)) {
      return null;
    }
    checkOwner(path, path.toRealPath());
    checkOwner(path, rings);
    FileChannel lockFile =
        FileChannel.open(rings, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    FileLock lock;
    try {
      lock = lockFile.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null; // this process itself records it
    }
    // A recorder that ended in between removed the file and then gave up its lock.
    if (lock == null || !Files.exists(rings, LinkOption.NOFOLLOW_LINKS)) {
      lockFile.close();
      return null;
    }
    return new RecordingDirectory(path, lockFile);
  }

  private static void checkOwner(Path recording, Path file) throws IOException {
    long owner = (Integer) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    if (owner != User.effective()) {
      throw new IOException(
          "it is another user's, who alone can complete it: path=%s owner=%d"
              .formatted(recording, owner));
    }
  }

  /** Where the shared memory of an unfinished recording is. */
  static Path sharedMemory(Path recording) throws IOException {
    Path rings = recording.resolve(RINGS);
    long size = Files.size(rings);
    if (size > LONGEST_PATH) {
      throw new IOException(
          "it does not name a directory: file=%s bytes=%d".formatted(rings, size));
    }
    return Path.of(Files.readString(rings).strip());
  }

  public Path path() {
    return path;
  }

  /** Whether it is still where it was made. */
  boolean isThere() {
    return Files.isDirectory(path);
  }

  /** What to say if it is not. */
  String gone() {
    return "the recording is not there any more, was it renamed? path=" + path;
  }

  /** Sets the recording's kinds of kernel events; the metadata describe them. */
  public void kernelEvents(List<KernelEventFormat> formats) {
    kernelEvents = formats;
  }

  /**
   * Writes or replaces the metadata; a reader sees the old or the new metadata, never a mixture.
   */
  public void writeMetadata(UUID uuid, Clock clock) throws IOException {
    Path fresh = path.resolve(".metadata");
    try {
      Files.writeString(fresh, MetadataText.of(uuid, clock, kernelEvents));
      Files.move(
          fresh,
          path.resolve("metadata"),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } catch (NoSuchFileException e) {
      throw new IOException(gone(), e);
    }
  }

  /** Says that every event up to this clock can be read, but for states. */
  void writePresent(long clock) throws IOException {
    writePresent(0, clock);
  }

  /**
   * Says that every state of a process that was over by this clock can be read; before the clock of
   * all events, {@link #writePresent}.
   */
  void writeStates(int process, long clock) throws IOException {
    if (process <= MOST_STATES) { // a folder in shared memory may have any number
      writePresent(process, clock);
    }
  }

  /** The file is an array of clocks. */
  private void writePresent(int index, long clock) throws IOException {
    Path name = path.resolve(PRESENT);
    try {
      FileChannel file = present;
      if (file == null) {
        file = FileChannel.open(name, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        present = file;
      }
      file.write(
          ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, clock),
          (long) index * Long.BYTES);
    } catch (IOException e) {
      throw new IOException("cannot write: file=" + name + " error=" + e.getMessage(), e);
    }
  }

  /** Marks the recording as complete: no part of it is elsewhere. */
  public void finish() throws IOException {
    Files.deleteIfExists(path.resolve(PRESENT));
    Files.deleteIfExists(path.resolve(RINGS));
  }

  /** Gives up the lock. */
  @Override
  public void close() throws IOException {
    if (present != null) {
      present.close();
    }
    lockFile.close();
  }

  private static final java.nio.charset.Charset UTF_8 = java.nio.charset.StandardCharsets.UTF_8;
}
