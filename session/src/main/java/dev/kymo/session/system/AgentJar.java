package dev.kymo.session.system;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
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
    Path jar = own().resolveSibling("../agent/kymo-agent.jar").normalize();
    if (Files.isRegularFile(jar)) {
      return jar;
    }
    throw new IOException("the installation is incomplete: missing=" + jar);
  }

  /** The jar of this class. */
  private static Path own() throws IOException {
    URL location = AgentJar.class.getProtectionDomain().getCodeSource().getLocation();
    if (location == null) { // Java has it from a cache that was made before the installation moved
      return Path.of(System.getProperty("java.class.path").split(":", 2)[0]).toAbsolutePath();
    }
    try {
      return Path.of(location.toURI());
    } catch (URISyntaxException e) {
      throw new IOException("cannot find the agent", e);
    }
  }
}
