package dev.kymo.kernel.daemon;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.nio.file.attribute.UserPrincipal;
import java.util.HashMap;
import java.util.Map;
import jdk.net.ExtendedSocketOptions;

/** Who somebody is, asked from the kernel. */
final class Credentials {
  /** Of a process that nobody but root may look at. */
  static final long NOBODY = -1;

  /** There is no such process, or only what its parent is to learn of it. */
  static final long GONE = -2;

  private static final Path PROC = Path.of("/proc");
  private static final String UID = "unix:uid";
  private static final int MOST_KNOWN = 1000;

  private final Path folder;
  private final Map<UserPrincipal, Long> known = new HashMap<>();

  /**
   * Nobody known yet.
   *
   * @param folder where nobody else may write
   */
  Credentials(Path folder) {
    this.folder = folder;
  }

  /**
   * Number of the user at the other end. The class library gives the name only, which need not be
   * his alone; but it can give him a file, and then say whose it is.
   */
  long peer(SocketChannel channel) throws IOException {
    UserPrincipal user = channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
    Long uid = known.get(user);
    if (uid == null) {
      Path file = Files.createTempFile(folder, "kymo-who", "");
      try {
        // Not through a link, should somebody else be able to put one there after all.
        Files.getFileAttributeView(file, FileOwnerAttributeView.class, LinkOption.NOFOLLOW_LINKS)
            .setOwner(user);
        uid = uidOf(file);
      } finally {
        Files.delete(file);
      }
      if (known.size() >= MOST_KNOWN) {
        known.clear();
      }
      known.put(user, uid);
    }
    return uid;
  }

  private static long uidOf(Path file) throws IOException {
    return Integer.toUnsignedLong((int) Files.getAttribute(file, UID, LinkOption.NOFOLLOW_LINKS));
  }

  /** This process's own user. */
  static long own() throws IOException {
    return uidOf(PROC.resolve("self/status"));
  }

  /**
   * The user whose process it is through and through: real, effective, saved and file system user
   * are the same, and the kernel would let him debug it, which it shows by giving him the files in
   * {@code /proc/PID}. Else {@link #NOBODY}, or {@link #GONE}.
   */
  static long ofTask(int tid) {
    Path status = PROC.resolve(Integer.toString(tid)).resolve("status");
    try {
      long owner = uidOf(status);
      for (String line : Files.readAllLines(status)) {
        if (line.startsWith("State:") && line.matches("State:\\s+[ZX].*")) {
          return GONE;
        }
        if (line.startsWith("Uid:")) {
          return pure(line.substring("Uid:".length()).strip().split("\\s+"), owner);
        }
      }
      return NOBODY;
    } catch (NoSuchFileException e) {
      return GONE;
    } catch (IOException | NumberFormatException e) {
      return Files.exists(status) ? NOBODY : GONE;
    }
  }

  private static long pure(String[] uids, long owner) {
    long uid = Long.parseLong(uids[0]);
    boolean same = uids.length == 4;
    for (String other : uids) {
      same &= Long.parseLong(other) == uid;
    }
    return same && (owner == uid || uid == 0) ? uid : NOBODY;
  }
}
