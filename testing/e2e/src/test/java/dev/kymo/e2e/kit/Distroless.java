package dev.kymo.e2e.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A container as images without a shell have it: a JRE and the libraries that it needs, under a
 * root that cannot be written, with its own process numbers. {@code /classes} are the test
 * programs, {@code /data} is a volume, {@code /given} has files of the test's own.
 */
public final class Distroless implements AutoCloseable {
  /** The usual directories that can be written; they follow each other. */
  public static final String TMP = "mkdir tmp && mount -t tmpfs none tmp";

  public static final String SHARED_MEMORY = "mkdir dev/shm && mount -t tmpfs none dev/shm";
  public static final String PROC = "mkdir proc && mount -t proc none proc";

  private static final List<String> UNSHARE =
      List.of("unshare", "--user", "--map-root-user", "--mount", "--pid", "--fork");

  /** {@code $1} its root, 2 JRE, 3 classes, 4 volume, 5 given; the program follows. */
  private static final String MAKE =
      """
      set -e
      loader=$(ldd /bin/umount | sed -n 's:^\\s*\\(/[^ ]*ld-[^ ]*\\) .*:\\1:p' | xargs readlink -f)
      libraries=$(dirname "$(ldd /bin/umount | sed -n 's:.*=> \\(/.*libc\\.so[^ ]*\\) .*:\\1:p')")
      mount -t tmpfs none "$1" && cd "$1" && mkdir dev classes java data given .old
      for device in null zero random urandom; do touch dev/$device; mount --bind /dev/$device dev/$device; done
      ldd "$2"/bin/java "$2"/lib/server/libjvm.so "$2"/lib/lib[jnz]*.so 2>/dev/null |
        sed -n 's:.*=> \\(/[^ ]*\\) .*:\\1:p; s:^\\s*\\(/[^ ]*ld-[^ ]*\\) .*:\\1:p' | sort -u |
        xargs cp -L --parents -t .
      if ls -d /etc/java-* > /dev/null 2>&1; then cp -rL --parents /etc/java-* . 2>/dev/null || true; fi
      mount --rbind "$2" java && mount --bind "$3" classes
      mount --bind "$4" data && mount --bind "$5" given
      shift 5
      %s
      mount -o remount,ro . && pivot_root . .old
      /.old$loader --library-path /.old$libraries /.old/bin/umount -l /.old
      cd / && exec "$@"
      """;

  private final Path folder;
  private final Process process;

  private Distroless(Path folder, Process process) {
    this.folder = folder;
    this.process = process;
  }

  /** A folder of the test that the container has as a volume. */
  public static Path data(Path folder) throws IOException {
    return Files.createDirectories(folder.resolve("data"));
  }

  public static Path given(Path folder) throws IOException {
    return Files.createDirectories(folder.resolve("given"));
  }

  /**
   * Starts a program in one.
   *
   * @param mounts shell commands that make what it has more, in its root
   */
  public static Distroless start(Path folder, List<String> mounts, List<String> program)
      throws Exception {
    List<String> probe = new ArrayList<>(UNSHARE);
    probe.addAll(List.of("sh", "-c", "mount -t tmpfs none /tmp && command -v pivot_root"));
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/unshare"))
            && Kymo.exec(folder, probe.toArray(String[]::new)).exit() == 0,
        "skipped: needs unshare, pivot_root, and the right to make name spaces");
    Process process =
        new ProcessBuilder(command(folder, mounts, program))
            .redirectError(folder.resolve("err").toFile())
            .start();
    return new Distroless(folder, process);
  }

  private static String[] command(Path folder, List<String> mounts, List<String> program)
      throws IOException {
    List<String> command = new ArrayList<>(UNSHARE);
    command.addAll(List.of("sh", "-c", MAKE.formatted(String.join("\n", mounts)), "sh"));
    command.add(Files.createDirectories(folder.resolve("root")).toString());
    command.add(System.getProperty("java.home"));
    command.add(Programs.CLASSES.toString());
    command.add(data(folder).toString());
    command.add(given(folder).toString());
    command.addAll(program);
    return command.toArray(String[]::new);
  }

  /** Awaits that the program is ready; returns its number outside. */
  public long ready() throws IOException {
    BufferedReader out = process.inputReader();
    assertThat(out.readLine()).as(said()).isEqualTo("ready");
    return process.children().findFirst().orElseThrow().pid();
  }

  /** Whether the program has written more than it was asked for. */
  public boolean saysMore() throws IOException {
    return process.inputReader().ready();
  }

  /** What it says on standard error. */
  public String said() throws IOException {
    return Files.readString(folder.resolve("err"));
  }

  /** Awaits its end; returns its exit code. */
  public int end() throws InterruptedException {
    assertThat(process.waitFor(600, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  @Override
  public void close() throws Exception {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().waitFor();
  }
}
