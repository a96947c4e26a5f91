package dev.kymo.reader;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A directory that is held open. A recording may come from anybody: its files are opened by their
 * names in this directory, even if its path leads elsewhere by then, and never through a link, so
 * that everything read and written lies in it. Pipes and devices are not opened either: a reader
 * could wait for them for ever. Safe for use by several threads.
 */
public final class SafeDirectory implements AutoCloseable {
  private static final Path SELF = Path.of("/proc/self");
  private static final FileAttribute<?> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final Path path;
  private final SecureDirectoryStream<Path> directory;

  private SafeDirectory(Path path, SecureDirectoryStream<Path> directory) {
    this.path = path;
    this.directory = directory;
  }

  /** Opens a directory; the path may be a link, because whoever names it means its target. */
  @SuppressWarnings("StreamResourceLeak") // closed with this
  public static SafeDirectory open(Path path) throws IOException {
    DirectoryStream<Path> opened = Files.newDirectoryStream(path);
    if (opened instanceof SecureDirectoryStream<Path> secure) {
      return new SafeDirectory(path, secure);
    }
    opened.close();
    throw new FileSystemException(path.toString(), null, "files cannot be opened by directory");
  }

  /** Opens a directory in this one; not through a link. */
  public SafeDirectory inner(String name) throws IOException {
    return new SafeDirectory(
        path.resolve(name), directory.newDirectoryStream(Path.of(name), LinkOption.NOFOLLOW_LINKS));
  }

  /** Where it was when it was opened. */
  public Path path() {
    return path;
  }

  /** The names of its present entries, in no particular order. */
  public List<String> names() throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> all = directory.newDirectoryStream(Path.of("."))) {
      all.forEach(entry -> names.add(String.valueOf(entry.getFileName())));
    } catch (java.nio.file.DirectoryIteratorException e) {
      throw e.getCause();
    }
    return names;
  }

  /** Attributes of what has a name; of a link, those of the link itself. */
  public PosixFileAttributes attributes(String name) throws IOException {
    return directory
        .getFileAttributeView(
            Path.of(name), PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .readAttributes();
  }

  /** Whether there is a file of that name that can be read like one. */
  public boolean isFile(String name) {
    try {
      return attributes(name).isRegularFile();
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether the directory belongs to the user of this process. */
  public boolean isOwn() throws IOException {
    UserPrincipal owner =
        directory.getFileAttributeView(PosixFileAttributeView.class).readAttributes().owner();
    return owner.equals(Files.getOwner(SELF));
  }

  /**
   * Opens a file to be read.
   *
   * @throws FileSystemException if it is a link, a pipe, a device or a directory
   */
  public FileChannel read(String name) throws IOException {
    mustBeFile(name);
    return open(name, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
  }

  /** Creates a file that is private to the user; it replaces what has that name. */
  public FileChannel create(String name) throws IOException {
    delete(name);
    return open(
        name,
        Set.of(
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS));
  }

  /** Opens a file to be locked, never to be written; creates it if it does not exist. */
  public FileChannel lockFile(String name) throws IOException {
    if (exists(name)) {
      mustBeFile(name);
    }
    return open(
        name,
        Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
  }

  private FileChannel open(String name, Set<? extends OpenOption> options) throws IOException {
    return (FileChannel) directory.newByteChannel(Path.of(name), options, PRIVATE);
  }

  private void mustBeFile(String name) throws IOException {
    PosixFileAttributes found = attributes(name);
    if (!found.isRegularFile()) {
      throw new FileSystemException(
          path.resolve(name).toString(), null, "is " + kind(found) + ", not opened");
    }
  }

  /** The kind of an entry in words, with its article. */
  static String kind(PosixFileAttributes found) {
    return found.isSymbolicLink()
        ? "a link"
        : found.isDirectory()
            ? "a directory"
            : found.isRegularFile() ? "a file" : "a pipe or a device";
  }

  private boolean exists(String name) {
    try {
      attributes(name);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Deletes a file if it exists; of a link, only the link. */
  public void delete(String name) throws IOException {
    try {
      directory.deleteFile(Path.of(name));
    } catch (NoSuchFileException e) {
      // somebody was faster
    }
  }

  /** Renames a file; it replaces what had the new name. */
  public void rename(String from, String to) throws IOException {
    directory.move(Path.of(from), directory, Path.of(to));
  }

  @Override
  public void close() throws IOException {
    directory.close();
  }
}
