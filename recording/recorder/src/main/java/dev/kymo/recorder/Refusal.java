package dev.kymo.recorder;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * The reason why a process refuses to join a recording: a file in the session's directory, because
 * whoever attaches to the process does not look at its standard error.
 */
public final class Refusal {
  private static final String PREFIX = "refused-";
  private static final int LONGEST = 4096;

  private Refusal() {}

  /** Leaves the reason; false if it cannot. */
  public static boolean write(Path session, String reason) {
    try {
      Files.writeString(session.resolve(PREFIX + ProcessHandle.current().pid()), reason);
      return true;
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  /** Takes the reason that a process has left; empty if there is none. */
  public static String take(Path session) throws IOException {
    String reason = "";
    try (var files = Files.newDirectoryStream(session, PREFIX + "*")) {
      for (Path file : files) {
        // Another user's process may have made it, as any kind of file.
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
          try (var in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            reason = new String(in.readNBytes(LONGEST), StandardCharsets.UTF_8);
          }
        }
        Files.delete(file);
      }
    }
    return reason;
  }
}
