package dev.kymo.session.container;

import dev.kymo.drain.SharedMemory;
import dev.kymo.session.system.LinuxCalls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * A process as this program sees it, which may run in name spaces of its own: with other files,
 * other users and other numbers. That is what a container is.
 */
public final class Container {
  private static final String TMP = "tmp";

  /** Is there as soon as {@code /proc} is mounted. */
  private static final String PROC = "proc/sys";

  private static final int ROOT = 0;
  private static final int MAY_MAKE_FILES = 3;

  private final Path process;
  private final long user;
  private final long group;

  private Container(Path process, long user, long group) {
    this.process = process;
    this.user = user;
    this.group = group;
  }

  /**
   * That of a process.
   *
   * @throws IOException if there is no such process
   */
  public static Container of(long pid) throws IOException {
    Path process = Path.of("/proc", Long.toString(pid));
    return new Container(process, status(process, "Uid:", 1), status(process, "Gid:", 1));
  }

  /** Whether its files can be looked at: those of processes with more rights cannot. */
  boolean isOpen() {
    return Files.isReadable(process.resolve("root"));
  }

  /** Whether it has other files than this program where recording needs the same ones. */
  public boolean hasOtherFiles(Path agent) {
    return isOpen() && !(isSame(agent) && isSame(SharedMemory.usualPlace()));
  }

