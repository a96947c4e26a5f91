package dev.kymo.server.access;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Which user a connection comes from, as the kernel reports for sockets of the same machine. The
 * second line of defence after {@link Access}: a secret may be seen or guessed, a user id may not.
 *
 * <pre>
 *   /proc/net/tcp:  sl  local_address  rem_address  st  tx:rx  tr:when  retrnsmt  uid  timeout  inode
 *                   0:  0100007F:1F90  0100007F:D431 01 ...                      1000        0  4711
 * </pre>
 */
public final class PeerUser {
  /** Unknown: another network, or no {@code /proc}. */
  static final int UNKNOWN = -1;

  /** The peer has closed its socket; its former owner is unknown. */
  static final int GONE = -2;

  private static final int LOCAL = 1;
  private static final int REMOTE = 2;
  private static final int UID = 7;
  private static final int INODE = 9;

  /**
   * The kernel takes milliseconds to answer, because it searches its whole table of sockets. So its
   * answer stays valid for a connection that keeps asking; its port cannot become another user's in
   * this time.
   */
  private static final long REMEMBERED = TimeUnit.SECONDS.toNanos(2);

  private static final int MOST_REMEMBERED = 1000;

  private final Path proc;
  private final Set<Integer> allowed;

  /** When a port of a peer that may ask was seen last. */
  private final Map<Integer, Long> seen = new ConcurrentHashMap<>();

  PeerUser(Path proc, Set<Integer> allowed) {
    this.proc = proc;
    this.allowed = Set.copyOf(allowed);
  }

  /**
   * Lets in the user of this process and root; if root has it from {@code sudo}, also who asked.
   */
  public static PeerUser ofThisProcess() {
    Set<Integer> users = new HashSet<>();
    users.add(0);
    try {
      int own = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
      users.add(own);
      if (own == 0) {
        addSudo(users, System.getenv());
      }
    } catch (IOException | RuntimeException e) {
      return new PeerUser(Path.of("/nowhere"), Set.of()); // then the kernel reports nothing
    }
    return new PeerUser(Path.of("/proc/net"), users);
  }

  private static void addSudo(Set<Integer> users, Map<String, String> environment) {
    for (String name : new String[] {"SUDO_UID", "PKEXEC_UID"}) {
      String text = environment.getOrDefault(name, "");
      if (text.matches("\\d{1,9}")) {
        users.add(Integer.valueOf(text));
      }
    }
  }

  /**
   * Whether a connection belongs to somebody who may ask, as far as is known.
   *
   * @param afresh whether earlier answers do not count
   */
  boolean mayAsk(InetSocketAddress peer, InetSocketAddress local, boolean afresh) {
    long now = System.nanoTime();
    Long before = seen.get(peer.getPort());
    if (afresh || before == null || now - before > REMEMBERED) {
      int user = of(peer, local);
      if (user != UNKNOWN && !allowed.contains(user)) {
        seen.remove(peer.getPort());
        return false;
      }
    }
    if (seen.size() >= MOST_REMEMBERED) {
      seen.clear();
    }
    seen.put(peer.getPort(), now);
    return true;
  }

  /** Whether a connection belongs to somebody who may ask, for certain. */
  public boolean isSurelyAllowed(Socket connection) {
    return connection.getRemoteSocketAddress() instanceof InetSocketAddress peer
        && connection.getLocalSocketAddress() instanceof InetSocketAddress local
        && allowed.contains(of(peer, local));
  }

  int of(InetSocketAddress peer, InetSocketAddress local) {
    String theirs = hex(peer);
    String ours = hex(local);
    if (!(peer.getAddress() instanceof Inet4Address)) {
      return find("tcp6", theirs, ours);
    }
    int found = find("tcp", theirs, ours);
    // A program may speak to an address of four bytes through a socket for those of sixteen.
    String mapped = "0000000000000000FFFF0000";
    return found != UNKNOWN ? found : find("tcp6", mapped + theirs, mapped + ours);
  }

  private int find(String table, String theirs, String ours) {
    try (BufferedReader lines = Files.newBufferedReader(proc.resolve(table))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.contains(theirs)) {
          String[] cells = line.strip().split("\\s+");
          if (cells.length > INODE && cells[LOCAL].equals(theirs) && cells[REMOTE].equals(ours)) {
            return cells[INODE].equals("0") ? GONE : Integer.parseInt(cells[UID]);
          }
        }
      }
    } catch (IOException | NumberFormatException e) {
      return UNKNOWN;
    }
    return UNKNOWN;
  }

  /** An address as the kernel of a little-endian machine writes it. */
  private static String hex(InetSocketAddress address) {
    ByteBuffer bytes = ByteBuffer.wrap(address.getAddress().getAddress());
    StringBuilder hex = new StringBuilder();
    while (bytes.hasRemaining()) {
      hex.append("%08X".formatted(Integer.reverseBytes(bytes.getInt())));
    }
    return hex.append(":%04X".formatted(address.getPort())).toString();
  }
}
