package dev.kymo.cli.system;

import java.io.IOException;
import java.util.Map;

/** The user's browser, if there is a screen to show one on. */
public final class Browser {
  private Browser() {}

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
