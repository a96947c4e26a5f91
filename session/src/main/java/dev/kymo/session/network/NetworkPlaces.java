package dev.kymo.session.network;

import dev.kymo.session.system.UserFolders;
import java.nio.file.Path;

/** The places of the user's keys, tokens and spools. */
public final class NetworkPlaces {
  private NetworkPlaces() {}

  /** Key and token of the user's own receiver. */
  public static Path own() {
    return UserFolders.settings(System.getenv()).resolve("listen");
  }

  /** Lines of receivers that the user trusts. */
  public static Path trusted() {
    return UserFolders.settings(System.getenv()).resolve("receivers");
  }

  /** Recordings that are here only until they were sent. */
  static Path spools() {
    return UserFolders.cache(System.getenv()).resolve("spool");
  }
}
