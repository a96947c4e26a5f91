package dev.kymo.kernel.daemon;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.HashMap;
import java.util.Map;
import jdk.net.ExtendedSocketOptions;
import jdk.net.UnixDomainPrincipal;

/**
 * Asks the kernel who owns processes and connections. An owner is a user together with a group: the
 * kernel lets nobody debug a process that runs as another group.
 *
 * <pre>
 *   63       32 31        0
 *   +----------+----------+
 *   |  group   |   user   |
 *   +----------+----------+
 * </pre>
 */
final class Credentials {
  /** Owner of a process that only root may look at, such as root's own. */
  static final long NOBODY = -1;

  /** Owner of a process that does not exist, or of which only the rest for its parent exists. */
  static final long GONE = -2;

  private static final String PROC = "/proc/";
  private static final int MOST_KNOWN = 1000;
  private static final int AT_SECURE = 23;
  private static final int HIGHEST_AT = 0xFFFF;

  private final Path folder;
  private final Map<UnixDomainPrincipal, Long> known = new HashMap<>();

  /**
   * Knows nobody yet.
   *
   * @param folder where nobody else may write
   */
  Credentials(Path folder) {
    this.folder = folder;
  }

  static long owner(long uid, long gid) {
    return gid << 32 | uid;
  }

  static long uid(long owner) {
    return owner & 0xFFFF_FFFFL;
  }

  /**
   * The owner at the other end. The class library gives only names, which several owners may share;
   * but it can give the other end a file, and then say who owns that file.
   */
  long peer(SocketChannel channel) throws IOException {
    UnixDomainPrincipal peer = channel.getOption(ExtendedSocketOptions.SO_PEERCRED);
    Long owner = known.get(peer);
    if (owner == null) {
      Path file = Files.createTempFile(folder, "kymo-who", "");
      try {
        // Not through a link, in case somebody else could put one there after all.
        PosixFileAttributeView view =
            Files.getFileAttributeView(
                file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        view.setGroup(peer.group());
        view.setOwner(peer.user());
        owner = owner(number(file, "unix:uid"), number(file, "unix:gid"));
      } finally {
        Files.delete(file);
      }
      if (known.size() >= MOST_KNOWN) {
        known.clear();
      }
      known.put(peer, owner);
    }
    return owner;
  }

  private static long number(Path file, String attribute) throws IOException {
    return Integer.toUnsignedLong(
        (int) Files.getAttribute(file, attribute, LinkOption.NOFOLLOW_LINKS));
  }

  static long own() throws IOException {
    return number(Path.of(PROC + "self/status"), "unix:uid");
  }

  /**
   * The owner to whom a process belongs in every respect, also if it is just beginning a program.
   * Real, effective, saved and file system user are the same, and so are the groups. The process
   * has no capabilities, and its program did not begin with more rights than its caller had ({@code
   * AT_SECURE}). The kernel would let the owner debug it, which it shows by giving the owner the
   * files in {@code /proc/PID}. Otherwise {@link #NOBODY}, or {@link #GONE}.
   */
  static long ofTask(int tid) {
    String folder = PROC + tid;
    try {
      Path status = Path.of(folder, "status");
      if (number(status, "unix:uid") == 0) {
        return isOver(read(folder + "/status")) ? GONE : NOBODY; // root's, or not to be debugged
      }
      // This comes first, because the kernel waits here until a program that just begins has its
      // rights.
      byte[] auxv = bytes(folder + "/auxv");
      if (auxv.length == 0) {
        return GONE; // it is ending: its memory is already gone
      }
      long given = number(status, "unix:uid");
      String text = read(folder + "/status");
      if (isOver(text)) {
        return GONE;
      }
      long uid = only(text, "Uid:");
      long gid = only(text, "Gid:");
      boolean plain =
          uid == given
              && gid >= 0
              && isZero(text, "CapPrm:")
              && isZero(text, "CapEff:")
              && !beganSecure(auxv);
      return plain ? owner(uid, gid) : NOBODY;
    } catch (IOException | NumberFormatException e) {
      return GONE; // or about to end: the kernel says that there is no such process
    }
  }

  private static byte[] bytes(String file) throws IOException {
    try (InputStream in = new FileInputStream(file)) {
      return in.readAllBytes();
    }
  }

  private static String read(String file) throws IOException {
    return new String(bytes(file), StandardCharsets.ISO_8859_1);
  }

  /** The text after a name at the begin of a line; empty if there is no such line. */
  private static String line(String text, String name) {
    // the first line is the thread's name, which may be anything
    int at = text.indexOf("\n" + name);
    if (at < 0) {
      return "";
    }
    int from = at + 1 + name.length();
    int end = text.indexOf('\n', from);
    return text.substring(from, end < 0 ? text.length() : end).strip();
  }

  private static boolean isOver(String status) {
    String state = line(status, "State:");
    return state.startsWith("Z") || state.startsWith("X");
  }

  /** The number that all four have; -1 if they differ. */
  private static long only(String status, String name) {
    String[] numbers = line(status, name).split("\\s+");
    for (String number : numbers) {
      if (numbers.length != 4 || !number.equals(numbers[0])) {
        return -1;
      }
    }
    return Long.parseLong(numbers[0]);
  }

  private static boolean isZero(String status, String name) {
    return line(status, name).matches("0+");
  }

  /**
   * Whether the kernel told the program so when it began; true also if that cannot be found out.
   */
  static boolean beganSecure(byte[] auxv) {
    ByteBuffer all = ByteBuffer.wrap(auxv).order(ByteOrder.LITTLE_ENDIAN);
    boolean wide = all.remaining() >= 8 && all.getLong(0) <= HIGHEST_AT; // otherwise of 32 bits
    while (all.remaining() >= (wide ? 16 : 8)) {
      long type = wide ? all.getLong() : all.getInt();
      long value = wide ? all.getLong() : all.getInt();
      if (type == AT_SECURE) {
        return value != 0;
      }
    }
    return true;
  }
}
