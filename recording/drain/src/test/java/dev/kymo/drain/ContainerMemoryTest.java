package dev.kymo.drain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is in a container leads nobody to files of this machine. This process is the container. */
class ContainerMemoryTest {
  private static final long PID = ProcessHandle.current().pid();

  @TempDir Path folder;
  private final Path own = Path.of("/tmp", "kymo-9" + PID);
  private final Path seen = Path.of("/proc/" + PID + "/root" + own + "/r1");
  private Path session;

  @BeforeEach
  void makeMemory() throws IOException {
    Path elsewhere =
        Files.createDirectory(
            folder.resolve("elsewhere"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    session = Files.createDirectory(elsewhere.resolve("r1"));
  }

  @AfterEach
  void clean() throws IOException {
    if (Files.isSymbolicLink(own)) {
      Files.delete(own);
    }
    assertThat(own).doesNotExist();
  }

  @Test
  void aLinkOnTheWayIsNotFollowed() throws IOException {
    Path kept = Files.writeString(session.resolve("f"), "");
    Files.createSymbolicLink(own, session.getParent());
    assertThatThrownBy(() -> SharedMemory.remove(seen)).isInstanceOf(IOException.class);
    assertThat(kept).exists();
  }

  /** A recorder was killed, and then its memory was replaced by a link to that of another one. */
  @Test
  void noProcessElsewhereIsToldToStop() throws IOException {
    Path recording = LeftRecording.make(folder.resolve("left.kymo"), session, seen);
    Files.createSymbolicLink(own, session.getParent());
    byte[] before = Files.readAllBytes(session.resolve("p1/control"));
    assertThatThrownBy(() -> Salvage.salvage(recording))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("it cannot be opened: directory=" + seen);
    assertThat(Files.readAllBytes(session.resolve("p1/control"))).isEqualTo(before);
    assertThat(recording.resolve(".rings")).exists();
  }

  @Test
  void whatIsLeftIsTaken() throws IOException {
    Path recording = LeftRecording.make(folder.resolve("left.kymo"), session, seen);
    Files.move(session.getParent(), own);
    assertThat(Salvage.salvage(recording)).isEqualTo(Salvage.Outcome.TAKEN);
    assertThat(recording.resolve(".rings")).doesNotExist();
  }

  @Test
  void whatHasGoneIsGone() throws IOException {
    Path recording = LeftRecording.make(folder.resolve("left.kymo"), session, seen);
    assertThat(Salvage.salvage(recording)).isEqualTo(Salvage.Outcome.GONE);
    assertThat(session.resolve("p1/control")).exists();
  }
}
