package dev.kymo.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.kernel.KernelException;
import dev.kymo.kernel.Tracefs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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

  /** main and fib(15). */
  private static final String CALLS = "calls\n1974\n";

  @TempDir Path folder;

  /** The hash of each package, by its name. */
  private Map<String, String> made(int level) throws Exception {
    for (String program : List.of("dpkg-shlibdeps", "gcc", "pkg-config", "strip", "unshare")) {
      assumeTrue(isThere(program), "not installed: " + program);
    }
    String packs = HOME.resolve("package").toString();
    Kymo.Result made = Kymo.exec(folder, "env", "KYMO_PACKAGE_LEVEL=" + level, packs, "--packed");
    assertThat(made.exit()).as(made.err()).isZero();
    Map<String, String> hashes = new TreeMap<>();
    made.out().lines().forEach(line -> hashes.put(line.split(" +")[1], line.split(" +")[0]));
    return hashes;
  }

  @Test
  void installWithoutJavaAndGoWithoutATrace() throws Exception {
    assertThat(made(1).keySet())
        .containsExactly(
            "kymo-0.1.0-linux-x64.tar.gz",
            "kymo-agent.jar",
            "kymo-docs-0.1.0.tar.gz",
            "kymo-kafka-0.1.0.tar.gz",
            "kymo-kafka_0.1.0_all.deb",
            "kymo.jar",
            "kymo_0.1.0_amd64.deb");
    debianFindsNothingWrong();
    archiveWorks();
    jarWorks();
    installed();
  }

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

  @Test
  @Tag("long")
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
    Kymo.Result result =
        Kymo.exec(
            folder,
            "env",
            "TMPDIR=" + folder, // it leaves files there
            "lintian",
            "--allow-root",
            "--fail-on",
            "error",
            PACKAGES.resolve("kymo_0.1.0_amd64.deb").toString(),
            PACKAGES.resolve("kymo-kafka_0.1.0_all.deb").toString());
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
        .contains(isThere("chromium") ? "1 thread\n" : "view: ")
        .contains(kernelEventsAreHad() ? "kernel events: by the daemon\n" : "view: ")
        .contains("completed: report\n")
        .doesNotContain("left: ");
    assertThat(result.out().split("kymo 0.1.0\n", -1)).as("after the update, too").hasSize(3);
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
