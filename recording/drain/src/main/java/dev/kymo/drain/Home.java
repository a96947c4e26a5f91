package dev.kymo.drain;

import dev.kymo.format.ControlLayout;
import dev.kymo.recorder.platform.ProcFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The folder {@code pN} of a recorded process in the shared memory. Its files are opened relative
 * to the folder as it was first found, and never through a link: where root records, the folder may
 * belong to another user, who can replace everything in it at any time.
 */
public final class Home implements AutoCloseable {
  private static final Set<OpenOption> READ_WRITE =
      Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

  static final Pattern FILES =
      Pattern.compile("control.*|counters|mailbox|ring-.*", Pattern.DOTALL);

  private static final Pattern NUMBER = Pattern.compile("p[1-9][0-9]{0,8}");

  private final Path path;
  private final SecureDirectoryStream<Path> folder;

  private Home(Path path, SecureDirectoryStream<Path> folder) {
    this.path = path;
    this.folder = folder;
  }

  /**
   * Opens a folder.
   *
   * @throws IOException if it is not a directory, or is a link
   */
  static Home open(Path path) throws IOException {
    try (DirectoryStream<Path> session = Files.newDirectoryStream(path.getParent())) {
      if (!(session instanceof SecureDirectoryStream<Path> secure)) {
        throw new IOException("this system cannot open files relative to a directory");
      }
      return new Home(
          path, secure.newDirectoryStream(path.getFileName(), LinkOption.NOFOLLOW_LINKS));
    }
  }

  /** Whether a folder is that of a process that runs as the folder's owner. */
  static boolean isProcess(Path path) {
    try (Home home = open(path)) {
      ByteBuffer control = home.control();
      return control != null
          && home.isTrusted(control, control.getInt(ControlLayout.PID_OFFSET), anyone -> true);
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * The page of the process; null if it is not complete yet. It is read through the file until it
   * says that it is complete, because a page without memory cannot be accessed.
   */
  @Nullable ByteBuffer control() throws IOException {
    ByteBuffer magic = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    try (FileChannel channel = open("control")) {
      if (channel == null
          || channel.size() < ControlLayout.SIZE
          || channel.read(magic, ControlLayout.MAGIC_OFFSET) != Long.BYTES
          || magic.getLong(0) != ControlLayout.MAGIC) {
        return null;
      }
      return map(channel, ControlLayout.SIZE);
    }
  }

  /** Whether the process that a page names has not ended. */
  static boolean isAlive(ByteBuffer control) {
    return isAlive(
        control.getInt(ControlLayout.PID_OFFSET), control.getLong(ControlLayout.BEGUN_BY_OFFSET));
  }

  /**
   * Whether a process that began at a given time or earlier has not ended. If its number was later
   * given to another process, that one began later.
   *
   * @param begunBy clock ticks since boot
   */
  static boolean isAlive(int pid, long begunBy) {
    long begun = ProcFiles.startTime(Integer.toString(pid));
    return begun != 0 && begun <= begunBy;
  }

  /** Whether a process runs, is recorded, and this is its folder. */
  public static boolean isOf(long pid, Path path) {
    String number = Long.toString(pid);
    try (Home home = open(path)) {
      ByteBuffer control = home.control();
      if (control == null || control.getInt(ControlLayout.STATE_OFFSET) != ControlLayout.RUNNING) {
        return false;
      }
      return User.hasOwnNumbers(number)
          ? use(number, path) == Use.YES
          : control.getInt(ControlLayout.PID_OFFSET) == pid && isAlive(control);
    } catch (IOException e) {
      return false;
    }
  }

  enum Use {
    YES,
    NO,
    UNKNOWN
  }

  /** Whether a process uses a folder: it has the folder's page in its memory. */
  static Use use(String pid, Path path) {
    try {
      Object file =
          Files.getAttribute(path.resolve("control"), "unix:ino", LinkOption.NOFOLLOW_LINKS);
      Pattern page = Pattern.compile(" %s +/.*/%s/control\n".formatted(file, path.getFileName()));
      String maps = Files.readString(Path.of("/proc", pid, "maps"), StandardCharsets.ISO_8859_1);
      return page.matcher(maps).find() ? Use.YES : Use.NO;
    } catch (IOException e) {
      return Use.UNKNOWN; // it is another user's, or has ended
    }
  }

  /** The folder's path, for messages and to remove its contents. */
  Path path() {
    return path;
  }

  /**
   * The number in its name.
   *
   * @throws DamagedMemoryException if there is none, or one that is written in another way than a
   *     recorded process does: whoever can write in shared memory makes any folders
   */
  int number() throws DamagedMemoryException {
    String name = path.getFileName().toString();
    int number = NUMBER.matcher(name).matches() ? Integer.parseInt(name, 1, name.length(), 10) : 0;
    if (number == 0) {
      throw new DamagedMemoryException(
          "a folder in shared memory is left alone, its name has no number of a process: folder="
              + path);
    }
    return number;
  }

  /**
   * Opens a file of the folder to map it.
   *
   * @return null if there is no such file
   * @throws IOException if it cannot be opened, or is a link
   */
  @Nullable FileChannel open(String name) throws IOException {
    SeekableByteChannel channel;
    try {
      channel = folder.newByteChannel(Path.of(name), READ_WRITE);
    } catch (NoSuchFileException e) {
      return null;
    }
    if (channel instanceof FileChannel file) {
      return file;
    }
    channel.close();
    throw new IOException("cannot be mapped: file=" + path.resolve(name));
  }

  /**
   * Whether the folder is that of a recorded process. A folder of the recorder's own user is one.
   * While the process that it names lives, another user's folder is one only if the process runs as
   * the folder's owner and belongs to the recording. If the process has ended, the folder must be
   * believed: whoever is not recorded does not know where the session's directory is.
   *
   * @param control the page of the process
   * @param pid the number, here, of the process that the page names
   * @param recorded whether a process belongs to the recording
   */
  boolean isTrusted(ByteBuffer control, int pid, LongPredicate recorded) throws IOException {
    if (isOf(User.effective())) {
      return true;
    }
    long begunBy = control.getLong(ControlLayout.BEGUN_BY_OFFSET);
    if (!isAlive(pid, begunBy)) {
      return begunBy != 0;
    }
    try {
      return isOf(User.effective(Integer.toString(pid))) && recorded.test(pid);
    } catch (IOException e) {
      return true; // it has ended just now
    }
  }

  /** Gives the folder to a user, for a process that has become that user. */
  void giveTo(long user) throws IOException {
    folder.getFileAttributeView(PosixFileAttributeView.class).setOwner(principal(user));
  }

  private boolean isOf(long user) throws IOException {
    return folder
        .getFileAttributeView(PosixFileAttributeView.class)
        .readAttributes()
        .owner()
        .equals(principal(user));
  }

  private UserPrincipal principal(long user) throws IOException {
    return path.getFileSystem()
        .getUserPrincipalLookupService()
        .lookupPrincipalByName(Long.toString(user));
  }

  /** Deletes the files that recorders make. */
  void clear() throws IOException {
    for (Path file : folder) {
      String name = file.getFileName().toString();
      if (FILES.matcher(name).matches()) {
        folder.deleteFile(Path.of(name));
      }
    }
  }

  static ByteBuffer map(FileChannel file, long size) throws IOException {
    return file.map(FileChannel.MapMode.READ_WRITE, 0, size).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public void close() throws IOException {
    folder.close();
  }
}
