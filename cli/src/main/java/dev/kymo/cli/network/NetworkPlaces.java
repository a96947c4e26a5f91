package dev.kymo.cli.network;

import dev.kymo.cli.system.RawText;
import java.nio.file.Path;

/** Where the user's keys, tokens and spools are. */
public final class NetworkPlaces {
  private NetworkPlaces() {}

  /** Key and token of the user's own receiver. */
  public static Path own() {
    return place("XDG_CONFIG_HOME", ".config").resolve("listen");
  }

  /** Lines of receivers that the user trusts. */
  public static Path trusted() {
    return place("XDG_CONFIG_HOME", ".config").resolve("receivers");
  }

  /** Recordings that are here only until they were sent. */
  static Path spools() {
    return place("XDG_CACHE_HOME", ".cache").resolve("spool");
  }

  private static Path place(String variable, String usual) {
    String given = System.getenv().getOrDefault(variable, "");
    String home = System.getenv().getOrDefault("HOME", System.getProperty("user.home"));
    Path place = given.startsWith("/") ? RawText.path(given) : RawText.path(home).resolve(usual);
    return place.resolve("kymo").toAbsolutePath();
  }
}
