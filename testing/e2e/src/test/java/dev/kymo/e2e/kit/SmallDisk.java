package dev.kymo.e2e.kit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A file system of a few kilobytes; only root can make one. */
public record SmallDisk(Path path) implements AutoCloseable {
  public static SmallDisk mount(Path path, String size) throws Exception {
    assumeTrue(
        System.getProperty("user.name").equals("root"),
        "skipped: only root can mount a small file system");
    Files.createDirectory(path);
    List<String> command =
        List.of("mount", "-t", "tmpfs", "-o", "size=" + size, "kymo-test", path.toString());
    Kymo.Result result = Kymo.exec(path, command.toArray(String[]::new));
    assumeTrue(result.exit() == 0, "skipped: cannot mount here: " + result.err());
    return new SmallDisk(path);
  }

  @Override
  public void close() throws Exception {
    Kymo.exec(Path.of("/"), "umount", path.toString());
  }
}
