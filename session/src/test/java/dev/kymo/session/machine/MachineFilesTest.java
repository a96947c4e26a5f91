package dev.kymo.session.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.session.UsageException;
import dev.kymo.session.system.ElfFile;
import dev.kymo.session.system.RawText;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a command brings into its machine. */
class MachineFilesTest {
  private static final Path SHELL = Path.of("/bin/sh");
  private static final byte[] INIT = {1, 2, 3};

  @TempDir Path given;

  @TempDir Path other;
  private Path folder = Path.of("");

  @BeforeEach
  void findFolder() throws IOException {
    folder = given.toRealPath();
  }

  private Map<String, String> environment() {
    return Map.of("PATH", folder + ":/usr/bin:/bin");
  }

  private InitialFiles collected(List<Path> extra, String... words)
      throws IOException, InterruptedException {
    return MachineFiles.collect(List.of(words), extra, INIT, environment());
  }

  private Archive archive(String... words) throws IOException, InterruptedException {
    Path file = other.resolve("archive");
    collected(List.of(), words).write(file);
    return Archive.read(file);
  }

  private Path script(String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static String orders(Archive archive) {
    return archive.entry("kymo-orders").text();
  }

  private String expected(String program, String... words) {
    return new String(
        GuestOrders.run(
            Path.of("").toAbsolutePath().toString(), program, List.of(words), environment()),
        StandardCharsets.ISO_8859_1);
  }

  private static void assertFollowed(Archive archive, Path path) throws IOException {
    assertThat(archive.followed(path)).isEqualTo(path.toRealPath());
    assertThat(archive.entry(path.toRealPath()).content()).isEqualTo(Files.readAllBytes(path));
  }

  /** All loaders and libraries that files in the archive name are there, too. */
  private static Set<String> assertLoadable(Archive archive) throws IOException {
    Set<String> names =
        archive.names().stream()
            .map(name -> name.substring(name.lastIndexOf('/') + 1))
            .collect(Collectors.toSet());
    Set<String> needed = new HashSet<>();
    for (Archive.Entry each : archive.entries()) {
      if (each.kind() == CpioArchive.REGULAR && each.text().startsWith("\u007FELF")) {
        ElfFile elf = ElfFile.open(Path.of("/" + each.name()));
        if (elf != null) {
          assertThat(names).as(each.name()).containsAll(elf.needed());
          needed.addAll(elf.needed());
          if (elf.loader() != null) {
            assertFollowed(archive, Path.of(elf.loader()));
          }
        }
      }
    }
    return needed;
  }

  @Test
  void programWithItsLoaderAndLibraries() throws Exception {
    Archive archive = archive("/bin/ls");
    assertFollowed(archive, Path.of("/bin/ls"));
    assertThat(archive.entry(Path.of("/bin/ls").toRealPath()).permissions() & 0111).isNotZero();
    assertThat(assertLoadable(archive)).contains("libc.so.6");
    assertThat(archive.entry("init").content()).isEqualTo(INIT);
    assertThat(archive.has(Path.of("").toAbsolutePath())).isTrue();
    assertThat(orders(archive)).isEqualTo(expected("/bin/ls", "/bin/ls"));
  }

  @Test
  void languageThatTheEnvironmentNames() throws Exception {
    Path locale = Path.of("/usr/lib/locale/C.utf8/LC_CTYPE");
    assumeTrue(Files.exists(locale), "skipped: the C library has no locale here: path=" + locale);
    assertThat(archive("/bin/true").has(locale)).isFalse();
    Path file = other.resolve("archive");
    Map<String, String> environment = new HashMap<>(environment());
    environment.put("LANG", "C.UTF-8");
    MachineFiles.collect(List.of("/bin/true"), List.of(), INIT, environment).write(file);
    assertThat(Archive.read(file).has(locale)).isTrue();
  }

  @Test
  void programThatIsFoundAsAShellDoes() throws Exception {
    Archive archive = archive("ls", "-l");
    assertThat(orders(archive)).isEqualTo(expected("/usr/bin/ls", "ls", "-l"));
    assertFollowed(archive, Path.of("/usr/bin/ls"));
  }

  @Test
  void scriptWithItsInterpreter() throws Exception {
    Path script = script("script", "#!/bin/sh -e\necho\n");
    Archive archive = archive("script", "word");
    assertFollowed(archive, script);
    assertFollowed(archive, SHELL);
    assertThat(assertLoadable(archive)).contains("libc.so.6");
    assertThat(orders(archive)).isEqualTo(expected(script.toString(), "script", "word"));
  }

  @Test
  void interpreterThatEnvFinds() throws Exception {
    Path tool = script("tool", "#!/bin/sh\n");
    Path script = script("script", "#! /usr/bin/env tool\n");
    Archive archive = archive(script.toString());
    assertFollowed(archive, script);
    assertFollowed(archive, Path.of("/usr/bin/env"));
    assertFollowed(archive, tool);
    assertFollowed(archive, SHELL);
    assertLoadable(archive);
  }

  @ParameterizedTest
  @ValueSource(strings = {"#!/usr/bin/env no-such-tool\n", "#!/usr/bin/env -S sh -e\n"})
  void whatEnvDoesNotFind(String text) throws Exception {
    script("script", text);
    assertFollowed(archive("script"), Path.of("/usr/bin/env"));
  }

  @Test
  void scriptOfNoInterpreterIsTheShells() throws Exception {
    Path script = script("script", "echo\n");
    Archive archive = archive("script", "word");
    assertFollowed(archive, SHELL);
    assertLoadable(archive);
    assertThat(orders(archive)).isEqualTo(expected("/bin/sh", "sh", script.toString(), "word"));
  }

  /** A directory is no interpreter, and must not be copied with all that is in it. */
  @Test
  void interpreterThatIsADirectory() throws Exception {
    Path inside = Files.createDirectory(folder.resolve("directory"));
    Files.writeString(inside.resolve("file"), "x");
    script("script", "#!" + inside + "\n");
    assertThat(archive("script").has(inside.resolve("file"))).isFalse();
  }

  /** Nothing would be the current directory. */
  @ParameterizedTest
  @ValueSource(strings = {"#!", "#!\n", "#! \n"})
  void interpreterWithoutName(String text) throws Exception {
    script("script", text);
    Path current = Path.of("").toAbsolutePath();
    assertThat(archive("script").names())
        .noneMatch(name -> name.startsWith(Archive.name(current) + "/"));
  }

  /** No name has a zero byte. */
  @ParameterizedTest
  @ValueSource(strings = {"#!\0", "#!\0\n", "#!/bin/\0sh\n", "#!/usr/bin/env \0\n"})
  void interpreterThatNoFileCanBe(String text) throws Exception {
    Path script = script("script", text);
    assertFollowed(archive("script"), script);
  }

  @Test
  void missingInterpreter() throws Exception {
    Path script = script("script", "#!" + folder + "/none\n");
    assertFollowed(archive("script"), script);
  }

  @Test
  void missingProgram() {
    assertThatThrownBy(() -> collected(List.of(), "no-such-program"))
        .isInstanceOf(UsageException.class)
        .hasMessage("command not found: no-such-program");
    assertThatThrownBy(() -> collected(List.of(), folder + "/none"))
        .isInstanceOf(UsageException.class)
        .hasMessage("command not found: " + folder + "/none");
  }

  @Test
  void programThatCannotRun() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "x");
    assertThatThrownBy(() -> collected(List.of(), file.toString()))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "command cannot be run, it is not executable: path=%s; chmod +x makes it so"
                .formatted(file));
    assertThatThrownBy(() -> collected(List.of(), folder.toString()))
        .isInstanceOf(UsageException.class)
        .hasMessage("command cannot be run, it is a directory: path=" + folder);
  }

  /** The beginning of an ELF file of 64 bits. */
  private static byte[] elf(int machine) {
    ByteBuffer bytes = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(0x464C457F).put((byte) 2).put((byte) 1).putShort(18, (short) machine);
    return bytes.array();
  }

  @Test
  void programForAnotherProcessor() throws IOException {
    Path file = script("arm", "");
    Files.write(file, elf(183));
    assertThatThrownBy(() -> collected(List.of(), "arm"))
        .isInstanceOf(UsageException.class)
        .hasMessage("machines run programs for x86-64 only: " + file);
  }

  @Test
  void argumentsThatAreFiles() throws Exception {
    Path input = Files.writeString(folder.resolve("input"), "x");
    Path directory = Files.createDirectory(folder.resolve("directory"));
    Files.writeString(directory.resolve("file"), "x");
    Archive archive =
        archive("/bin/ls", input.toString(), directory.toString(), "", "none", folder + "/none");
    assertFollowed(archive, input);
    assertThat(archive.has(directory)).isFalse();
  }

  @Test
  void largeArgumentsAreNoInput() throws Exception {
    Path large = folder.resolve("large");
    try (RandomAccessFile sparse = new RandomAccessFile(large.toFile(), "rw")) {
      sparse.setLength((256 << 20) + 1);
    }
    assertThat(archive("/bin/ls", large.toString()).has(large)).isFalse();
  }

  /** {@code cat /proc/cpuinfo} shows the machine's. */
  @Test
  void argumentsThatAreFilesOfTheKernel() throws Exception {
    assertThat(archive("/bin/cat", "/proc/cpuinfo", "/sys/kernel/mm").names())
        .noneMatch(name -> name.startsWith("proc/") || name.startsWith("sys/"));
  }

  @Test
  void namesThatAreNoText() throws Exception {
    String name = folder + "/caf\uDCE9";
    Files.writeString(RawText.path(name), "#!/bin/sh\n");
    Files.setPosixFilePermissions(RawText.path(name), PosixFilePermissions.fromString("rwxr-xr-x"));
    String input = folder + "/in\uDCFF";
    Files.writeString(RawText.path(input), "x");
    Archive archive = archive(name, input);
    assertThat(archive.entry(Archive.name(name)).text()).isEqualTo("#!/bin/sh\n");
    assertThat(archive.entry(Archive.name(input)).text()).isEqualTo("x");
    assertThat(orders(archive)).isEqualTo(expected(name, name, input));
  }

  @Test
  void filesThatAreAskedFor() throws Exception {
    Path directory = Files.createDirectory(folder.resolve("directory"));
    Path file = Files.writeString(directory.resolve("file"), "x");
    Path archive = other.resolve("archive");
    collected(List.of(directory), "/bin/ls").write(archive);
    assertFollowed(Archive.read(archive), file);
    Path none = folder.resolve("none");
    assertThatThrownBy(() -> collected(List.of(none), "/bin/ls"))
        .isInstanceOf(UsageException.class)
        .hasMessage("no such file: path=" + none);
  }
}
