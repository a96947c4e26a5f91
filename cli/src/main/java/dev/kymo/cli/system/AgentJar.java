package dev.kymo.cli.system;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the agent's jar next to this program's libraries. */
public final class AgentJar {
  private AgentJar() {}

  /** The C library next to it, which may be missing. */
  public static Path library() throws IOException {
    return find().resolveSibling("libkymo-agent.so");
  }

  public static Path find() throws IOException {
    String given = System.getProperty("kymo.agent");
    if (given != null) {
      return Path.of(given).toAbsolutePath();
    }
    try {
      Path own =
          Path.of(AgentJar.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      Path jar = own.resolveSibling("../agent/kymo-agent.jar").normalize();
      if (Files.isRegularFile(jar)) {
        return jar;
      }
      throw new IOException("the installation is incomplete: missing=" + jar);
    } catch (URISyntaxException e) {
      throw new IOException("cannot find the agent", e);
    }
  }
}
