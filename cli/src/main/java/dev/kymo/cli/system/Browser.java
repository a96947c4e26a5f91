package dev.kymo.cli;

import java.io.IOException;
import java.util.Map;

/** The user's browser, if there is a screen to show one on. */
final class Browser {
  private Browser() {}

  /** Opens a link; where that cannot be done, the printed link is all there is. */
  static void open(String link) {
    Map<String, String> environment = System.getenv();
    if (!environment.containsKey("DISPLAY") && !environment.containsKey("WAYLAND_DISPLAY")) {
      return;
    }
    ProcessBuilder command = new ProcessBuilder("xdg-open", link);
    // Kymo's own locale is none that a browser should have.
    command.environment().clear();
    command.environment().putAll(Inherited.find().environment());
    command.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    command.redirectError(ProcessBuilder.Redirect.DISCARD);
    try {
      Process _ = command.start();
    } catch (IOException e) {
      // No xdg-open here; nothing is lost, the link has been printed.
    }
  }
}
