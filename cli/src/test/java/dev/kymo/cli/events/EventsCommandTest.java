package dev.kymo.cli.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.cli.Kymo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kymo events compile}: what it writes and what it says. */
class EventsCommandTest {
  @TempDir Path directory;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private List<String> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile)
          .map(p -> folder.relativize(p).toString())
          .sorted()
          .toList();
    }
  }

  @Test
  void writesAllAndSaysWhat() throws IOException {
    Path disk = file("disk.pleco", "subsystem disk { event READ \"\", event WRITE \"\", };");
    Path out = directory.resolve("out/deep");
    Kymo kymo =
        Kymo.run(
            "events",
            "compile",
            disk,
            "--java",
            "--c",
            "--json",
            "--pleco-json",
            "--package",
            "a.b",
            "-o",
            out);
    assertThat(kymo.err()).isEmpty();
    assertThat(kymo.code()).isZero();
    assertThat(kymo.out())
        .isEqualTo(
            "%1$s: subsystems=1 events=2\n%2$s/a/b/Disk.java\n%2$s/disk.h\n%2$s/disk.json\n%2$s/disk.pleco.json\n"
                .formatted(disk, out));
    assertThat(files(out))
        .containsExactly("a/b/Disk.java", "disk.h", "disk.json", "disk.pleco.json");
  }

  @Test
  void packageHasADefault() throws IOException {
    Path disk = file("disk.pleco", "subsystem disk { event READ \"\", };");
    assertThat(Kymo.run("events", "compile", "--java", "-o", directory, disk).code()).isZero();
    assertThat(directory.resolve("events/Disk.java")).content().contains("package events;");
  }

  @Test
  void checksOnlyIfNothingIsAskedFor() throws IOException {
    Path disk = file("disk.pleco", "subsystem disk { event READ \"\", };");
    assertThat(Kymo.run("events", "compile", disk).out())
        .isEqualTo(disk + ": subsystems=1 events=1\n");
    assertThat(files(directory)).containsExactly("disk.pleco");
  }

  @Test
  void wrongDefinitionsWriteNothing() throws IOException {
    Path disk = file("disk.pleco", "subsystem disk {\n  event READ \"\"\n  event 5 \"\",\n};\n");
    Kymo kymo = Kymo.run("events", "compile", "--json", "-o", directory, disk);
    assertThat(kymo.err())
        .isEqualTo(
            "%1$s:2:16: expected ','\n%1$s:3:9: expected a name, found '5'\n"
                .formatted(disk)
                .concat("kymo: definitions are refused: errors=2\n"));
    assertThat(kymo.code()).isEqualTo(1);
    assertThat(files(directory)).containsExactly("disk.pleco");
  }

  @Test
  void changedIdsFail() throws IOException {
    Path old = file("old.pleco", "subsystem disk { event READ \"\", event WRITE \"\", };");
    Path more =
        file("a.pleco", "subsystem disk { event READ \"\", event WRITE \"\", event C \"\", };");
    Path changed = file("b.pleco", "subsystem disk { event WRITE \"\", event READ = 0x7 \"\", };");
    assertThat(Kymo.run("events", "compile", more, "--check", old).code()).isZero();
    Kymo kymo = Kymo.run("events", "compile", changed, "--json", "-o", directory, "--check", old);
    assertThat(kymo.err())
        .isEqualTo(
            """
            %1$s:1:24: id of event 'WRITE' of subsystem 'disk' has changed: old=1 new=0; give it '= 1', or add new definitions at the end
            %1$s:1:40: id of event 'READ' of subsystem 'disk' has changed: old=0 new=7; give it '= 0', or add new definitions at the end
            kymo: definitions are refused: errors=2
            """
                .formatted(changed));
    assertThat(kymo.code()).isEqualTo(1);
    assertThat(directory.resolve("b.json")).doesNotExist();
  }

  @Test
  void wrongUsage() throws IOException {
    Path disk = file("disk.pleco", "subsystem disk { event READ \"\", };");
    Path none = directory.resolve("none");
    assertThat(Kymo.run("events").err())
        .isEqualTo("kymo: no command given; see 'kymo events --help'\n");
    assertThat(Kymo.run("events", "compile", none).err())
        .isEqualTo("kymo: no such file: path=" + none + "\n");
    assertThat(Kymo.run("events", "compile", "--java", "--package", "a-b", disk).err())
        .isEqualTo("kymo: not the name of a Java package: package=a-b; expected NAME.NAME\n");
    Kymo kymo = Kymo.run("events", "compile", "--package", "a", disk);
    assertThat(kymo.err()).isEqualTo("kymo: --package goes with --java only: package=a\n");
    assertThat(kymo.code()).isEqualTo(2);
  }
}