  /** Whether a file of this program is the same for the process, under the same name. */
  private boolean isSame(Path file) {
    try {
      return Files.isSameFile(
          process.resolve("root").resolve(Path.of("/").relativize(file.toAbsolutePath())), file);
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * The folders of recorded processes in the shared memory among a process's files, if it has other
   * files than this program. They can be reached until this program ends.
   */
  public static List<Path> homes(long pid) throws IOException {
    List<Path> homes = new ArrayList<>();
    try {
      Container container = of(pid);
      for (String place : SharedMemory.IN_CONTAINERS) {
        if (container.isOpen() && !container.isSame(Path.of("/", place))) {
          homes.addAll(ContainerPlace.homes(container, place));
        }
      }
    } catch (NoSuchFileException e) {
      // it has ended
    }
    return homes;
  }

  /**
   * The number of the user that it runs as, as it sees it.
   *
   * @throws IOException if that user does not exist there
   */
  long innerUser() throws IOException {
    if (hasSameUsers()) {
      return user;
    }
    for (String line : Files.readAllLines(process.resolve("uid_map"))) {
      String[] numbers = line.strip().split("\\s+");
      long from = Long.parseLong(numbers[1]);
      if (user >= from && user - from < Long.parseLong(numbers[2])) {
        return user - from + Long.parseLong(numbers[0]);
      }
    }
    throw new IOException("its user is not one of its user name space: user=" + user);
  }

  private boolean hasSameUsers() throws IOException {
    return Files.readSymbolicLink(process.resolve("ns/user"))
        .equals(Files.readSymbolicLink(Path.of("/proc/self/ns/user")));
  }

  /** The number of its user, here. */
  long user() {
    return user;
  }

  /**
   * Opens one of its directories.
   *
   * @param path from its root on
   * @return a file number
   */
  int openDirectory(String path) throws IOException {
    int root = LinuxCalls.openDirectory(null, process.resolve("root").toString());
    try {
      return LinuxCalls.openDirectory(root, path);
    } finally {
      LinuxCalls.close(root);
    }
  }

  /** Work with an open directory, whose path here this is. */
  private interface DirectoryWork<T> {
    T in(Path directory) throws IOException;
  }

  private <T> T in(String place, DirectoryWork<T> work) throws IOException {
    int directory = openDirectory(place);
    try {
      return work.in(inside(directory));
    } finally {
      LinuxCalls.close(directory);
    }
  }

  /** A path in an open directory; with the dot it is a directory, and no link to one. */
  static Path inside(int directory) {
    return Path.of("/proc/self/fd/" + directory + "/.");
  }

  /** Whether it has a directory. */
  public boolean has(String place) {
    return space(place) >= 0;
  }

  /** Bytes left in one of its directories; -1 if there is no such directory. */
  public long space(String place) {
    try {
      return in(place, SharedMemory::space);
    } catch (IOException e) {
      return -1;
    }
  }

  /** Whether its user can write to one of its directories; this is looked at, not tried. */
  public boolean canWrite(String place) {
    try {
      return in(place, directory -> Files.isWritable(directory) && lets(directory));
    } catch (IOException e) {
      return false;
    }
  }

  private boolean lets(Path directory) throws IOException {
    int who = is(directory, "uid", user) ? 6 : is(directory, "gid", group) ? 3 : 0;
    int mode = (Integer) Files.getAttribute(directory, "unix:mode");
    return innerUser() == ROOT || (mode >> who & MAY_MAKE_FILES) == MAY_MAKE_FILES;
  }

  private static boolean is(Path directory, String owner, long number) throws IOException {
    return (Integer) Files.getAttribute(directory, "unix:" + owner) == number;
  }

  /**
   * Why a process cannot be recorded.
   *
   * @param why a sentence without an end
   * @param command that mends it
   */
  public record Obstacle(String why, String command) {
    @Override
    public String toString() {
      return why + "; this mends it: " + command;
    }
  }

  /**
   * Why its virtual machine cannot load an agent; null if nothing speaks against it. It makes a
   * socket for that in {@code /tmp}, whatever its flags say. Whoever asks it in vain makes it write
   * the stacks of its threads to its standard output.
   */
  public @Nullable Obstacle obstacle() throws IOException {
    if (!isOpen()) {
      return null;
    }
    if (!has(PROC)) {
      return new Obstacle(
          "a virtual machine needs /proc to be recorded, and none is mounted there",
          "mount -t proc proc /proc, before it starts");
    }
    if (canWrite(TMP) || hasSocket()) {
      return null;
    }
    return new Obstacle(
        "its virtual machine cannot be reached, it would make a socket in its /tmp, "
            + (has(TMP) ? "which its user cannot write to" : "which does not exist"),
        mend(TMP));
  }

  /**
   * Removes the file by which a virtual machine is asked for its socket: the class library leaves
   * it if it lies in the {@code /tmp} of a container.
   */
  public void removeRequest() throws IOException {
    if (isOpen() && has(TMP) && !isSame(Path.of("/", TMP))) {
      String name = ".attach_pid" + innerNumber();
      in(TMP, tmp -> Files.deleteIfExists(tmp.resolve(name)));
    }
  }

  private String innerNumber() throws IOException {
    String[] numbers = line(process, "NSpid:");
    return numbers[numbers.length - 1];
  }

  private boolean hasSocket() throws IOException {
    String name = ".java_pid" + innerNumber();
    try {
      return in(TMP, tmp -> Files.exists(tmp.resolve(name), LinkOption.NOFOLLOW_LINKS));
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * The command that gives it a directory that it can write: for root, while it runs, if it has the
   * directory, whose files are hidden then.
   */
  public String mend(String place) {
    return has(place)
        ? "mount -N %s -t tmpfs tmpfs /%s".formatted(process.getFileName(), place)
        : "docker run --tmpfs /" + place;
  }

  /** The path of one of its files, here, as long as it runs. */
  Path outer(Path inner) {
    return process.resolve("root").resolve(Path.of("/").relativize(inner));
  }

  /**
   * Does something as the process's user, if the process is in another user name space than this
   * program. There it believes neither files nor connections of a user that it does not know, and
   * even root outside may be none that it knows.
   */
  public <T> T act(Callable<T> work) throws Exception {
    Path self = Path.of("/proc/self");
    if (!isOpen()
        || hasSameUsers()
        || (user == status(self, "Uid:", 1) && group == status(self, "Gid:", 1))) {
      return work.call();
    }
    FutureTask<T> task =
        new FutureTask<>(() -> {
          LinuxCalls.actAs(user, group);
          return work.call();
        });
    Thread.ofPlatform().name("kymo container").start(task);
    try {
      return task.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception failure ? failure : e;
    }
  }

  private static long status(Path process, String line, int index) throws IOException {
    return Long.parseLong(line(process, line)[index]);
  }

  private static String[] line(Path process, String begin) throws IOException {
    return Files.readAllLines(process.resolve("status"), StandardCharsets.ISO_8859_1).stream()
        .filter(line -> line.startsWith(begin))
        .map(line -> line.substring(begin.length()).strip().split("\\s+"))
        .findFirst()
        .orElseThrow(() -> new IOException("the kernel does not say: line=" + begin));
  }
}
