package dev.kymo.session.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.session.system.ElfFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What ELF files need to be loaded. */
class LibrariesTest {
  private static final Path PROGRAM = Path.of("/bin/ls");

  @TempDir Path folder;

  /** A program for x86-64 that names a loader. */
  private Path program(String loader) throws IOException {
    byte[] name = (loader + "\0").getBytes(StandardCharsets.ISO_8859_1);
    ByteBuffer elf = ByteBuffer.allocate(120 + name.length).order(ByteOrder.LITTLE_ENDIAN);
    elf.putInt(0, 0x464C457F).put(4, (byte) 2).putShort(18, (short) 62);
    elf.putLong(32, 64).putShort(54, (short) 56).putShort(56, (short) 1);
    elf.putInt(64, 3).putLong(72, 120).putLong(96, name.length).put(120, name);
    return Files.write(folder.resolve("program"), elf.array());
  }

  @Test
  void loaderAndLibraries() throws Exception {
    List<Path> found = new Libraries().of(PROGRAM);
    ElfFile elf = Objects.requireNonNull(ElfFile.open(PROGRAM));
    assertThat(found).allMatch(Files::isRegularFile).doesNotHaveDuplicates();
    assertThat(found.getFirst()).isEqualTo(Path.of(Objects.requireNonNull(elf.loader())));
    assertThat(found).extracting(each -> each.getFileName().toString()).containsAll(elf.needed());
  }

  @Test
  void onlyThoseThatAreNew() throws Exception {
    Libraries libraries = new Libraries();
    assertThat(libraries.of(PROGRAM)).isNotEmpty();
    assertThat(libraries.of(PROGRAM)).isEmpty();
  }

  @Test
  void othersNeedNone() throws Exception {
    Path file = folder.resolve("file");
    assertThat(new Libraries().of(Files.writeString(file, ""))).isEmpty();
    assertThat(new Libraries().of(Files.writeString(file, "#!/bin/sh\n"))).isEmpty();
    ByteBuffer elf = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    elf.putInt(0, 0x464C457F).put(4, (byte) 2).putShort(18, (short) 183);
    assertThat(new Libraries().of(Files.write(file, elf.array()))).isEmpty();
  }

  @Test
  void libraryThatCannotBeLoaded() throws Exception {
    byte[] whole = Files.readAllBytes(PROGRAM);
    Path cut = Files.write(folder.resolve("cut"), Arrays.copyOf(whole, whole.length / 2));
    assertThat(new Libraries().of(cut)).allMatch(Files::isRegularFile);
  }

  @Test
  void loaderThatIsNotThere() throws Exception {
    String loader = folder + "/none.so";
    assertThat(new Libraries().of(program(loader))).containsExactly(Path.of(loader));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/", "//", ".", "..", "/..", "\n", "\u00E9"})
  void oddLoaders(String loader) throws Exception {
    assertThat(new Libraries().of(program(loader))).hasSizeLessThan(2);
  }
}
