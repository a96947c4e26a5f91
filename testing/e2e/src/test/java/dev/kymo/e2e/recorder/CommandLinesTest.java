package dev.kymo.e2e.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Shell;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Everybody can read command lines: no value of the environment stands in one, nor the name of the
 * shared memory that root lets others write. Which programs are executed, strace says.
 */
@Timeout(600)
class CommandLinesTest {
  private static final String SECRET = "hunter2-in-the-environment";

  /** The words of an {@code execve}; its environment follows. */
  private static final Pattern EXECUTED =
      Pattern.compile("execve(?:at)?\\((?:\\d+, |AT_FDCWD, )?\"[^\"]*\", (\\[.*?\\]), ");

  @TempDir Path folder;

  private List<String> executed(String command) throws Exception {
    assumeTrue(works("strace", "-o", "/dev/null", "true"), "skipped: strace does not work here");
    Path calls = folder.resolve("calls");
    Shell shell = new Shell(folder);
    Map<String, String> environment = new HashMap<>(shell.variables());
    environment.put("DB_PASSWORD", SECRET);
    environment.put("LD_LIBRARY_PATH", "/nowhere/" + SECRET);
    Kymo.Result result =
        shell.script(
            folder,
            environment,
            "strace -f -q -s 100000 -e trace=execve,execveat -o %s %s".formatted(calls, command));
    assertThat(result.exit()).as(result.err()).isZero();
    try (Stream<String> lines = Files.lines(calls, StandardCharsets.ISO_8859_1)) {
      return lines.flatMap(line -> EXECUTED.matcher(line).results()).map(m -> m.group(1)).toList();
    }
  }

  private static boolean works(String... command) throws InterruptedException {
    try {
      return Kymo.exec(Path.of("/"), command).exit() == 0;
    } catch (IOException e) {
      return false; // it is not there
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kymo --version",
        "kymo record -q -o r.kymo -- sh -c \"env > given\"",
        "kymo record -q -o r.kymo --threads -- sh -c \"env > given\"",
        "kymo record -q -o r.kymo -- env -u KYMO_SESSION sh -c \"env > given\"",
        "kymo record -q -o r.kymo --instructions -- sh -c \"env > given\"",
        "kymo doctor",
      })
  void noValueOfTheEnvironmentIsInACommandLine(String command) throws Exception {
    assumeTrue(
        !command.contains("--instructions") || works("qemu-x86_64", "--version"),
        "skipped: no qemu-x86_64");
    List<String> executed = executed(command);
    assertThat(executed).anyMatch(words -> words.contains("dev.kymo.cli.Main"));
    assertThat(executed).noneMatch(words -> words.contains(SECRET));
    Path given = folder.resolve("given");
    if (Files.exists(given)) {
      List<String> variables = Files.readAllLines(given);
      assertThat(variables).contains("DB_PASSWORD=" + SECRET, "LD_LIBRARY_PATH=/nowhere/" + SECRET);
      assertThat(variables).noneMatch(variable -> variable.matches("(KYMO_LAUNCH|QEMU_\\w+)=.*"));
      variables.stream()
          .filter(variable -> variable.startsWith("KYMO_SESSION="))
          .map(variable -> variable.replaceAll(".*/", ""))
          .forEach(session -> assertThat(executed).noneMatch(words -> words.contains(session)));
    }
  }

  /** What a pipe can hold, and more. */
  @ParameterizedTest
  @ValueSource(ints = {10, 50_000, 100_000})
  void theProgramGetsTheEnvironmentByteForByte(int length) throws Exception {
    Shell shell = new Shell(folder);
    Map<String, String> environment = new HashMap<>(shell.variables());
    environment.put("LONG", "x".repeat(length));
    environment.put("LINES", "a\n\nb\n");
    environment.put("a.b", "not a shell's name");
    environment.put("given", "a variable of the launcher's own");
    environment.put("LC_ALL", "C");
    environment.put("BASH_FUNC_f%%", "() {  echo   f\n}");
    // In "_" is what the shell has started.
    String keep = "grep -zv '^_=\\|^KYMO_\\|^LD_PRELOAD=\\|^ASAN_OPTIONS=\\|^JAVA_TOOL_OPTIONS='";
    Shell.Both both = shell.both(environment, "\"${run[@]}\" env -0 | " + keep + " | cat -A");
    assertThat(both.recorded()).isEqualTo(both.plain());
    assertThat(both.plain().out()).contains("a.b=").hasSizeGreaterThan(length);
  }

  @Test
  void whoStartsJavaWithoutTheLauncherKeepsTheEnvironment() throws Exception {
    Kymo.Result result =
        Kymo.runIn(
            folder,
            Map.of("KYMO_LAUNCH", "process=1 environment=0", "OWN", "value"),
            "",
            "record",
            "-q",
            "-o",
            "r.kymo",
            "--",
            "env");
    assertThat(result.out()).contains("OWN=value\n").doesNotContain("KYMO_LAUNCH");
  }
}
