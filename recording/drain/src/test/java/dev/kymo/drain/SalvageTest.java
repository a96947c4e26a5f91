package dev.kymo.drain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory that lies in none of the usual places, because they could not be written. */
class SalvageTest {
  @TempDir Path folder;
  private Path users;
  private Path session;

  @BeforeEach
  void makeMemory() throws IOException {
    users =
        Files.createDirectory(
            folder.toRealPath().resolve("kymo-" + User.effective()),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    session = Files.createDirectory(users.resolve("r1"));
  }

  @Test
  void besideTheRecording() throws IOException {
    Path recording = LeftRecording.make(folder.resolve("left.kymo"), session, session);
    assertThat(Salvage.salvage(recording)).isEqualTo(Salvage.Outcome.TAKEN);
    assertThat(users).doesNotExist();
  }

  /** A recording from elsewhere may name anything. */
  @Test
  void besideAnotherRecording() throws IOException {
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    assertNotTaken(LeftRecording.make(elsewhere.resolve("left.kymo"), session, session));
  }

  @Test
  void inADirectoryThatOthersCanWrite() throws IOException {
    Files.setPosixFilePermissions(users, PosixFilePermissions.fromString("rwxrwx---"));
    assertNotTaken(LeftRecording.make(folder.resolve("left.kymo"), session, session));
  }

  @Test
  void aLinkBesideTheRecording() throws IOException {
    Path link = users.resolve("r2");
    Files.createSymbolicLink(link, session);
    assertNotTaken(LeftRecording.make(folder.resolve("left.kymo"), session, link));
  }

  private void assertNotTaken(Path recording) throws IOException {
    byte[] before = Files.readAllBytes(session.resolve("p1/control"));
    assertThatThrownBy(() -> Salvage.salvage(recording))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("its shared memory is not where recorders of this user leave theirs");
    assertThat(Files.readAllBytes(session.resolve("p1/control"))).isEqualTo(before);
  }
}
