package dev.kymo.session.run;

import dev.kymo.kernel.KernelException;
import dev.kymo.kernel.KernelSource;
import dev.kymo.kernel.Tracefs;
import dev.kymo.kernel.daemon.DaemonOptions;
import dev.kymo.kernel.daemon.DaemonSource;
import dev.kymo.session.StandardError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The user's permission to record kernel events, with the daemon where it is needed. */
public final class KernelPermission {
  /** Names another socket than the usual one. */
  private static final String SOCKET = "KYMO_KERNEL_SOCKET";

  private KernelPermission() {}

  /** Whether this user may, without the daemon. */
  public static boolean isThere() throws IOException {
    return isRoot() && System.getenv(SOCKET) == null;
  }

  public static boolean isRoot() throws IOException {
    return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
  }

  /**
   * Events from the daemon.
   *
   * @param system whether those of all processes are wanted
   * @throws KernelException with what to do if there is none
   */
  static KernelSource daemon(String services, String clock, int bufferKb, boolean system)
      throws IOException {
    Path socket = socket();
    if (System.getenv(SOCKET) == null && !Files.exists(socket)) {
      throw new KernelException(obstacle() + ": start 'kymo daemon' as root");
    }
    KernelSource source = DaemonSource.open(socket, services, clock, bufferKb, StandardError::say);
    if (system && !isRoot()) {
      StandardError.say(
          "the daemon shows only this user's processes; of others it shows that a processor was not idle");
    }
    return source;
  }

  /** Why kernel events cannot be recorded; empty if they can. */
  public static String obstacle() throws IOException {
    if (isThere()) {
      return Tracefs.obstacle();
    }
    return Files.exists(socket()) ? "" : why() + "; nobody listens at " + socket();
  }

  private static Path socket() {
    String given = System.getenv(SOCKET);
    return given == null ? DaemonOptions.SOCKET : Path.of(given);
  }

  private static String why() {
    String obstacle = Tracefs.obstacle();
    return obstacle.isEmpty() ? "kernel events need root, or a daemon" : obstacle;
  }
}
