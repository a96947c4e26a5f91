package dev.kymo.session.system;

import java.nio.file.Path;
import java.util.Map;

/** The folders where Kymo keeps the files of a user. */
public final class UserFolders {
  private UserFolders() {}

  /** What can be made again. */
  public static Path cache(Map<String, String> environment) {
    return folder(environment, "XDG_CACHE_HOME", ".cache");
  }

  /** Keys, and what the user has decided. */
  public static Path settings(Map<String, String> environment) {
    return folder(environment, "XDG_CONFIG_HOME", ".config");
  }

  private static Path folder(Map<String, String> environment, String variable, String usual) {
    String given = environment.getOrDefault(variable, "");
    String home = environment.getOrDefault("HOME", System.getProperty("user.home"));
    Path folder = given.startsWith("/") ? RawText.path(given) : RawText.path(home).resolve(usual);
    return folder.resolve("kymo").toAbsolutePath();
  }
}
