package dev.kymo.network.listen;

import dev.kymo.network.wire.Hello;
import dev.kymo.network.wire.ProtocolException;
import dev.kymo.network.wire.Secret;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Which directory a recording has: {@code [SESSION/]NAME.kymo}. The file {@code .received} in it
 * has the recording's identity, so that a sender finds it again after the receiver began anew; if
 * it came in parcels, each conversation's identity follows. Used by many threads.
 */
final class Recordings {
  static final String RECEIVED = ".received";
  private static final String SUFFIX = ".kymo";
  private static final int MOST_OF_A_NAME = 10_000;

  private final Path root;
  private final Map<UUID, Path> known = new HashMap<>();

  /** Looks for what was received here before. */
  Recordings(Path root) throws IOException {
    this.root = root;
    look(root, true);
  }

  private void look(Path directory, boolean sessions) throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
      for (Path path : all) {
        Path received = path.resolve(RECEIVED);
        if (Files.isRegularFile(received, LinkOption.NOFOLLOW_LINKS)) {
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

  /** The directory of a sender's recording; made if there is none. */
  synchronized Path directory(Hello hello) throws IOException {
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
