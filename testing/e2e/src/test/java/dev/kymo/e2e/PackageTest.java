package dev.kymo.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
  private Map<String, String> made() throws Exception {
    Kymo.Result made = Kymo.exec(folder, HOME.resolve("package").toString(), "--packed");
    assertThat(made.exit()).as(made.err()).isZero();
    Map<String, String> hashes = new TreeMap<>();
    made.out().lines().forEach(line -> hashes.put(line.split(" +")[1], line.split(" +")[0]));
    return hashes;
  }

  @Test
  void installWithoutJavaAndGoWithoutATrace() throws Exception {
    assumeTrue(isThere("dpkg-deb") && isThere("dpkg-shlibdeps"), "not installed: dpkg-dev");
    Map<String, String> made = made();
    assertThat(made.keySet())
        .containsExactly(
            "kymo-0.1.0-linux-x64.tar.gz",
            "kymo-kafka-0.1.0.tar.gz",
            "kymo-kafka_0.1.0_all.deb",
            "kymo_0.1.0_amd64.deb");
    for (String name : made.keySet()) {
      assertThat(Files.size(PACKAGES.resolve(name))).as(name).isLessThan(MOST);
    }
    archiveWorks();
    installed();
    assertThat(made()).as("made again").isEqualTo(made);
  }

  private static boolean isThere(String program) {
    return Stream.of("/usr/bin", "/bin", "/usr/sbin")
        .anyMatch(f -> Files.exists(Path.of(f, program)));
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

  private String run(String... command) throws Exception {
    List<String> all =
        new ArrayList<>(List.of("env", "-i", "PATH=/usr/bin:/bin", "HOME=" + folder));
    all.addAll(List.of(command));
    Kymo.Result result = Kymo.exec(folder, all.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isZero();
    return result.out();
  }

  private void installed() throws Exception {
    if (!mayMount()) {
      System.out.println("skipped: installing the packages: an overlay cannot be mounted here");
      return;
    }
    Path work = Files.createDirectory(folder.resolve("work"));
    Files.copy(SOURCES.resolve("fib.c"), work.resolve("fib.c"));
    Programs.compile(SOURCES.resolve("Fib.java"), 17, work);
    Kymo.Result result =
        Kymo.exec(
            folder,
            "unshare",
            "--mount",
            "--pid",
            "--fork",
            "sh",
            SOURCES.resolve("installed.sh").toString(),
            work.toString(),
            PACKAGES.toString(),
            System.getProperty("java.home"));
    assertThat(result.exit()).as(result.out() + result.err()).isZero();
    assertThat(result.out())
        .contains("caches: 2\n")
        .containsSubsequence(CALLS, CALLS)
        .contains("view: HTTP/1.1 200")
        .contains("completed: report\n")
        .doesNotContain("left: ");
    assertThat(result.out().split("kymo 0.1.0\n", -1)).as("after the update, too").hasSize(3);
  }

  private boolean mayMount() throws Exception {
    String tries =
        "mkdir -p t/u && mount -t tmpfs none t && mkdir t/u t/w t/m &&"
            + " mount -t overlay overlay -o lowerdir=/,upperdir=t/u,workdir=t/w t/m";
    return Kymo.exec(folder, "unshare", "--mount", "--pid", "--fork", "sh", "-c", tries).exit()
        == 0;
  }
}
