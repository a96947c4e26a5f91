package dev.kymo.network.listen;

import dev.kymo.network.wire.Hello;
import dev.kymo.network.wire.ProtocolException;
import dev.kymo.network.wire.Secret;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The directory of each recording: {@code [SESSION/]NAME.kymo}. The file {@code .received} in it
 * has the recording's identity, so that a sender finds it again after the receiver began anew; if
 * it came in parcels, each conversation's identity follows. Used by many threads.
 */
final class Recordings {
  static final String RECEIVED = ".received";
  private static final String SUFFIX = ".kymo";

  /** Names of directories that are being removed begin so, and those of no recording. */
  private static final String REMOVED = ".removed-";

  private static final int MOST_OF_A_NAME = 10_000;

  private final Path root;
  private final Map<UUID, Path> known = new HashMap<>();

  /** How many write there. */
  private final Map<Path, Integer> claimed = new HashMap<>();

  /** Looks for what was received here before. */
  Recordings(Path root) throws IOException {
    this.root = root;
    look(root, true);
  }

  private void look(Path directory, boolean sessions) throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
      for (Path path : all) {
        Path received = path.resolve(RECEIVED);
        if (path.getFileName().toString().startsWith(REMOVED)
            && Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
          delete(path); // whoever removed it was killed
        } else if (Files.isRegularFile(received, LinkOption.NOFOLLOW_LINKS)) {
          remember(received);
        } else if (sessions && Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
          look(path, false);
        }
      }
    }
  }

  private void remember(Path received) throws IOException {
    try {
      String first = Files.readString(received).lines().findFirst().orElse("");
      known.put(UUID.fromString(first.strip()), received.getParent());
    } catch (IllegalArgumentException e) {
      // somebody else's file of this name
    }
  }

  /** All that were received here, or are being received: their directories by identity. */
  synchronized Map<UUID, Path> all() {
    return Map.copyOf(known);
  }

  /** Whether somebody writes there, or the rest is still to come. */
  synchronized boolean isComing(Path path) {
    return claimed.containsKey(path)
        || Files.exists(path.resolve(ReceivedRecording.RINGS), LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Removes a recording with everything in its directory.
   *
   * @return false if something of it comes again
   */
  boolean remove(UUID identity, Path path) throws IOException {
    Path removed = path.resolveSibling(REMOVED + identity);
    synchronized (this) {
      if (isComing(path)) {
        return false;
      }
      Files.move(path, removed, StandardCopyOption.ATOMIC_MOVE);
      known.remove(identity, path);
    }
    delete(removed);
    return true;
  }

  /** What marks it as ours goes last. */
  private static void delete(Path directory) throws IOException {
    if (!Files.isRegularFile(directory.resolve(RECEIVED), LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        if (!path.equals(directory) && !path.equals(directory.resolve(RECEIVED))) {
          Files.delete(path);
        }
      }
    }
    Files.delete(directory.resolve(RECEIVED));
    Files.delete(directory);
  }

  /**
   * The directory of a sender's recording, made if there is none; nobody removes it until it is
   * {@linkplain #release released}.
   */
  synchronized Path claim(Hello hello) throws IOException {
    Path path = directory(hello);
    claimed.merge(path, 1, Integer::sum);
    return path;
  }

  /** Whoever has claimed it writes no more. */
  synchronized void release(Path path) {
    claimed.computeIfPresent(path, (p, count) -> count == 1 ? null : count - 1);
  }

  private Path directory(Hello hello) throws IOException {
    Path before = known.get(hello.recording());
    if (before != null && Files.isDirectory(before, LinkOption.NOFOLLOW_LINKS)) {
      return before;
    }
    Path parent =
        hello.session().isEmpty() ? root : root.resolve(FileName.directory(hello.session()));
    Secret.makeDirectory(parent);
    String name = FileName.directory(hello.name());
    String stem = name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
    for (int number = 1; number < MOST_OF_A_NAME; number++) {
      Path path = parent.resolve(stem + (number == 1 ? "" : "-" + number) + SUFFIX);
      if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
        Secret.makeDirectory(path);
        Files.writeString(path.resolve(RECEIVED), hello.recording() + "\n");
        known.put(hello.recording(), path);
        return path;
      }
    }
    throw new ProtocolException("too many recordings of this name: name=" + name);
  }
}
