package dev.kymo.e2e.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.code.Arm64Programs;
import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import dev.kymo.kernel.KernelException;
import dev.kymo.kernel.Tracefs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packages are small, the same each time, and work where there is no Java. */
@Tag("slow")
class PackageTest {
  private static final Path HOME = Path.of("../..").toAbsolutePath().normalize();
  private static final Path PACKAGES = HOME.resolve("target/packages");
  private static final Path SOURCES = Path.of("src/packages").toAbsolutePath();
  private static final long MOST = 70_000_000;

  /** Calls of fib by fib(15); main is one more. */
  private static final long FIB = 1973;

  private static final String CALLS = "calls\n" + (FIB + 1) + "\n";

  @TempDir Path folder;

  /** The hash of each package, by its name; those for ARM64 too, if there is what they need. */
  private Map<String, String> made(int level) throws Exception {
    for (String program : List.of("dpkg-deb", "gcc", "pkg-config", "strip", "unshare")) {
      assumeTrue(isThere(program), "not installed: " + program);
    }
    String packs = HOME.resolve("package").toString();
    List<String> command = new ArrayList<>(List.of("env", "KYMO_PACKAGE_LEVEL=" + level, packs));
    command.add("--packed");
    if (arm64()) {
      command.addAll(List.of("--arm64", Arm64Programs.jdk().toString()));
    }
    Kymo.Result made = Kymo.exec(folder, command.toArray(String[]::new));
    assertThat(made.exit()).as(made.err()).isZero();
    Map<String, String> hashes = new TreeMap<>();
    made.out().lines().forEach(line -> hashes.put(line.split(" +")[1], line.split(" +")[0]));
    return hashes;
  }

  private static boolean arm64() {
    return Arm64Programs.canCompile() && Files.isDirectory(Arm64Programs.jdk().resolve("jmods"));
  }

  @Tag("packages")
  @Test
  void installWithoutJavaAndGoWithoutATrace() throws Exception {
    Set<String> expected =
        new TreeSet<>(
            Set.of(
                "kymo-0.1.0-linux-x64.tar.gz",
                "kymo-agent.jar",
                "kymo-docs-0.1.0.tar.gz",
                "kymo-kafka-0.1.0.tar.gz",
                "kymo-kafka_0.1.0_all.deb",
                "kymo.jar",
                "kymo_0.1.0_amd64.deb"));
    if (arm64()) {
      expected.addAll(Set.of("kymo-0.1.0-linux-arm64.tar.gz", "kymo_0.1.0_arm64.deb"));
    }
    assertThat(made(1).keySet()).isEqualTo(expected);
    debianFindsNothingWrong();
    archiveWorks();
    jarWorks();
    installed();
    arm64Works();
  }

  @Tag("packages")
  @Test
  void theDaemonsServiceMayDoWhatItNeeds() throws Exception {
    assumeTrue(isThere("systemd-analyze"), "not installed: systemd-analyze");
    Kymo.Result result =
        Kymo.exec(
            HOME,
            "systemd-analyze",
            "security",
            "--offline=true",
            "--threshold=30", // 3.0, of 10
            "packaging/kymo-daemon.service");
    assumeTrue(!result.err().contains("unrecognized option"), "systemd-analyze is too old");
    assertThat(result.exit()).as(result.out()).isZero();
  }

  @Tag("release")
  @Test
  void areSmallAndTheSameEachTime() throws Exception {
    Map<String, String> made = made(9);
    for (String name : made.keySet()) {
      assertThat(Files.size(PACKAGES.resolve(name))).as(name).isLessThan(MOST);
    }
    assertThat(made(9)).as("made again").isEqualTo(made);
  }

  private static boolean isThere(String program) {
    return Stream.of("/usr/bin", "/bin", "/usr/sbin")
        .anyMatch(folder -> Files.exists(Path.of(folder, program)));
  }

  private void debianFindsNothingWrong() throws Exception {
    if (!isThere("lintian")) {
      System.out.println("skipped: lintian is not installed");
      return;
    }
    List<String> command = new ArrayList<>(List.of("env", "TMPDIR=" + folder)); // it leaves files
    command.addAll(List.of("lintian", "--allow-root", "--fail-on", "error"));
    try (Stream<Path> all = Files.list(PACKAGES)) {
      all.map(Path::toString).filter(name -> name.endsWith(".deb")).forEach(command::add);
    }
    Kymo.Result result = Kymo.exec(folder, command.toArray(String[]::new));
    assertThat(result.exit()).as(result.out()).isZero();
  }

