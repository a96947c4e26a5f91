package dev.kymo.cli;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the agent, which lies beside this program's libraries. */
final class AgentJar {
  private AgentJar() {}

  /** The library in C that lies beside it; it may be missing. */
  static Path library() throws IOException {
    return find().resolveSibling("libkymo-agent.so");
  }

  static Path find() throws IOException {
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
