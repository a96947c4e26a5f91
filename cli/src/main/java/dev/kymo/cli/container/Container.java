package dev.kymo.cli.container;

import dev.kymo.cli.system.SystemCalls;
import dev.kymo.drain.SharedMemory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * A process as this program sees it, which may run in name spaces of its own: with other files,
 * other users and other numbers. That is what a container is.
 */
public final class Container {
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
    int root = SystemCalls.openDirectory(null, process.resolve("root").toString());
    try {
      return SystemCalls.openDirectory(root, path);
    } finally {
      SystemCalls.close(root);
    }
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
          SystemCalls.actAs(user, group);
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
