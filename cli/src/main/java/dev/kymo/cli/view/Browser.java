package dev.kymo.cli.view;

import dev.kymo.session.system.Inherited;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** The user's browser, if there is a screen to show one on. */
public final class Browser {
  private Browser() {}

  /**
   * What lets the browser of another machine, from which the user has come by ssh, reach a port
   * here; nothing if there is no such machine.
   */
  public static Optional<String> tunnel(int port, Map<String, String> environment) {
    // The client's address and port, and this machine's.
    String[] ends = environment.getOrDefault("SSH_CONNECTION", "").split(" ");
    if (ends.length != 4) {
      return Optional.empty();
    }
    String user = environment.getOrDefault("USER", System.getProperty("user.name"));
    return Optional.of(
        "from the machine you came from by ssh, open that link after: ssh -N -L %d:127.0.0.1:%d %s%s@%s"
            .formatted(
                port, port, ends[3].equals("22") ? "" : "-p " + ends[3] + " ", user, ends[2]));
  }

  /** Opens a link, if there is a way; the link has been printed, too. */
  public static void open(String link) {
    Map<String, String> environment = System.getenv();
    if (!environment.containsKey("DISPLAY") && !environment.containsKey("WAYLAND_DISPLAY")) {
      return;
    }
    ProcessBuilder command = new ProcessBuilder("xdg-open", link);
    // A browser should not get Kymo's own locale.
    command.environment().clear();
    command.environment().putAll(Inherited.find().environment());
    command.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    command.redirectError(ProcessBuilder.Redirect.DISCARD);
    try {
      Process _ = command.start();
    } catch (IOException e) {
      // There is no xdg-open; the link has been printed anyway.
    }
  }
}