  /** Unpacked by anybody, and used by its whole path. */
  private void archiveWorks() throws Exception {
    Path archive = PACKAGES.resolve("kymo-0.1.0-linux-x64.tar.gz");
    Kymo.Result unpacked = Kymo.exec(folder, "tar", "xzf", archive.toString());
    assertThat(unpacked.exit()).as(unpacked.err()).isZero();
    Programs.compile(SOURCES.resolve("Fib.java"), 17, folder);
    String kymo = folder.resolve("kymo-0.1.0/kymo").toString();
    String java = Jdk.running().java().toString();
    run(kymo, "record", "-q", "-o", "r.kymo", "--", java, "-cp", folder.toString(), "Fib");
    assertThat(
            run(kymo, "query", "r.kymo", "SELECT count(*) AS calls FROM calls", "--format", "csv"))
        .isEqualTo(CALLS);
  }

  /** One file, which unpacks itself the first time; then it is the program that was started. */
  private void jarWorks() throws Exception {
    String jar = PACKAGES.resolve("kymo.jar").toString();
    String java = Jdk.running().java().toString();
    List<String> kymo = List.of(java, "-jar", jar);
    String facts = "readlink /proc/self/fd/*; grep -E 'Sig(Blk|Ign)' /proc/self/status";
    String outside = run("sh", "-c", facts);
    List<String> inside = new ArrayList<>(kymo);
    inside.addAll(List.of("record", "-q", "-o", "no.kymo", "--", "sh", "-c", facts));
    assertThat(signalsAndFiles(run(inside.toArray(String[]::new))))
        .isEqualTo(signalsAndFiles(outside));
    String[] record = {"record", "-q", "-o", "j.kymo", "--", java, "-cp", folder.toString(), "Fib"};
    run(with(kymo, record));
    String[] query = {"query", "j.kymo", "SELECT count(*) AS calls FROM calls", "--format", "csv"};
    assertThat(run(with(kymo, query))).isEqualTo(CALLS);
    Kymo.Result withoutShell = exec("PATH=/nonexistent", with(kymo, query));
    assertThat(withoutShell.out()).as(withoutShell.err()).isEqualTo(CALLS);
    for (Jdk old : Jdk.all()) {
      if (!old.equals(Jdk.running()) && old.feature() < 25) {
        Kymo.Result refused =
            exec("PATH=/usr/bin:/bin", old.java().toString(), "-jar", jar, "--version");
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err())
            .startsWith("kymo: Java 25 or later is needed to run it: version=" + old.feature());
      }
    }
    Kymo.Result elsewhere =
        exec("PATH=/usr/bin:/bin", java, "-Dos.arch=riscv64", "-jar", jar, "--version");
    assertThat(elsewhere.err()).startsWith("kymo: it is for other machines: machine=riscv64");
    try (Stream<Path> unpacked = Files.list(folder.resolve(".cache/kymo"))) {
      assertThat(unpacked.filter(path -> path.toString().contains("/jar-"))).hasSize(1);
    }
  }

  private static String[] with(List<String> program, String... arguments) {
    return Stream.concat(program.stream(), Stream.of(arguments)).toArray(String[]::new);
  }

  /**
   * Pipes and processes have other numbers each time; signals from 29 on may be the C library's.
   */
  private static List<String> signalsAndFiles(String said) {
    return said.lines()
        .map(line -> line.replaceAll("(pipe:\\[|/proc/)\\d+", "$1N"))
        .map(line -> line.replaceAll("(Sig...:\\s+)[0-9a-f]{9}", "$1"))
        .toList();
  }

  private String run(String... command) throws Exception {
    Kymo.Result result = exec("PATH=/usr/bin:/bin", command);
    assertThat(result.exit()).as(result.err()).isZero();
    return result.out();
  }

  private Kymo.Result exec(String path, String... command) throws Exception {
    List<String> all = new ArrayList<>(List.of("/usr/bin/env", "-i", path, "HOME=" + folder));
    all.addAll(List.of(command));
    return Kymo.exec(folder, all.toArray(String[]::new));
  }

  private void installed() throws Exception {
    Path tried = Files.createDirectory(folder.resolve("tried"));
    Kymo.Result may = installedScript(tried, List.of());
    if (may.exit() != 0) {
      System.out.println(
          "skipped: installing the packages: it may not be tried here: " + may.err());
      return;
    }
    Path work = Files.createDirectory(folder.resolve("work"));
    Files.copy(SOURCES.resolve("fib.c"), work.resolve("fib.c"));
    Programs.compile(SOURCES.resolve("Fib.java"), 17, work);
    Kymo.Result result = installedScript(work, List.of(PACKAGES.toString()));
    assertThat(result.exit()).as(result.out() + result.err()).isZero();
    assertThat(result.out())
        .contains("caches: 2\n")
        .containsSubsequence(CALLS, CALLS)
        .contains("view: HTTP/1.1 200")
        .contains("\"mimeType\":\"image/png\"\n")
        .contains(isThere("chromium") ? "1 thread\n" : "view: ")
        .contains(kernelEventsAreHad() ? "kernel events: by the daemon\n" : "view: ")
        .contains("completed: report\n")
        .doesNotContain("left: ");
    assertThat(result.out().split("kymo 0.1.0\n", -1)).as("after the update, too").hasSize(3);
  }

  /** What is made here for ARM64, in QEMU's user mode. */
  private void arm64Works() throws Exception {
    Path work = Files.createDirectory(folder.resolve("arm64"));
    if (!arm64() || !isThere("qemu-aarch64")) {
      System.out.println("skipped: packages for ARM64: not installed: its compiler, Java or QEMU");
      return;
    }
    Kymo.Result may = arm64Script(work, List.of());
    if (may.exit() != 0) {
      System.out.println("skipped: packages for ARM64: QEMU may not be used so: " + may.err());
      return;
    }
    Files.copy(SOURCES.resolve("fib.c"), work.resolve("fib.c"));
    Programs.compile(SOURCES.resolve("Fib.java"), 17, work);
    Path system = Arm64Programs.jdk().resolve("../../../..").normalize();
    Kymo.Result result = arm64Script(work, List.of(system.toString(), PACKAGES.toString()));
    assertThat(result.exit()).as(result.out() + result.err()).isZero();
    assertThat(result.out()).startsWith("kymo 0.1.0\n").endsWith(CALLS);
    Path java = work.resolve("java.kymo");
    assertThat(Files.readString(work.resolve("report")))
        .isEqualTo(Kymo.run("report", java.toString()).out());
    for (Path recording : List.of(java, work.resolve("c.kymo"))) {
      try (Recorded recorded = new Recorded(recording)) {
        assertThat(recorded.calls(recording.equals(java) ? "Fib.fib" : "fib")).isEqualTo(FIB);
      }
    }
    assertThat(result.err()).contains("instructions are recorded on x86-64 only: machine=aarch64");
    // The jar has ARM64's library in C, without which a notice says so.
    assertThat(Kymo.run("info", work.resolve("alone.kymo").toString()).out())
        .contains("javaagent")
        .doesNotContain("messages are not recorded");
  }

  private Kymo.Result arm64Script(Path work, List<String> where) throws Exception {
    List<String> command = new ArrayList<>(List.of("unshare", "--user", "--map-root-user"));
    command.addAll(List.of("--mount", "sh", SOURCES.resolve("arm64.sh").toString()));
    command.add(work.toString());
    command.addAll(where);
    return Kymo.exec(folder, command.toArray(String[]::new));
  }

  private static boolean kernelEventsAreHad() {
    try {
      Tracefs.find();
      return true;
    } catch (KernelException e) {
      System.out.println("skipped: kernel events of the installed package: " + e.getMessage());
      return false;
    }
  }

  private Kymo.Result installedScript(Path work, List<String> packages) throws Exception {
    // With numbers of processes of their own, they would not be those of the kernel's events.
    List<String> command = new ArrayList<>(List.of("unshare", "--mount", "sh"));
    command.add(SOURCES.resolve("installed.sh").toString());
    command.add(work.toString());
    command.add(System.getProperty("java.home"));
    command.addAll(packages);
    return Kymo.exec(folder, command.toArray(String[]::new));
  }
}
