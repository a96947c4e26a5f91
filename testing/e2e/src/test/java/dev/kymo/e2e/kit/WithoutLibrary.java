package dev.kymo.e2e.kit;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The agent without its library in C, which lies beside its jar and, for those who take only the
 * jar, in it.
 */
public final class WithoutLibrary {
  private static final List<String> ARCHITECTURES = List.of("amd64", "aarch64");

  private WithoutLibrary() {}

  /** Makes the agent's jar in a folder. */
  public static Path jar(Path folder) throws IOException {
    Path jar = Files.copy(Kymo.AGENT, folder.resolve(Kymo.AGENT.getFileName()));
    try (FileSystem inside = FileSystems.newFileSystem(jar)) {
      for (String architecture : ARCHITECTURES) {
        Files.deleteIfExists(inside.getPath(architecture, "libkymo-agent.so"));
      }
    }
    return jar;
  }

  /** The words before kymo's own arguments, with which it takes the agent's jar of a folder. */
  public static List<String> command(Path jar) throws IOException {
    List<String> command = Kymo.command();
    command.add(1, "-Dkymo.agent=" + jar);
    return command;
  }
}
