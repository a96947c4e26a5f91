package dev.kymo.kernel;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The kernel's tracing file system. Only root sees its contents.
 *
 * @param root where it is mounted
 */
public record Tracefs(Path root) {
  private static final List<Path> USUAL =
      List.of(Path.of("/sys/kernel/tracing"), Path.of("/sys/kernel/debug/tracing"));

  /** {@code CAP_SYS_ADMIN}. */
  private static final long ADMINISTER = 1 << 21;

  /** How many users the first user name space has. */
  private static final String ALL_USERS = " 4294967295\n";

  private static final Path PROC = Path.of("/proc");

  /** The name space in which processes have the numbers that are in the kernel's events. */
  private static final String KERNELS_NUMBERS = "pid:[4026531836]";

  /**
   * Finds it. If it is not mounted and this user is root, it is mounted at its usual place, and
   * stays mounted.
   *
   * @throws KernelException with what to do if it cannot be used
   */
  public static Tracefs find() throws KernelException {
    return find(USUAL, PROC, true);
  }

  /** Why this user cannot use it, with what to do; empty if it is there, or could be mounted. */
  public static String obstacle() {
    try {
      find(USUAL, PROC, false);
      return "";
    } catch (KernelException e) {
      boolean mountable =
          uid(PROC) == 0
              && hasKernelsNumbers(PROC)
              && contains(PROC.resolve("filesystems"), "\ttracefs")
              && mayMount(PROC.resolve("self"));
      return mountable ? "" : String.valueOf(e.getMessage());
    }
  }

  static Tracefs find(List<Path> usual, Path proc, boolean mount) throws KernelException {
    if (!hasKernelsNumbers(proc)) {
      throw new KernelException(
          "processes have other numbers in this container than in kernel events: record them outside");
    }
    for (Path root : usual) {
      if (isUsable(root)) {
        return new Tracefs(root);
      }
    }
    Path root = usual.getFirst();
    int uid = uid(proc);
    if (!contains(proc.resolve("filesystems"), "\ttracefs")) {
      throw new KernelException(
          "this kernel has no ftrace: tracefs is not in /proc/filesystems; kernel events cannot be recorded on it");
    }
    if (uid != 0) {
      throw new KernelException(
          "kernel events need root: %s is not readable by uid %d; start the daemon as root (or ask the administrator to)"
              .formatted(root, uid));
    }
    if (!mount || !mount(root) || !isUsable(root)) {
      throw new KernelException(
          "kernel events need tracefs, which is not mounted: path=%s; run: mount -t tracefs none %s"
              .formatted(root, root));
    }
    return new Tracefs(root);
  }

  private static boolean hasKernelsNumbers(Path proc) {
    try {
      return Files.readSymbolicLink(proc.resolve("self/ns/pid")).toString().equals(KERNELS_NUMBERS);
    } catch (IOException e) {
      return true; // a kernel without such name spaces
    }
  }

  private static boolean isUsable(Path root) {
    return Files.isWritable(root.resolve("trace_clock"))
        && Files.isDirectory(root.resolve("instances"));
  }

  /** Whether a process may mount it: not in a container that has not all of root's rights. */
  private static boolean mayMount(Path process) {
    try {
      long rights =
          read(process.resolve("status"))
              .lines()
              .filter(line -> line.startsWith("CapEff:"))
              .mapToLong(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
              .findFirst()
              .orElse(0);
      return (rights & ADMINISTER) != 0 && contains(process.resolve("uid_map"), ALL_USERS);
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean contains(Path file, String text) {
    try {
      return read(file).contains(text);
    } catch (IOException e) {
      return false;
    }
  }

  private static int uid(Path proc) {
    try {
      for (String line : read(proc.resolve("self/status")).split("\n")) {
        if (line.startsWith("Uid:")) {
          return Integer.parseInt(line.split("\\s+")[2]); // effective
        }
      }
    } catch (IOException | NumberFormatException e) {
      return -1;
    }
    return -1;
  }

  private static boolean mount(Path root) {
    try {
      Process mount =
          new ProcessBuilder("mount", "-t", "tracefs", "none", root.toString())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (mount.waitFor(10, TimeUnit.SECONDS)) {
        return mount.exitValue() == 0;
      }
      mount.destroyForcibly();
      return false;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  public Path instances() {
    return root.resolve("instances");
  }

  /** Reads a file whose length the system gives as 0. */
  static String read(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /**
   * Writes into an existing file: creating one would be denied even to root. Uses a stream, because
   * a channel would refuse in a thread that was interrupted.
   */
  static void write(Path file, String text) throws IOException {
    try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.WRITE)) {
      out.write((text + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }
}
