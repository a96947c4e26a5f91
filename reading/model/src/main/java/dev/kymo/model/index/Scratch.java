package dev.kymo.model.index;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A private directory for temporary files. It holds a lock as long as its process lives, so that a
 * later command can remove what a killed one left behind. If nobody closes it, it goes when the
 * process ends, should it be empty then.
 */
public final class Scratch implements AutoCloseable {
  private static final String PREFIX = "kymo-";
  private static final String LOCK = ".alive";

  /** This process's own: checking their locks would release them. */
  private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final FileChannel lock;

  private Scratch(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /**
   * Makes a directory in the one for temporary files, after it has removed those that processes
   * left that do not live any more.
   *
   * @param what it is for, a part of its name
   */
  public static Scratch make(String what) throws IOException {
    sweep();
    Path path = Files.createTempDirectory(PREFIX + what + "-");
    OWN.add(path);
    path.toFile().deleteOnExit();
    Path unlocked = path.resolve(LOCK + "-new");
    FileChannel lock =
        FileChannel.open(unlocked, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try {
      lock.lock();
      Files.move(unlocked, path.resolve(LOCK), StandardCopyOption.ATOMIC_MOVE);
      path.resolve(LOCK).toFile().deleteOnExit();
    } catch (IOException e) {
      lock.close();
      delete(path);
      throw e;
    }
    return new Scratch(path, lock);
  }

  public Path path() {
    return path;
  }

  /** Removes the directory with all that is in it; nothing if it was closed before. */
  @Override
  public void close() throws IOException {
    if (Files.exists(path)) {
      delete(path);
    }
    lock.close();
  }

  /** Removes the directories of this user's processes that do not live any more. */
  public static void sweep() {
    Path place = Path.of(System.getProperty("java.io.tmpdir"));
    try (DirectoryStream<Path> all = Files.newDirectoryStream(place, PREFIX + "*")) {
      Object user = Files.getOwner(Path.of("/proc/self"));
      for (Path path : all) {
        if (!OWN.contains(path)
            && Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
            && Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).equals(user)
            && isLeft(path.resolve(LOCK))) {
          delete(path);
        }
      }
    } catch (IOException e) {
      // what could not be removed is left to the next time
    }
  }

  private static boolean isLeft(Path file) {
    try (FileChannel channel =
            FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        FileLock free = channel.tryLock()) {
      return free != null;
    } catch (IOException e) {
      return false; // not a directory of this kind
    }
  }

  /** Deletes a file, or a directory with everything in it. */
  public static void delete(Path path) throws IOException {
    List<Path> innerFirst;
    try (Stream<Path> all = Files.walk(path)) {
      innerFirst = all.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path each : innerFirst) {
      Files.deleteIfExists(each);
    }
  }
}
