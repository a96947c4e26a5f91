package dev.kymo.kernel.daemon;

import dev.kymo.kernel.KernelException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The file that clients connect to. A lock beside it, which ends with its process, shows whether an
 * existing socket belongs to a running daemon.
 */
final class SocketFile implements AutoCloseable {
  private static final int BACKLOG = 1024;
  private static final int WRITABLE_BY_OTHERS = 022;
  private static final int STICKY = 01000;
  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwxr-xr-x");
  private static final Set<PosixFilePermission> EVERYBODY =
      PosixFilePermissions.fromString("rw-rw-rw-");

  private final Path path;
  private final Path folder;
  private final FileChannel lock;
  private final ServerSocketChannel server;
  private final boolean given;

  private SocketFile(
      Path path, Path folder, FileChannel lock, ServerSocketChannel server, boolean given) {
    this.given = given;
    this.path = path;
    this.folder = folder;
    this.lock = lock;
    this.server = server;
  }

  /**
   * Listens.
   *
   * @throws KernelException if another daemon listens, or it is not possible
   */
  static SocketFile open(Path socket) throws KernelException {
    return open(socket, null);
  }

  /**
   * Listens at a socket that somebody else has made, such as systemd: it stays there at the end.
   *
   * @throws KernelException if another daemon listens, or others could replace the socket
   */
  static SocketFile given(ServerSocketChannel server) throws IOException {
    if (!(server.getLocalAddress() instanceof UnixDomainSocketAddress address)
        || address.getPath().toString().isEmpty()) {
      throw new KernelException("standard input is a socket without a path");
    }
    server.configureBlocking(false);
    return open(address.getPath(), server);
  }

  private static SocketFile open(Path socket, @Nullable ServerSocketChannel given)
      throws KernelException {
    Path wanted = socket.toAbsolutePath().normalize();
    Path parent = wanted.getParent();
    if (parent == null) {
      throw new KernelException("socket cannot be made: socket=" + wanted);
    }
    try {
      Path folder = makeFolder(parent);
      Path path = folder.resolve(wanted.getFileName());
      FileChannel lock =
          FileChannel.open(
              path.resolveSibling(path.getFileName() + ".lock"),
              Set.of(
                  StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      try {
        // One that is given answers in any case, perhaps to the client for whom this was started.
        if (lock(lock) == null || (given == null && answers(path))) {
          throw new KernelException(
              "a daemon is there already: socket=%s; ask it with: kymo daemon --status --socket %s"
                  .formatted(path, path));
        }
        ServerSocketChannel server = given == null ? bind(path) : given;
        return new SocketFile(path, folder, lock, server, given != null);
      } catch (IOException e) {
        lock.close();
        throw e;
      }
    } catch (KernelException e) {
      throw e;
    } catch (IOException e) {
      throw new KernelException("socket cannot be made: socket=%s: %s".formatted(wanted, e), e);
    }
  }

  /** The folder, without links in its path; made if it is missing. */
  private static Path makeFolder(Path folder) throws IOException {
    for (Path at = folder; at != null; at = at.getParent()) {
      if (Files.isSymbolicLink(at)) {
        checkOwner(at, folder);
      }
    }
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder);
      Files.setPosixFilePermissions(folder, FOLDER); // whatever the umask
    }
    Path real = folder.toRealPath();
    for (Path at = real; at != null; at = at.getParent()) {
      checkOwner(at, folder);
      int mode = (int) Files.getAttribute(at, "unix:mode", LinkOption.NOFOLLOW_LINKS);
      // In a sticky folder nobody can rename another user's folder, but anybody can plant a socket.
      boolean keeps = (mode & STICKY) != 0 && !at.equals(real);
      if ((mode & WRITABLE_BY_OTHERS) != 0 && !keeps) {
        throw new KernelException(
            "others could replace the socket: folder=%s mode=%o; use a folder that only root may write to, also in all folders above it"
                .formatted(at, mode & 07777));
      }
    }
    return real;
  }

  private static void checkOwner(Path at, Path folder) throws IOException {
    long owner =
        Integer.toUnsignedLong((int) Files.getAttribute(at, "unix:uid", LinkOption.NOFOLLOW_LINKS));
    if (owner != 0 && owner != Credentials.own()) {
      throw new KernelException(
          "others could replace the socket: folder=%s path=%s owner=%d; use a folder that belongs to root, as do all above it"
              .formatted(folder, at, owner));
    }
  }

  private static @Nullable FileLock lock(FileChannel file) throws IOException {
    try {
      return file.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // this very process has it
    }
  }

  private static boolean answers(Path path) {
    try (SocketChannel _ = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static ServerSocketChannel bind(Path path) throws IOException {
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      Object type = Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
      if (((int) type & 0xF000) != 0xC000) {
        throw new KernelException(
            "the path exists and is not a socket: path=%s; remove it, or use another --socket"
                .formatted(path));
      }
      Files.delete(path); // left by a dead daemon
    }
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      server.bind(UnixDomainSocketAddress.of(path), BACKLOG);
      Files.setPosixFilePermissions(path, EVERYBODY);
      server.configureBlocking(false);
      return server;
    } catch (IOException e) {
      server.close();
      throw e;
    }
  }

  Path path() {
    return path;
  }

  /** The folder, in which nobody else may write. */
  Path folder() {
    return folder;
  }

  ServerSocketChannel server() {
    return server;
  }

  /** Only the lock's file is left, which others may wait for. */
  @Override
  public void close() throws IOException {
    try (lock;
        server) {
      if (!given) {
        Files.deleteIfExists(path);
      }
    }
  }
}
