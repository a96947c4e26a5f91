package dev.kymo.recorder.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is kept of a program, and what is not believed. */
class MemoryFileTest {
  private static final String KEY = "Main\n/path/to/a.jar";
  private static final byte[] FOUND = {1, 2, 3, -4};

  @TempDir Path folder;

  private Path directory;

  @BeforeEach
  void inAFolderThatIsNotThere() {
    directory = folder.resolve("kymo/memory");
  }

  @Test
  void isReadAsItWasWritten() throws IOException {
    write(KEY, FOUND);
    MemoryFile memory = Objects.requireNonNull(read());
    assertThat(memory.found()).isEqualTo(FOUND);
    assertThat(memory.program()).isEqualTo("Main");
    assertThat(memory.isOf(KEY)).isTrue();
    assertThat(memory.isOf(KEY + "x")).isFalse();
    write(KEY, new byte[0]);
    assertThat(Objects.requireNonNull(read()).found()).isEmpty();
    assertThat(files()).hasSize(1);
  }

  @Test
  void keysOfAnyLength() throws IOException {
    String key = "\u00e4".repeat(300_000);
    write(key, FOUND);
    MemoryFile memory = Objects.requireNonNull(MemoryFile.read(MemoryFile.place(directory, key)));
    assertThat(memory.isOf(key)).isTrue();
    assertThat(memory.found()).isEqualTo(FOUND);
  }

  @Test
  void whatIsCutOrFlippedIsNotThere() throws IOException {
    write(KEY, FOUND);
    Path file = place();
    byte[] whole = Files.readAllBytes(file);
    for (int size = 0; size < whole.length; size++) {
      Files.write(file, java.util.Arrays.copyOf(whole, size));
      assertThat(read()).as("size %d", size).isNull();
    }
    for (int bit = 0; bit < whole.length * Byte.SIZE; bit++) {
      byte[] flipped = whole.clone();
      flipped[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
      Files.write(file, flipped);
      assertThat(read()).as("bit %d", bit).isNull();
    }
    Files.write(file, new byte[MemoryFile.LARGEST + 1]);
    assertThat(read()).isNull();
  }

  @Test
  void linksAndWhatIsNoFileAreNotThere() throws IOException {
    write(KEY, FOUND);
    Path elsewhere = folder.resolve("elsewhere");
    Files.move(place(), elsewhere);
    Files.createSymbolicLink(place(), elsewhere);
    assertThat(read()).isNull();
    write(KEY, new byte[0]); // takes the link's place, and does not follow it
    assertThat(Objects.requireNonNull(MemoryFile.read(copied(elsewhere))).found()).isEqualTo(FOUND);
    assertThat(Files.isSymbolicLink(place())).isFalse();
    Files.delete(place());
    Files.createDirectory(place());
    assertThat(read()).isNull();
    assertThatThrownBy(() -> write(KEY, FOUND)).isInstanceOf(IOException.class);
  }

  private Path copied(Path file) throws IOException {
    Path other = Files.createDirectories(folder.resolve("other"));
    return Files.copy(file, other.resolve("1"));
  }

  @Test
  void whatOthersCanWriteIsNotBelieved() throws IOException {
    write(KEY, FOUND);
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThat(read()).isNull();
    assertThatThrownBy(() -> write(KEY, FOUND)).hasMessageContaining("not a private directory");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    assertThat(read()).isNotNull();
    if ((Integer) Files.getAttribute(folder, "unix:uid") == 0) {
      Files.setAttribute(place(), "unix:uid", 65_534);
      assertThat(read()).isNull();
      Files.setAttribute(directory, "unix:uid", 65_534);
      assertThatThrownBy(() -> write(KEY, FOUND)).hasMessageContaining("not a private directory");
      Files.setAttribute(directory, "unix:uid", 0);
    }
  }

  @Test
  void whoeverWritesNowIsLeftAloneAndWhoeverWasKilledIsNot() throws IOException {
    write(KEY, FOUND);
    Path next = directory.resolve(place().getFileName() + ".new");
    Files.write(next, new byte[] {1});
    write(KEY, new byte[] {5});
    assertThat(Objects.requireNonNull(read()).found()).isEqualTo(FOUND);
    FileTime longAgo = FileTime.fromMillis(System.currentTimeMillis() - TimeUnit.HOURS.toMillis(1));
    Files.setLastModifiedTime(next, longAgo);
    write(KEY, new byte[] {5});
    assertThat(Objects.requireNonNull(read()).found()).containsExactly(5);
    assertThat(files()).hasSize(1);
  }

  @Test
  void whereNothingCanBeWrittenItSaysSo() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    assertThatThrownBy(() -> new MemoryFile("Main", KEY, FOUND).write(file.resolve("memory")))
        .isInstanceOf(IOException.class);
    assertThat(MemoryFile.read(MemoryFile.place(file.resolve("memory"), KEY))).isNull();
  }

  @Test
  void forgetsWhatIsUnwanted() throws IOException {
    write(KEY, FOUND);
    new MemoryFile("other.jar", "k", FOUND).write(directory);
    Files.writeString(directory.resolve("1024"), "nonsense");
    assertThat(MemoryFile.forget(directory, program -> program.contains("other")))
        .containsExactlyInAnyOrder("other.jar", "a damaged memory");
    assertThat(MemoryFile.forget(directory, program -> true)).containsExactly("Main");
    assertThat(MemoryFile.forget(directory, program -> true)).isEmpty();
    assertThat(MemoryFile.forget(folder.resolve("nowhere"), program -> true)).isEmpty();
  }

  @Test
  void liesInTheUsersCache() {
    assertThat(MemoryFile.directory(Map.of("HOME", "/home/a")))
        .isEqualTo(Path.of("/home/a/.cache/kymo/memory"));
    assertThat(MemoryFile.directory(Map.of("HOME", "/home/a", "XDG_CACHE_HOME", "/c")))
        .isEqualTo(Path.of("/c/kymo/memory"));
    assertThat(MemoryFile.directory(Map.of("HOME", "/home/a", "XDG_CACHE_HOME", "relative")))
        .isEqualTo(Path.of("/home/a/.cache/kymo/memory"));
    assertThat(MemoryFile.directory(Map.of())).isNull();
  }

  private void write(String key, byte[] found) throws IOException {
    new MemoryFile("Main", key, found).write(directory);
  }

  private @Nullable MemoryFile read() {
    return MemoryFile.read(place());
  }

  private Path place() {
    return MemoryFile.place(directory, KEY);
  }

  private List<Path> files() throws IOException {
    try (var files = Files.list(directory)) {
      return files.toList();
    }
  }
}
