package dev.kymo.session.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.session.UsageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a recording says of its machine, which anyone may have written. */
class RecordedMachineTest {
  private static final String HASH = "0123456789abcdef";

  @TempDir Path folder;

  private Path file() {
    return folder.resolve("machine");
  }

  private void assertDamaged() {
    assertThatThrownBy(() -> RecordedMachine.read(folder))
        .isInstanceOf(UsageException.class)
        .hasMessage("the recording of a machine is damaged: file=" + file());
  }

  private void assertMissing() {
    assertThatThrownBy(() -> RecordedMachine.read(folder))
        .isInstanceOf(UsageException.class)
        .hasMessage("not the recording of a machine, from kymo machine record: missing=" + file());
  }

  @Test
  void comesBack() throws IOException {
    RecordedMachine machine = new RecordedMachine(HASH, 512, 0);
    machine.write(folder);
    assertThat(file()).hasContent("kernel 0123456789abcdef\nmegabytes 512\nstart 0\n");
    assertThat(RecordedMachine.read(folder)).isEqualTo(machine);
  }

  @Test
  void longestThatIsRead() throws IOException {
    RecordedMachine machine = new RecordedMachine("f".repeat(64), 9_999_999, 999_999_999);
    machine.write(folder);
    assertThat(RecordedMachine.read(folder)).isEqualTo(machine);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n",
        "kernel 01\n",
        "megabytes 5\n",
        "megabytes 5\nkernel 01\n",
        "kernel 01\nmegabytes 5",
        "kernel 01\r\nmegabytes 5\r\n",
        "kernel 01\nmegabytes 5\n\n",
        "kernel 01\nmegabytes 5\nqemu /bin/sh\n",
        "path /tmp\nkernel 01\nmegabytes 5\n",
        "kernel 01\nmegabytes -5\n",
        "kernel 01\nmegabytes 5M\n",
        "kernel 01\nmegabytes 5,readonly=on\n",
        "kernel 01\nmegabytes \n",
        "kernel 01\nmegabytes 12345678\n",
        "kernel 01\nmegabytes \u0665\n",
        "kernel \nmegabytes 5\n",
        "kernel ..\nmegabytes 5\n",
        "kernel ../../etc\nmegabytes 5\n",
        "kernel /etc/passwd\nmegabytes 5\n",
        "kernel 01/..\nmegabytes 5\n",
        "kernel 01\0\nmegabytes 5\n",
        "kernel 01 02\nmegabytes 5\n",
        "kernel AB\nmegabytes 5\n",
        "Kernel 01\nmegabytes 5\n"
      })
  void othersAreDamaged(String text) throws IOException {
    Files.writeString(file(), text + "start 0\n");
    assertDamaged();
  }

  @Test
  void longerNamesOfKernels() throws IOException {
    new RecordedMachine("f".repeat(65), 5, 0).write(folder);
    assertDamaged();
  }

  @Test
  void bytesThatAreNoText() throws IOException {
    Files.write(
        file(), "kernel \u00E9\nmegabytes 5\nstart 0\n".getBytes(StandardCharsets.ISO_8859_1));
    assertDamaged();
  }

  @Test
  void longerFilesAreNotRead() throws IOException {
    Files.writeString(file(), "kernel 01\nmegabytes 5\n" + "x".repeat(1000));
    assertMissing();
  }

  @Test
  void missing() throws IOException {
    assertMissing();
    Files.createDirectory(file());
    assertMissing();
    Files.delete(file());
    Files.createSymbolicLink(file(), Path.of("/dev/zero"));
    assertMissing();
  }

  @Test
  void kernelHasToBePrepared() throws IOException {
    Path directory = folder.resolve("home");
    MachineHome home = new MachineHome(directory);
    RecordedMachine machine = new RecordedMachine(HASH, 512, 0);
    String message =
        "the machine's kernel or QEMU is not there, kymo machine prepare [--kernel VMLINUZ] gets it: directory="
            + directory.resolve("kernel-" + HASH);
    assertThatThrownBy(() -> machine.kernel(home))
        .isInstanceOf(UsageException.class)
        .hasMessage(message);
    Path places = home.kernel(HASH).places();
    Files.createDirectories(places.getParent());
    Files.writeString(places, "");
    assertThatThrownBy(() -> machine.kernel(home))
        .isInstanceOf(UsageException.class)
        .hasMessage(message);
    Files.createDirectories(home.program().getParent());
    Files.writeString(home.program(), "");
    Files.setPosixFilePermissions(home.program(), PosixFilePermissions.fromString("rwx------"));
    assertThat(machine.kernel(home).hash()).isEqualTo(HASH);
    assertThat(machine.kernel(home).file())
        .isEqualTo(directory.resolve("kernel-" + HASH + "/vmlinuz"));
  }
}
