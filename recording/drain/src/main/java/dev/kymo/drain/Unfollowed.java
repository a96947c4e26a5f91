package dev.kymo.drain;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * The reports of recorded processes about processes that cannot be recorded: lines in a file of the
 * session, to which any process may append. So nothing in it is trusted, and little of it is read.
 */
public final class Unfollowed {
  public static final String FILE = "unfollowed";

  private static final int MOST_BYTES = 80 * 1024;
  private static final int LONGEST = 400;

  private final Path file;
  private int taken;

  Unfollowed(Path session) {
    this.file = session.resolve(FILE);
  }

  /** Makes the file; processes of other users can append to it, but not read it. */
  public static void make(Path session) throws IOException {
    Path file = Files.createFile(session.resolve(FILE));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw--w--w-"));
  }

  /** Returns the lines added since the last call. */
  List<String> take() throws IOException {
    List<String> lines = new ArrayList<>();
    if (taken >= MOST_BYTES || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return lines;
    }
    String text = read();
    int begin = 0;
    for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', begin)) {
      lines.add(printable(text.substring(begin, Math.min(end, begin + LONGEST))));
      begin = end + 1;
    }
    taken += begin;
    return lines;
  }

  /** Reads as Latin-1, so that offsets in the text are offsets in the file. */
  private String read() throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      if (channel.size() <= taken) {
        return "";
      }
      ByteBuffer bytes = ByteBuffer.allocate(MOST_BYTES - taken);
      while (bytes.hasRemaining() && channel.read(bytes, taken + bytes.position()) > 0) {
        // goes on
      }
      return new String(bytes.array(), 0, bytes.position(), StandardCharsets.ISO_8859_1);
    }
  }

  private static String printable(String line) {
    String text =
        new String(line.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8)
            .replaceAll("\\p{Cntrl}", "?");
    return "a process cannot be recorded: " + text;
  }
}
