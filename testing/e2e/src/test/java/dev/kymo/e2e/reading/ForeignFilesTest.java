package dev.kymo.e2e.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recordings and shared memory that somebody else made to harm their users. */
class ForeignFilesTest {
  private static final String NOTES = "what I must not forget\n".repeat(1000);

  @TempDir Path folder;

  private Path recording;
  private Path notes;

  @BeforeEach
  void record() throws Exception {
    recording = folder.resolve("r.kymo");
    notes = Files.writeString(folder.resolve("notes.txt"), NOTES);
    Kymo.Result result =
        Kymo.run(
            "record",
            "-q",
            "-o",
            recording.toString(),
            "--",
            Jdk.running().java().toString(),
            "-cp",
            Programs.CLASSES.toString(),
            "Known");
    assertThat(result.exit()).as(result.err()).isZero();
  }

  @Test
  void sharedMemoryInsideTheRecordingIsNotTouched() throws Exception {
    Path memory = Files.createDirectory(recording.resolve("memory"));
    plant(memory);
    Files.writeString(recording.resolve(".rings"), memory.toString());
    Kymo.Result info = Kymo.run("info", recording.toString());
    assertThat(info.exit()).isZero();
    assertThat(info.err())
        .contains("its shared memory is not where recorders of this user leave theirs: directory=");
    assertThat(Files.readString(notes)).isEqualTo(NOTES);
    assertThat(memory.resolve("p1/ring-2")).isSymbolicLink();
  }

  @Test
  void sharedMemoryBehindALinkIsNotTouched() throws Exception {
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    plant(elsewhere);
    Path own = own(folder);
    Files.createSymbolicLink(own.resolve("r1"), elsewhere);
    Files.writeString(recording.resolve(".rings"), own.resolve("r1").toString());
    Kymo.Result info =
        Kymo.runIn(
            folder,
            Map.of("KYMO_SHARED_MEMORY", folder.toString()),
            "",
            "info",
            recording.toString());
    assertThat(info.exit()).isZero();
    assertThat(info.err()).contains("not where recorders");
    assertThat(Files.readString(notes)).isEqualTo(NOTES);
  }

  @Test
  void aLinkInsteadOfRingsIsNotFollowed() throws Exception {
    Files.createSymbolicLink(recording.resolve(".rings"), notes);
    Kymo.Result info = Kymo.run("info", recording.toString());
    assertThat(info.exit()).isZero();
    assertThat(Files.readString(notes)).isEqualTo(NOTES);
  }

  @Test
  void whatOthersPutBesideDoesNotDisturbCtl() throws Exception {
    for (String name : new String[] {"kymo-evil", "kymo-1", "kymo-0x"}) {
      Path home = Files.createDirectories(folder.resolve(name).resolve("r1/p1"));
      Kymo.exec(home, "mkfifo", "control", "mailbox");
    }
    Kymo.Result result =
        Kymo.runIn(
            folder, Map.of("KYMO_SHARED_MEMORY", folder.toString()), "", "ctl", "1", "status");
    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.err()).startsWith("kymo: this process is not recorded, or not by this user");
  }

  @Test
  void aDirectoryThatOthersCanWriteIsNotUsed() throws Exception {
    Path own = own(folder);
    Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThat(refused()).contains("not a private directory of this user").contains("mode=777");
  }

  @Test
  void aLinkIsNotUsed() throws Exception {
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Path own = own(folder);
    Files.delete(own);
    Files.createSymbolicLink(own, elsewhere);
    assertThat(refused()).contains("not a private directory of this user");
    assertThat(elsewhere).isEmptyDirectory();
  }

  @Test
  void anotherUsersDirectoryIsNotUsed() throws Exception {
    assumeTrue(
        System.getProperty("user.name").equals("root"),
        "skipped: only root can make files of others");
    Path own = own(folder);
    Kymo.exec(folder, "chown", "65534", own.toString());
    assertThat(refused()).contains("not a private directory of this user").contains("owner=65534");
  }

  @Test
  void nobodyLearnsFromACommandLineWhereRootsSharedMemoryIs() throws Exception {
    assumeTrue(
        System.getProperty("user.name").equals("root"),
        "skipped: only root's shared memory is open to whom it records");
    Path end = folder.resolve("end");
    Process kymo =
        Kymo.start(
            folder,
            Map.of(),
            "record",
            "-q",
            "-o",
            folder.resolve("steady.kymo").toString(),
            "--",
            Jdk.running().java().toString(),
            "-cp",
            Programs.CLASSES.toString(),
            "Steady",
            end.toString());
    assertThat(kymo.inputReader().readLine()).isEqualTo("ready");
    ProcessHandle program = kymo.children().findFirst().orElseThrow();
    Path session = Kymo.sharedMemory(folder).getFirst();
    assertThat(Files.readString(Path.of("/proc", "" + program.pid(), "cmdline")))
        .contains("kymo-agent.jar")
        .doesNotContain(session.getFileName().toString());
    Files.createFile(end);
    assertThat(Kymo.finish(kymo, "").exit()).isZero();
  }

  private String refused() throws Exception {
    Kymo.Result result =
        Kymo.runIn(
            folder,
            Map.of("KYMO_SHARED_MEMORY", folder.toString()),
            "",
            "record",
            "-o",
            "no.kymo",
            "--",
            "true");
    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.err()).startsWith("kymo: cannot make shared memory: ");
    return result.err();
  }

  /** The directory of this user in a place for shared memory. */
  private static Path own(Path place) throws IOException {
    Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    return Files.createDirectory(
        place.resolve("kymo-" + user),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  /** What a recorder would leave, except with a link to a file instead of a ring. */
  private void plant(Path memory) throws IOException {
    String metadata = Files.readString(recording.resolve("metadata"));
    String id = metadata.replaceAll("(?s).*?uuid = \"([-0-9a-f]{36})\".*", "$1");
    assertThat(id).hasSize(36);
    Files.writeString(
        memory.resolve("session"),
        "uuid=%s\nclock=monotonic\nbufferSize=131072\nrecording=%s\n".formatted(id, recording));
    Path home = Files.createDirectory(memory.resolve("p1"));
    Files.write(home.resolve("control"), new byte[4096]);
    Files.createSymbolicLink(home.resolve("ring-2"), notes);
  }
}
