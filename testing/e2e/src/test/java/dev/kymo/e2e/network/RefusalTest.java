package dev.kymo.e2e.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Kymo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Refusals are one sentence, with exit code 2 for wrong use and 1 for failure. */
class RefusalTest {
  @TempDir Path folder;

  @Test
  void wrongUse() throws Exception {
    refused(2, "nothing to record: give a command, or --pid", "record");
    refused(
        2,
        "Unknown option: '--colour'; see 'kymo record --help'",
        "record",
        "--colour",
        "--",
        "java");
    refused(2, "command not found: no-such-command", "record", "--", "no-such-command");
    refused(
        0,
        "nothing recorded: the command ran no Java program, and none built with -finstrument-functions or events: /bin/true",
        "record",
        "-o",
        folder.resolve("no.kymo").toString(),
        "--",
        "/bin/true");
    refused(2, "give either a command or --pid, not both", "record", "--pid", "1", "--", "java");
    refused(2, "--at-full goes with --max-size", "record", "--at-full", "stop", "--", "java");
    refused(
        2,
        "--files goes with --at-full overwrite",
        "record",
        "--max-size",
        "2M",
        "--files",
        "3",
        "--",
        "java");
    refused(
        2,
        "--snapshot-on goes with --when-full overwrite",
        "record",
        "--snapshot-on",
        "a.B",
        "--",
        "java");
    refused(
        2,
        "Invalid value for option '--buffer': '12' is not between 128K and 1G; see 'kymo record --help'",
        "record",
        "--buffer",
        "12",
        "--",
        "java");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void commandsThatCannotBeRun() throws Exception {
    Path script = Files.writeString(folder.resolve("script"), "#!/no/such/shell -x\n");
    commandRefused(
        script, "it is not executable: path=" + script + "; chmod +x makes it so", Map.of());
    assertThat(script.toFile().setExecutable(true)).isTrue();
    commandRefused(
        script,
        "its interpreter is not there: path=" + script + " interpreter=/no/such/shell",
        Map.of());
    Path directory = Path.of("/etc");
    commandRefused(directory, "it is a directory: path=/etc", Map.of());
    // A variable that Kymo makes longer, and that already has the maximum length.
    commandRefused(
        Path.of("/bin/true"),
        "its arguments and environment are longer than the system allows: path=/bin/true",
        Map.of("ASAN_OPTIONS", "x".repeat((32 << 12) - 20)));
    Files.delete(script);
    assertThat(folder).isEmptyDirectory();
  }

  private void commandRefused(Path command, String why, Map<String, String> environment)
      throws Exception {
    Kymo.Result result =
        Kymo.runIn(folder, environment, "", "record", "--", command.toString(), "argument");
    assertThat(result)
        .isEqualTo(new Kymo.Result(2, "", "kymo: command cannot be run, " + why + "\n"));
  }

  @Test
  void theExitCodeIsTheProgramsAlsoIfNothingWasRecorded() throws Exception {
    for (int exit : List.of(0, 1, 2, 127, 255)) {
      Kymo.Result result =
          Kymo.runIn(folder, Map.of(), "", "record", "--", "sh", "-c", "exit " + exit);
      assertThat(result.exit()).isEqualTo(exit);
      assertThat(result.err())
          .startsWith("kymo: nothing recorded: the command ran no Java program, and none built");
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aProcessThatIsNoJvm() throws Exception {
    Process sleeper = new ProcessBuilder("sleep", "60").start();
    try {
      Kymo.Result result =
          Kymo.run(
              "record",
              "-o",
              folder.resolve("sleep.kymo").toString(),
              "--pid",
              Long.toString(sleeper.pid()));
      assertThat(result.exit()).isEqualTo(2);
      assertThat(result.err())
          .startsWith(
              "kymo: cannot record: pid="
                  + sleeper.pid()
                  + " reason=it is not a Java program and has no libkymo: start it with LD_PRELOAD=");
      assertThat(result.err().lines()).hasSize(1);
      assertThat(sleeper.isAlive()).isTrue();
    } finally {
      sleeper.destroyForcibly();
    }
  }

  @Test
  void placesWhereNothingCanBeWritten() throws Exception {
    Path there = Files.createDirectory(folder.resolve("there.kymo"));
    refused(
        1,
        "recording exists already: path=" + there + "; remove it or choose another name with -o",
        "record",
        "-o",
        there.toString(),
        "--",
        "java");
    refused(
        1,
        "no such directory to record into: path=" + folder.resolve("no"),
        "record",
        "-o",
        folder.resolve("no/such.kymo").toString(),
        "--",
        "java");
    Path file = Files.createFile(folder.resolve("file"));
    refused(
        1,
        "recording cannot be made: path=%s/x.kymo error=\"Not a directory\"; choose another place with -o"
            .formatted(file),
        "record",
        "-o",
        file + "/x.kymo",
        "--",
        "java");
    Kymo.Result result =
        Kymo.runIn(
            folder,
            Map.of("KYMO_SHARED_MEMORY", folder.resolve("nowhere").toString()),
            "",
            "record",
            "--",
            "java");
    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.err()).startsWith("kymo: cannot make shared memory: directory=");
    assertThat(result.err().lines()).hasSize(1);
  }

  private void refused(int exit, String message, String... arguments) throws Exception {
    Kymo.Result result = Kymo.runIn(folder, Map.of(), "", arguments);
    assertThat(result.err()).isEqualTo("kymo: " + message + "\n");
    assertThat(result.out()).isEmpty();
    assertThat(result.exit()).isEqualTo(exit);
  }
}
