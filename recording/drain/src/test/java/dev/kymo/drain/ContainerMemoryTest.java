package dev.kymo.drain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is in a container cannot have files of this machine removed. */
class ContainerMemoryTest {
  @TempDir Path folder;

  @Test
  void aLinkOnTheWayIsNotFollowed() throws IOException {
    long pid = ProcessHandle.current().pid();
    Path own = Path.of("/tmp", "kymo-9" + pid);
    Path kept = Files.writeString(Files.createDirectory(folder.resolve("r1")).resolve("f"), "");
    Files.createSymbolicLink(own, folder);
    try {
      Path seen = Path.of("/proc/" + pid + "/root" + own + "/r1");
      assertThatThrownBy(() -> SharedMemory.remove(seen)).isInstanceOf(IOException.class);
      assertThat(kept).exists();
    } finally {
      Files.delete(own);
    }
  }
}
