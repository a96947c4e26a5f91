package dev.kymo.session.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Entries of an archive, as the kernel unpacks them. */
class CpioArchiveTest {
  @TempDir Path folder;

  private Path archive() {
    return folder.resolve("archive");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** To the byte, as in Linux, Documentation/driver-api/early-userspace/buffer-format.rst. */
  @Test
  void bytesOfAnEntryAndOfTheEnd() throws IOException {
    try (CpioArchive archive = new CpioArchive(archive())) {
      archive.add(bytes("ab"), CpioArchive.REGULAR | 0644, bytes("hello"));
    }
    assertThat(Files.readString(archive(), StandardCharsets.ISO_8859_1))
        .isEqualTo(
            "07070100000001000081A40000000000000000000000010000000000000005"
                + "0000000000000000000000000000000000000003"
                + "00000000ab\0\0\0\0hello\0\0\0"
                + "07070100000002000000000000000000000000000000010000000000000000"
                + "000000000000000000000000000000000000000B"
                + "00000000TRAILER!!!\0\0\0\0");
  }

  @Test
  void nothingButTheEnd() throws IOException {
    new CpioArchive(archive()).close();
    assertThat(Archive.read(archive()).entries()).isEmpty();
  }

  @Test
  void allLengthsAreFilledUp() throws IOException {
    try (CpioArchive archive = new CpioArchive(archive())) {
      for (int name = 1; name <= 9; name++) {
        for (int size = 0; size <= 9; size++) {
          archive.add(bytes("n".repeat(name) + size), CpioArchive.REGULAR, bytes("x".repeat(size)));
        }
      }
    }
    Archive read = Archive.read(archive());
    assertThat(read.entries()).hasSize(90);
    for (int name = 1; name <= 9; name++) {
      for (int size = 0; size <= 9; size++) {
        assertThat(read.entry("n".repeat(name) + size).text()).isEqualTo("x".repeat(size));
      }
    }
  }

  @Test
  void kindsAndPermissions() throws IOException {
    try (CpioArchive archive = new CpioArchive(archive())) {
      archive.add(bytes("d"), CpioArchive.DIRECTORY | 01777, new byte[0]);
      archive.add(bytes("l"), CpioArchive.LINK | 0777, bytes("../target"));
      archive.addDevice(bytes("dev/console"), 0600, 5, 1);
    }
    Archive read = Archive.read(archive());
    assertThat(read.names()).containsExactly("d", "l", "dev/console");
    assertThat(read.entry("d").mode()).isEqualTo(0041777);
    assertThat(read.entry("l").mode()).isEqualTo(0120777);
    assertThat(read.entry("l").text()).isEqualTo("../target");
    assertThat(read.entry("dev/console").mode()).isEqualTo(0020600);
    assertThat(read.entry("dev/console").major()).isEqualTo(5);
    assertThat(read.entry("dev/console").minor()).isEqualTo(1);
  }

  @Test
  void fileIsCopiedWithItsTime() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "content");
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_700_000_000_123L));
    try (CpioArchive archive = new CpioArchive(archive())) {
      archive.addFile(bytes("there"), 04755, file);
    }
    Archive.Entry entry = Archive.read(archive()).entry("there");
    assertThat(entry.mode()).isEqualTo(0104755);
    assertThat(entry.text()).isEqualTo("content");
    assertThat(entry.modified()).isEqualTo(1_700_000_000);
  }

  @Test
  void timesBefore1970FitTheHeader() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "content");
    Files.setLastModifiedTime(file, FileTime.fromMillis(-5000));
    try (CpioArchive archive = new CpioArchive(archive())) {
      archive.addFile(bytes("there"), 0644, file);
    }
    assertThat(Archive.read(archive()).entry("there").text()).isEqualTo("content");
  }

  @Test
  void largerFilesThanAnArchiveHas() throws IOException {
    Path file = folder.resolve("large");
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw");
        CpioArchive archive = new CpioArchive(archive())) {
      sparse.setLength(1L << 32);
      assertThatThrownBy(() -> archive.addFile(bytes("large"), 0644, file))
          .isExactlyInstanceOf(IOException.class)
          .hasMessage("file is too large for the machine: path=" + file);
    }
  }

  /** Files in {@code /proc} have no size before they are read, as those that grow meanwhile. */
  @Test
  void sizeThatIsNotTrue() throws IOException {
    Path file = Path.of("/proc/self/status");
    try (CpioArchive archive = new CpioArchive(archive())) {
      assertThatThrownBy(() -> archive.addFile(bytes("status"), 0644, file))
          .isExactlyInstanceOf(IOException.class)
          .hasMessage("file changes while it is copied: path=/proc/self/status");
    }
  }

  @Test
  void missingFile() throws IOException {
    Path file = folder.resolve("missing");
    try (CpioArchive archive = new CpioArchive(archive())) {
      assertThatThrownBy(() -> archive.addFile(bytes("missing"), 0644, file))
          .isExactlyInstanceOf(NoSuchFileException.class)
          .hasMessage(file.toString());
    }
    assertThat(Archive.read(archive()).entries()).isEmpty();
  }
}
