package dev.kymo.network.listen;

import dev.kymo.network.wire.ProtocolException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The senders of a recording in parcels. A sender that begins anew begins another conversation: it
 * greets first, and sends when the greeting is in the log. What an earlier sender sent may still be
 * on its way then, so the order of the greetings counts. They are in {@code .received}, after the
 * recording's identity:
 *
 * <pre>
 *   said IDENTITY     in the order of the greetings
 *   sends IDENTITY    from here on its parcels count, and those of earlier ones do not
 * </pre>
 */
final class Conversations {
  private static final String SAID = "said ";
  private static final String SENDS = "sends ";

  private final Path file;
  private final List<String> said = new ArrayList<>();
  private int current = -1;
  private boolean unsynced;

  Conversations(Path recording) throws IOException {
    this.file = recording.resolve(Recordings.RECEIVED);
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith(SAID)) {
        said.add(line.substring(SAID.length()));
      } else if (line.startsWith(SENDS)) {
        current = said.indexOf(line.substring(SENDS.length()));
      }
    }
  }

  /** Whether nobody has sent anything yet. */
  boolean isNew() {
    return current < 0;
  }

  /** A greeting has come; again, perhaps. */
  void greet(String identity) throws IOException {
    if (!said.contains(identity)) {
      if (identity.isBlank() || !identity.matches("[0-9A-Za-z-]+")) {
        throw new ProtocolException("not the identity of a conversation");
      }
      append(SAID + identity);
      said.add(identity);
    }
  }

  /**
   * Whether what a sender has sent is to be taken.
   *
   * @throws ProtocolException if its greeting has not come
   */
  boolean counts(String identity) throws ProtocolException {
    int number = said.indexOf(identity);
    if (number < 0) {
      throw new ProtocolException("the begin of this conversation has not come");
    }
    return number >= current;
  }

  /** Whether somebody else has sent before. */
  boolean isAnother(String identity) {
    return said.indexOf(identity) != current;
  }

  /** From now on this sender counts; what came before is on disk. */
  void take(String identity) throws IOException {
    append(SENDS + identity);
    current = said.indexOf(identity);
  }

  private void append(String line) throws IOException {
    try (FileChannel to =
        FileChannel.open(
            file,
            Set.of(
                StandardOpenOption.WRITE, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS))) {
      to.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
      unsynced = true;
    }
  }

  void sync() throws IOException {
    if (unsynced) {
      try (FileChannel to = FileChannel.open(file, StandardOpenOption.WRITE)) {
        to.force(true);
      }
      unsynced = false;
    }
  }
}
