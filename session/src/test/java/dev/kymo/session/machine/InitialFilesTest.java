package dev.kymo.session.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.session.UsageException;
import dev.kymo.session.system.LinuxCalls;
import dev.kymo.session.system.RawText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is in the machine's file system, read back from the archive. */
class InitialFilesTest {
  @TempDir Path given;

  @TempDir Path other;
  private Path folder = Path.of("");

  @BeforeEach
  void findFolder() throws IOException {
    folder = given.toRealPath();
  }

  private static InitialFiles files() throws IOException {
    return new InitialFiles(Map.of("PATH", "/usr/bin:/bin"));
  }

  private Archive written(InitialFiles files) throws IOException {
    Path file = other.resolve("archive");
    files.write(file);
    Archive archive = Archive.read(file);
    assertUnpacks(archive);
    return archive;
  }

  /** The kernel makes each entry where it comes: no directories, and nothing through links. */
  private static void assertUnpacks(Archive archive) {
    List<String> names = archive.names();
    assertThat(names).doesNotHaveDuplicates();
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      assertThat(name).isNotEmpty().doesNotStartWith("/").doesNotEndWith("/");
      int slash = name.lastIndexOf('/');
      if (slash >= 0) {
        int parent = names.subList(0, i).indexOf(name.substring(0, slash));
        assertThat(parent).as("directory before " + name).isNotNegative();
        assertThat(archive.entries().get(parent).kind()).isEqualTo(CpioArchive.DIRECTORY);
      }
    }
  }

  private Archive added(Path path) throws IOException, InterruptedException {
    InitialFiles files = files();
    files.add(path);
    return written(files);
  }

  private static Path executable(Path file, String text) throws IOException {
    Files.writeString(file, text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x--x"));
  }

  /** The entries in the test's folder. */
  private List<String> own(Archive archive) {
    String begin = Archive.name(folder) + "/";
    return archive.names().stream()
        .filter(name -> name.startsWith(begin))
        .map(name -> name.substring(begin.length()))
        .toList();
  }

  @Test
  void whatEachMachineHas() throws IOException {
    InitialFiles files = files();
    files.make("/init", new byte[] {1, 2, 3});
    files.make("/kymo-orders", new byte[] {4});
    Archive archive = written(files);
    assertThat(archive.names())
        .startsWith("dev", "proc", "sys", "tmp", "dev/console", "init", "kymo-orders");
    assertThat(archive.entry("dev").mode()).isEqualTo(0040755);
    assertThat(archive.entry("tmp").mode()).isEqualTo(0041777);
    assertThat(archive.entry("dev/console").mode()).isEqualTo(0020600);
    assertThat(archive.entry("dev/console").major()).isEqualTo(5);
    assertThat(archive.entry("dev/console").minor()).isEqualTo(1);
    assertThat(archive.entry("init").mode()).isEqualTo(0100755);
    assertThat(archive.entry("init").content()).containsExactly(1, 2, 3);
    assertThat(archive.entry("kymo-orders").mode()).isEqualTo(0100644);
    assertThat(archive.entry("kymo-orders").content()).containsExactly(4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/bin", "/sbin", "/lib", "/lib64"})
  void linksToDirectoriesAreAsHere(String name) throws IOException {
    Path path = Path.of(name);
    Archive archive = written(files());
    if (Files.isSymbolicLink(path)) {
      assertThat(archive.entry(path).mode()).isEqualTo(0120777);
      assertThat(archive.entry(path).text()).isEqualTo(Files.readSymbolicLink(path).toString());
      assertThat(archive.followed(path)).isEqualTo(path.toRealPath());
      assertThat(archive.entry(path.toRealPath()).kind()).isEqualTo(CpioArchive.DIRECTORY);
    } else {
      assertThat(archive.has(path)).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/etc/ld.so.cache", "/etc/passwd", "/etc/group", "/etc/localtime"})
  void whatLibrariesReadIsAsHere(String name) throws IOException {
    Path path = Path.of(name);
    Archive archive = written(files());
    assertThat(archive.has(path)).isEqualTo(Files.isRegularFile(path));
    if (Files.isRegularFile(path)) {
      assertThat(archive.entry(archive.followed(path)).content())
          .isEqualTo(Files.readAllBytes(path));
    }
  }

  @Test
  void fileWithItsDirectories() throws Exception {
    Path inner = Files.createDirectories(folder.resolve("a/b"));
    Files.setPosixFilePermissions(inner, PosixFilePermissions.fromString("rwxr-x---"));
    Path file = Files.writeString(inner.resolve("file"), "content");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    Files.writeString(inner.resolve("not"), "asked for");
    Archive archive = added(file);
    assertThat(own(archive)).containsExactly("a", "a/b", "a/b/file");
    assertThat(archive.entry(inner).mode()).isEqualTo(0040750);
    assertThat(archive.entry(file).mode()).isEqualTo(0100640);
    assertThat(archive.entry(file).text()).isEqualTo("content");
  }

  @Test
  void executablesStayExecutable() throws Exception {
    Path file = executable(folder.resolve("tool"), "no program");
    assertThat(added(file).entry(file).mode()).isEqualTo(0100751);
  }

  @Test
  void permissionsBeyondThoseOfPosix() throws Exception {
    Path file = executable(folder.resolve("tool"), "no program");
    Files.setAttribute(file, "unix:mode", 04755);
    assertThat(added(file).entry(file).mode()).isEqualTo(0104755);
  }

  @Test
  void whatIsGivenTwiceIsThereOnce() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "content");
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("file"));
    InitialFiles files = files();
    long before = files.bytes();
    files.add(file);
    files.add(file);
    files.add(folder.resolve("./../" + folder.getFileName() + "/file"));
    files.add(link);
    files.add(folder);
    files.addDirectory(folder);
    assertThat(own(written(files))).containsExactlyInAnyOrder("file", "link");
    assertThat(files.bytes() - before).isEqualTo("content".length());
  }

  @Test
  void linksStayLinksAndLeadToWhatIsThere() throws Exception {
    Path file = Files.writeString(Files.createDirectory(folder.resolve("d")).resolve("f"), "x");
    Files.createSymbolicLink(folder.resolve("d/second"), Path.of("../d/./f"));
    Path first = Files.createSymbolicLink(folder.resolve("first"), folder.resolve("d/second"));
    Archive archive = added(first);
    assertThat(own(archive)).containsExactly("first", "d", "d/second", "d/f");
    assertThat(archive.entry(first).mode()).isEqualTo(0120777);
    assertThat(archive.entry(first).text()).isEqualTo(folder + "/d/second");
    assertThat(archive.entry(folder.resolve("d/second")).text()).isEqualTo("../d/./f");
    assertThat(archive.followed(first)).isEqualTo(file);
  }

  /** As {@code /bin} is a link to {@code /usr/bin}. */
  @Test
  void nothingLiesBehindALink() throws Exception {
    Files.createDirectories(folder.resolve("usr/bin"));
    Path file = Files.writeString(folder.resolve("usr/bin/tool"), "x");
    Files.createSymbolicLink(folder.resolve("usr/bin/alias"), Path.of("tool"));
    Files.createSymbolicLink(folder.resolve("bin"), Path.of("usr/bin"));
    Archive archive = added(folder.resolve("bin/alias"));
    assertThat(own(archive))
        .containsExactly("bin", "usr", "usr/bin", "usr/bin/alias", "usr/bin/tool");
    assertThat(archive.followed(folder.resolve("bin/alias"))).isEqualTo(file);
  }

  /** Two dots after a link lead to where its target is. */
  @Test
  void parentsOfLinkedDirectories() throws Exception {
    Files.createDirectories(folder.resolve("far/away"));
    Path file = Files.writeString(folder.resolve("far/file"), "x");
    Files.createSymbolicLink(folder.resolve("near"), Path.of("far/away"));
    Path way = folder.resolve("near/../file");
    assertThat(added(way).entry(file).text()).isEqualTo("x");
  }

  @Test
  void linksInACircle() throws Exception {
    Files.createSymbolicLink(folder.resolve("a"), Path.of("b"));
    Files.createSymbolicLink(folder.resolve("b"), Path.of("a"));
    Files.createSymbolicLink(folder.resolve("self"), Path.of("."));
    assertThat(own(added(folder))).containsExactlyInAnyOrder("a", "b", "self");
  }

  @Test
  void linksToNothing() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("none/of/it"));
    Archive archive = added(folder);
    assertThat(own(archive)).containsExactly("link");
    assertThat(archive.entry(link).text()).isEqualTo("none/of/it");
    assertThatThrownBy(() -> files().add(link))
        .isInstanceOf(UsageException.class)
        .hasMessage("no such file: path=" + link);
  }

  @Test
  void directoryWithAllThatIsInIt() throws Exception {
    Files.createDirectories(folder.resolve("in/empty"));
    Files.writeString(Files.createDirectories(folder.resolve("in/deep/er")).resolve("f"), "x");
    Files.writeString(Files.createDirectory(folder.resolve("out")).resolve("f"), "x");
    Files.createSymbolicLink(folder.resolve("in/dir"), Path.of("../out"));
    Archive archive = added(folder.resolve("in"));
    assertThat(own(archive))
        .containsExactlyInAnyOrder(
            "in", "in/empty", "in/deep", "in/deep/er", "in/deep/er/f", "in/dir", "out");
  }

  @Test
  void linkedDirectoryThatIsAskedFor() throws Exception {
    Files.writeString(Files.createDirectory(folder.resolve("out")).resolve("f"), "x");
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("out"));
    assertThat(own(added(link))).containsExactly("link", "out", "out/f");
  }

  @Test
  void emptyDirectory() throws IOException {
    Path directory = Files.createDirectories(folder.resolve("a/b"));
    Files.writeString(directory.resolve("file"), "x");
    InitialFiles files = files();
    files.addDirectory(directory);
    assertThat(own(written(files))).containsExactly("a", "a/b");
  }

  @Test
  @Timeout(600) // who opens a pipe that nobody writes waits for ever
  void pipesAndDevicesAreLeftOut() throws Exception {
    LinuxCalls.makePipe(folder.resolve("pipe"));
    Files.createSymbolicLink(folder.resolve("null"), Path.of("/dev/null"));
    Files.writeString(folder.resolve("file"), "x");
    assertThat(own(added(folder))).containsExactlyInAnyOrder("null", "file");
  }

  @Test
  void directoriesThatTheMachineMakesItself() throws Exception {
    InitialFiles files = files();
    files.add(Path.of("/dev/null"));
    files.addDirectory(Path.of("/tmp"));
    files.addDirectory(Path.of("/proc"));
    assertThat(written(files).names())
        .contains("dev", "proc", "sys", "tmp")
        .noneMatch(name -> name.startsWith("dev/") && !name.equals("dev/console"));
  }

  /** They have no size before they are read; the machine's kernel has its own. */
  @ParameterizedTest
  @ValueSource(strings = {"/proc/self/status", "/proc/version", "/sys/kernel/mm"})
  void filesOfTheKernelAreTheMachines(String name) throws Exception {
    Path path = Path.of(name);
    assertThat(path).exists();
    assertThat(added(path).names())
        .noneMatch(each -> each.startsWith("proc/") || each.startsWith("sys/"));
  }

  @Test
  void machinesFirstProgramIsNeverThatOfHere() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "here");
    InitialFiles files = files();
    files.add(file);
    files.make(file.toString(), RawText.encode("made"));
    Path archive = other.resolve("made");
    files.write(archive);
    assertThat(Archive.read(archive).entry(file).text()).isEqualTo("made");
  }

  @Test
  void bytesAreCounted() throws Exception {
    InitialFiles files = files();
    long before = files.bytes();
    files.add(Files.writeString(folder.resolve("file"), "12345"));
    files.make("/made", new byte[10]);
    assertThat(files.bytes() - before).isEqualTo(15);
  }

  @Test
  void missingFile() {
    Path file = folder.resolve("none");
    assertThatThrownBy(() -> files().add(file))
        .isInstanceOf(UsageException.class)
        .hasMessage("no such file: path=" + file);
  }

  @Test
  void fileThatVanishes() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "x");
    InitialFiles files = files();
    files.add(file);
    Files.delete(file);
    assertThatThrownBy(() -> files.write(other.resolve("archive")))
        .isExactlyInstanceOf(NoSuchFileException.class)
        .hasMessage(file.toString());
  }

  /** Root may read all files, but nobody reads a directory. */
  @Test
  void fileThatCannotBeRead() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "x");
    InitialFiles files = files();
    files.add(file);
    Files.delete(file);
    Files.createDirectory(file);
    assertThatThrownBy(() -> files.write(other.resolve("archive")))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("Is a directory");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        " ",
        "a b",
        "new\nline",
        "\u001b[2J\t\r",
        "'\"\\$`*?",
        "caf\u00E9 \u4E2D \uD83D\uDE00",
        "caf\uDCE9",
        "%41+%",
        "-rf",
        "TRAILER!!!"
      })
  void namesWithAnyCharacters(String name) throws Exception {
    String inside = folder + "/" + name;
    Path directory = Files.createDirectory(RawText.path(inside));
    Path file = RawText.path(inside + "/" + name);
    Files.writeString(file, "x");
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    Path relative = Files.createSymbolicLink(folder.resolve("near"), folder.relativize(file));
    Archive archive = added(folder);
    String begin = Archive.name(inside);
    assertThat(archive.entry(begin).kind()).isEqualTo(CpioArchive.DIRECTORY);
    assertThat(archive.entry(Archive.name(inside + "/" + name)).text()).isEqualTo("x");
    assertThat(archive.entry(link).text()).isEqualTo("/" + Archive.name(inside + "/" + name));
    assertThat(archive.entry(relative).text()).isEqualTo(Archive.name("/" + name + "/" + name));
    assertThat(directory).exists();
  }
}
