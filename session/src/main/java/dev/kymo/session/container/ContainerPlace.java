package dev.kymo.session.container;

import dev.kymo.drain.SharedMemory;
import dev.kymo.drain.Unfollowed;
import dev.kymo.format.ControlLayout;
import dev.kymo.recorder.Session;
import dev.kymo.session.system.LinuxCalls;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A directory of shared memory among the files of a process that has other files than this program.
 * It belongs to the process's user, as if a recorder in the container had made it, and has a copy
 * of the agent.
 *
 * <p>This program keeps it open, because the way there by {@code /proc/PID/root} ends with the
 * process. Whoever is in the container may replace anything there at any time, and a link with an
 * absolute path would lead this program to its own files: so directories are opened in a way that
 * takes links as the container does, and files are made in a way that follows none.
 */
public final class ContainerPlace extends SessionPlace {
  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final int FORBIDDEN = 066;
  private static final String LIBRARY = "libkymo-agent.so";

  private final Container container;
  private final UserDirectory own;
  private final int directory;
  private final Path there;

  private ContainerPlace(Container container, UserDirectory own, int directory, String name) {
    super(Container.inside(directory));
    this.container = container;
    this.own = own;
    this.directory = directory;
    this.there = own.inner().resolve(name);
  }

  /**
   * Makes one, with the agent in it.
   *
   * @throws IOException with a message for the user
   */
  public static ContainerPlace make(Container container, Path agent) throws IOException {
    List<String> problems = new ArrayList<>();
    for (String place : bySpace(container)) {
      try {
        return make(container, UserDirectory.open(container, place, true), agent);
      } catch (IOException e) {
        problems.add("/%s: %s".formatted(place, SharedMemory.reason(e)));
      }
    }
    throw new IOException(
        "cannot make shared memory among the files of the process, %s; this mends it: %s"
            .formatted(String.join(", ", problems), mend(container)));
  }

  /** Places that have room first. */
  private static List<String> bySpace(Container container) {
    List<String> sorted = new ArrayList<>(SharedMemory.IN_CONTAINERS);
    sorted.sort(Comparator.comparing(place -> container.space(place) < SharedMemory.LEAST));
    return sorted;
  }

  /** Where one would be made; null if nowhere. */
  public static @Nullable String place(Container container) {
    return bySpace(container).stream().filter(container::canWrite).findFirst().orElse(null);
  }

  /**
   * The command that makes a place, see {@link Container#mend}: best in {@code /tmp}, which virtual
   * machines need as well.
   */
  public static String mend(Container container) {
    List<String> places = SharedMemory.IN_CONTAINERS.reversed();
    return container.mend(
        places.stream().filter(container::has).findFirst().orElse(places.getFirst()));
  }

  private static ContainerPlace make(Container container, UserDirectory own, Path agent)
      throws IOException {
    ContainerPlace made = null;
    try {
      Path session = as(container, () -> Files.createTempDirectory(own.path(), "r", PRIVATE));
      String name = session.getFileName().toString();
      made =
          new ContainerPlace(container, own, LinuxCalls.openDirectory(own.directory(), name), name);
      ContainerPlace place = made;
      as(container, () -> place.copy(agent));
      return place;
    } catch (IOException e) {
      if (made == null) {
        own.close();
      } else {
        made.remove();
      }
      throw e;
    }
  }

  /**
   * The directory of the process's user in one of its directories.
   *
   * @param inner its path for the process
   * @param above the open directory above it
   * @param directory itself, open
   */
  record UserDirectory(Path inner, int above, int directory) implements AutoCloseable {
    /**
     * Opens it.
     *
     * @param make whether to make it if it is not there
     */
    static UserDirectory open(Container container, String place, boolean make) throws IOException {
      String name = "kymo-" + container.innerUser();
      int above = container.openDirectory(place);
      try {
        Path path = Container.inside(above).resolve(name);
        if (make) {
          as(container, () -> create(path));
        }
        checkPrivate(container, path);
        return new UserDirectory(
            Path.of("/", place, name), above, LinuxCalls.openDirectory(above, name));
      } catch (IOException e) {
        LinuxCalls.close(above);
        throw e;
      }
    }

    private static Path create(Path directory) throws IOException {
      try {
        return Files.createDirectory(directory, PRIVATE);
      } catch (FileAlreadyExistsException e) {
        return directory; // it is checked afterwards
      }
    }

    private static void checkPrivate(Container container, Path directory) throws IOException {
      int owner = (Integer) Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS);
      int mode = (Integer) Files.getAttribute(directory, "unix:mode", LinkOption.NOFOLLOW_LINKS);
      if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
          || owner != (int) container.user()
          || (mode & FORBIDDEN) != 0) {
        throw new IOException(
            "not a private directory of its user: name=%s owner=%d mode=%o"
                .formatted(directory.getFileName(), owner, mode & 07777));
      }
    }

    Path path() {
      return Container.inside(directory);
    }

    /** Removes it, unless another recording uses it. */
    void removeIfEmpty() throws IOException {
      try {
        Files.delete(Container.inside(above).resolve(inner.getFileName()));
      } catch (DirectoryNotEmptyException | NoSuchFileException e) {
        // another recorder was faster
      }
    }

    @Override
    public void close() {
      LinuxCalls.close(directory);
      LinuxCalls.close(above);
    }
  }

  /** The folders of recorded processes in one of a process's directories; it stays open. */
  static List<Path> homes(Container container, String place) {
    List<Path> homes = new ArrayList<>();
    try {
      Path own = UserDirectory.open(container, place, false).path();
      try (DirectoryStream<Path> sessions = Files.newDirectoryStream(own, "r*")) {
        for (Path session : sessions) {
          try (DirectoryStream<Path> folders = Files.newDirectoryStream(session, "p*")) {
            folders.forEach(homes::add);
          }
        }
      }
    } catch (IOException e) {
      // nothing is recorded there
    }
    return homes;
  }

  private Path copy(Path agent) throws IOException {
    Path library = agent.resolveSibling(LIBRARY);
    if (Files.exists(library)) {
      Files.copy(library, here().resolve(LIBRARY));
    }
    return Files.copy(agent, here().resolve(agent.getFileName()));
  }

  @Override
  public Path there() {
    return there;
  }

  @Override
  public Path name() {
    return container.outer(there);
  }

  @Override
  public Path agent(Path agent) {
    return there.resolve(agent.getFileName());
  }

  /** What earlier runs of programs found out lies among other files. */
  @Override
  public Session seen(Session session) {
    Session.Methods methods = session.methods();
    return session.with(
        new Session.Methods(
            methods.include(),
            methods.exclude(),
            methods.minSize(),
            methods.budget(),
            methods.keepAll(),
            ""));
  }

  @Override
  public void store(Session session) throws IOException {
    as(
        container,
        () -> {
          session.store();
          Files.createFile(here().resolve(Unfollowed.FILE));
          return Files.createFile(here().resolve(ControlLayout.ALIVE));
        });
  }

  @Override
  public void claim(int process) throws IOException {
    as(container, () -> Files.createDirectory(here().resolve("p" + process), PRIVATE));
  }

  @Override
  public void remove() throws IOException {
    try (own) {
      SharedMemory.clear(here());
      Files.deleteIfExists(own.path().resolve(there.getFileName()));
      own.removeIfEmpty();
    } catch (DirectoryNotEmptyException e) {
      // somebody in the container uses it
    } finally {
      LinuxCalls.close(directory);
    }
  }

  private interface FileWork {
    Path run() throws IOException;
  }

  private static Path as(Container container, FileWork work) throws IOException {
    try {
      return container.act(work::run);
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }
}
