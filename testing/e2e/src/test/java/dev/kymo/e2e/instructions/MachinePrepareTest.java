package dev.kymo.e2e.instructions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kernels are learned however busy this machine is, and given up when they get nowhere. */
@Tag("machine")
@Tag("peer")
class MachinePrepareTest {
  private static final Pattern PREPARED = Pattern.compile("qemu=(\\S+) kernel=(\\S+)\n");

  /** Of the user's home for machines. */
  private static Path qemu;

  private static Path kernel;

  @TempDir Path folder;

  @BeforeAll
  static void machineIsThere() throws Exception {
    Kymo.Result prepared = Kymo.run("machine", "prepare");
    assumeTrue(
        prepared.exit() == 0,
        "skipped: QEMU 10 and a kernel cannot be had from Debian: " + prepared.err());
    Matcher matcher = PREPARED.matcher(prepared.out());
    assertThat(matcher.matches()).as(prepared.out()).isTrue();
    qemu = Path.of(matcher.group(1)).resolve("../../..").normalize();
    kernel = Path.of(matcher.group(2)).resolve("vmlinuz");
  }

  /** A home that knows QEMU, and no kernel. */
  private Path home() {
    return folder.resolve("home");
  }

  @BeforeEach
  void homeIsNew() throws Exception {
    Files.createDirectory(home());
    Files.createSymbolicLink(home().resolve("qemu"), qemu);
  }

  @AfterEach
  void linkIsGone() throws Exception {
    Files.delete(home().resolve("qemu")); // it leads out of the test's folder
  }

  private Process prepare(Path file) throws Exception {
    Map<String, String> environment = Map.of("KYMO_MACHINE", home().toString());
    return Kymo.start(folder, environment, "machine", "prepare", "--kernel", file.toString());
  }

  @Test
  void aKernelThatGetsNowhereIsGivenUpWithItsLastWords() throws Exception {
    NativePrograms.assumeInstalled();
    Path stuck =
        NativePrograms.compile(
            Path.of("src/native/stuck-kernel.S").toAbsolutePath(),
            folder.resolve("stuck"),
            "-nostdlib",
            "-static",
            "-no-pie",
            "-Wl,-Ttext=0x100000,--build-id=none,--entry=begin");
    Kymo.Result result = Kymo.finish(prepare(stuck), "");
    assertThat(result.exit()).isNotZero();
    assertThat(result.err())
        .contains("booting the kernel, once, to learn it: kernel=")
        .containsPattern("still booting: processor_time=\\d+s console=\"going nowhere\"")
        .containsPattern(
            "failure=\"it has said nothing for \\d+ s of processor time\""
                + " console=\"first line; second line; going nowhere\"");
  }

  @Test
  void aMachineThatIsStoppedForAWhileIsLearnedAfterwards() throws Exception {
    Process kymo = prepare(kernel);
    ProcessHandle emulator = null;
    while (emulator == null && kymo.isAlive()) {
      emulator =
          kymo.descendants()
              .filter(p -> p.info().command().orElse("").endsWith("qemu-system-x86_64"))
              .findFirst()
              .orElse(null);
    }
    assertThat(emulator).as("QEMU's process").isNotNull();
    String pid = Long.toString(emulator.pid());
    assertThat(Kymo.exec(folder, "kill", "-STOP", pid).exit()).isZero();
    Path stat = Path.of("/proc", pid, "stat");
    while (!Files.readString(stat).contains(") T ")) {
      Thread.sleep(10);
    }
    assertThat(Kymo.exec(folder, "kill", "-CONT", pid).exit()).isZero();
    Kymo.Result result = Kymo.finish(kymo, "");
    assertThat(result.err()).contains("the kernel's functions and structures are known: kernel=");
    assertThat(result.exit()).isZero();
    Path learned = Path.of(result.out().replaceFirst("(?s).* kernel=(\\S+)\n", "$1"));
    for (String name : new String[] {"kallsyms", "places-2"}) {
      assertThat(learned.resolve(name)).hasSameTextualContentAs(kernel.resolveSibling(name));
    }
  }
}
