package dev.kymo.drain;

import dev.kymo.recorder.Session;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The place of the memory that recorders share with programs: each user has one private directory,
 * {@code kymo-UID}, which contains a directory for each recording. Nothing outside it is ever
 * treated as a recorder's.
 */
public final class SharedMemory {
  /** Environment variable that names another place than {@code /dev/shm}. */
  public static final String VARIABLE = "KYMO_SHARED_MEMORY";

  private static final Path USUAL = Path.of("/dev/shm");

  /** The places for shared memory in a container's own files, without the first slash. */
  public static final List<String> IN_CONTAINERS = List.of("dev/shm", "tmp");

  /** A user's directory in a container, as others see it while the process with the number runs. */
  private static final Pattern IN_CONTAINER =
      Pattern.compile(
          "/proc/[0-9]+/root/(%s)/kymo-[0-9]+".formatted(String.join("|", IN_CONTAINERS)));

  /** A recording needs this many bytes at least, for the agent, definitions, and a few threads. */
  public static final long LEAST = 8 << 20;

  private static final int ROOT = 0;
  private static final int ATTEMPTS = 10;

  /**
   * Modes of a user's directory. Processes that root records may run as another user and must pass
   * through root's.
   */
  private static final String PRIVATE = "rwx------";

  private static final String PRIVATE_OF_ROOT = "rwx--x--x";

  /** Permission bits that users other than the owner may not have. */
  private static final int FORBIDDEN = 077;

  private static final int FORBIDDEN_OF_ROOT = 066;

  /**
   * Mode that lets another user's process make its own folder in a recording of root's: nobody can
   * list the directory, or remove another user's folder. {@link Home} decides which folders count.
   */
  private static final int OPEN_TO_RECORDED = 01733;

  private SharedMemory() {}

  /**
   * Makes the directory of a new recording. Where no usual place can be written, it lies beside the
   * recording, which is where somebody has made room.
   *
   * @throws IOException with a message for the user
   */
  public static Path make(Path recording) throws IOException {
    checkProc();
    List<Path> places = places();
    Path beside = beside(recording);
    if (beside != null && !isGiven()) {
      places.add(beside);
    }
    List<String> problems = new ArrayList<>();
    IOException last = null;
    for (Path place : bySpace(places)) {
      try {
        return makeAt(place);
      } catch (IOException e) {
        problems.add(String.valueOf(e.getMessage()));
        last = e;
      }
    }
    throw new IOException(
        "cannot make shared memory: %s; set %s to a directory that you can write"
            .formatted(String.join(", ", problems), VARIABLE),
        last);
  }

  private static void checkProc() throws IOException {
    if (!Files.exists(Path.of("/proc/self/status"))) {
      throw new IOException("recording needs /proc, which is not mounted here");
    }
  }

  private static Path makeAt(Path place) throws IOException {
    for (int attempt = 0; ; attempt++) {
      try {
        return makeIn(own(place, true));
      } catch (NoSuchFileException e) { // another recorder ended just now and removed it
        if (attempt == ATTEMPTS || !Files.isDirectory(place)) {
          throw new IOException("directory=%s error=no such directory".formatted(place), e);
        }
      }
    }
  }

  private static @Nullable Path beside(Path recording) {
    Path beside = recording.toAbsolutePath().getParent();
    try {
      return beside == null ? null : beside.toRealPath();
    } catch (IOException e) {
      return null; // then it cannot be made, either
    }
  }

  /**
   * Writes the session's options for the programs; this is the first file that needs room there.
   *
   * @throws IOException with a message for the user
   */
  public static void store(Session session) throws IOException {
    try {
      session.store();
      if (User.effective() == ROOT) { // independent of the umask
        Files.setPosixFilePermissions(
            session.directory().resolve("session"), PosixFilePermissions.fromString("rw-r--r--"));
      }
    } catch (IOException e) {
      throw new IOException(
          "shared memory cannot be written: directory=%s error=\"%s\"; make room, or name another directory in %s"
              .formatted(session.directory(), reason(e), VARIABLE),
          e);
    }
  }

  /** Whether a recording's directory can be written by other users, if they know where it is. */
  public static boolean isOpenToOthers(Path directory) throws IOException {
    return (attribute(directory, "mode") & FORBIDDEN) != 0;
  }

  /** Whether there is no room for the buffer of a program's first thread. */
  public static boolean isFull(Path directory, int buffer) {
    return space(directory) < buffer;
  }

  /**
   * Bytes that this user can write there; 0 if it is no directory. {@link Files#getFileStore} does
   * not know the mounts of containers.
   */
  public static long space(Path directory) {
    return directory.toFile().getUsableSpace();
  }

  public static boolean hasRoom(Path directory) {
    return space(directory) >= LEAST;
  }

  /** Places that have room first, otherwise in the same order: a small one may still do. */
  private static List<Path> bySpace(List<Path> places) {
    List<Path> sorted = new ArrayList<>(places);
    sorted.sort(Comparator.comparing(place -> !hasRoom(place)));
    return sorted;
  }

  /** Why files cannot be used there, without their names. */
  public static String reason(IOException e) {
    return String.valueOf(
        e instanceof FileSystemException system && system.getReason() != null
            ? system.getReason()
            : e.getMessage());
  }

  /** The existing directories of the user, which contain the directories of recordings. */
  public static List<Path> existing() {
    List<Path> found = new ArrayList<>();
    for (Path place : places()) {
      try {
        found.add(own(place, false));
      } catch (IOException e) {
        // this user has no directory there
      }
    }
    return found;
  }

  /** As {@link #existing()}, with that of a recording that lies elsewhere. */
  static Set<Path> existing(Path recording) {
    Set<Path> all = new LinkedHashSet<>(existing());
    Path users = recording.getParent();
    if (users != null && isUsers(users)) {
      all.add(users);
    }
    return all;
  }

  /**
   * The folders of the recorded processes in a recording's directory. In a directory of root's,
   * other users have folders, too: a folder counts only if its process runs as the folder's owner.
   */
  public static List<Path> processes(Path recording) {
    List<Path> found = new ArrayList<>();
    if (Files.isDirectory(recording, LinkOption.NOFOLLOW_LINKS)) {
      try (DirectoryStream<Path> folders = Files.newDirectoryStream(recording, "p*")) {
        for (Path folder : folders) {
          if (Home.isProcess(folder)) {
            found.add(folder);
          }
        }
      } catch (IOException e) {
        // it is ending
      }
    }
    return found;
  }

  /** Whether a directory is in the place where recorders of this user make that of a recording. */
  static boolean isPlace(Path directory, Path recording) throws IOException {
    Path parent = directory.getParent();
    return parent != null
        && (existing().contains(parent) || isBeside(parent, recording.toRealPath()))
        && Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS);
  }

  private static boolean isBeside(Path users, Path recording) {
    Path place = users.getParent();
    return place != null && place.equals(recording.getParent()) && isUsers(users);
  }

  /** Whether it is a directory that recorders of this user have made, wherever it is. */
  private static boolean isUsers(Path directory) {
    Path place = directory.getParent();
    try {
      return place != null && own(place, false).equals(directory);
    } catch (IOException e) {
      return false;
    }
  }

  static boolean isInContainer(Path directory) {
    Path parent = directory.getParent();
    return parent != null && IN_CONTAINER.matcher(parent.toString()).matches();
  }

  private static boolean isGiven() {
    String given = System.getenv(VARIABLE);
    return given != null && !given.isEmpty();
  }

  private static List<Path> places() {
    if (isGiven()) {
      return List.of(Path.of(System.getenv(VARIABLE)).toAbsolutePath().normalize());
    }
    List<Path> places = new ArrayList<>(List.of(USUAL));
    String runtime = System.getenv("XDG_RUNTIME_DIR");
    if (runtime != null && runtime.startsWith("/")) {
      places.add(Path.of(runtime));
    }
    places.add(Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath());
    return places;
  }

  /** Where recordings lie for which nothing else is said. */
  public static Path usualPlace() {
    return places().get(0);
  }

  /** The place that a new recording would have; null if it would lie beside the recording. */
  public static @Nullable Path nextPlace() {
    return bySpace(places()).stream().filter(Files::isWritable).findFirst().orElse(null);
  }

  /**
   * Removes a session's shared memory. Other files that users have put into a directory of root's
   * stay, with the directory.
   */
  public static void remove(Path sharedMemory) throws IOException {
    if (isInContainer(sharedMemory)) {
      ContainerMemory.remove(sharedMemory);
      return;
    }
    clear(sharedMemory);
    deleteIfEmpty(sharedMemory);
    removeIfEmpty(sharedMemory);
  }

  public static void clear(Path sharedMemory) throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(sharedMemory)) {
      for (Path path : all) {
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
          Files.deleteIfExists(path);
        } else if (path.getFileName().toString().startsWith("p")) {
          removeHome(path);
        } else if (path.getFileName().toString().startsWith(ContainerMemory.FLIGHT_RECORDER)
            && all instanceof SecureDirectoryStream<Path> secure) {
          ContainerMemory.removeTree(secure, path.getFileName());
        }
      }
    }
  }

  /**
   * Deletes relative to the folder: another user, who may own it, cannot redirect this elsewhere.
   */
  private static void removeHome(Path path) throws IOException {
    try (Home home = Home.open(path)) {
      home.clear();
    }
    deleteIfEmpty(path);
  }

  private static void deleteIfEmpty(Path directory) throws IOException {
    try {
      Files.deleteIfExists(directory);
    } catch (DirectoryNotEmptyException e) {
      // of somebody who may, see above
    }
  }

  /** Removes the user's directory after its last recording's directory has been removed. */
  static void removeIfEmpty(Path session) throws IOException {
    Path own = session.getParent();
    if (own != null && isUsers(own)) {
      try {
        Files.delete(own);
      } catch (DirectoryNotEmptyException | NoSuchFileException e) {
        // it is in use, or another recorder was faster
      }
    }
  }

  /** The user's directory in a place; the user must own it, and nobody else may write to it. */
  private static Path own(Path place, boolean make) throws IOException {
    long user = User.effective();
    Path directory = place.resolve("kymo-" + user);
    if (make) {
      create(directory, user == ROOT ? PRIVATE_OF_ROOT : PRIVATE);
    }
    long owner = attribute(directory, "uid");
    int mode = attribute(directory, "mode") & 07777;
    int forbidden = user == ROOT ? FORBIDDEN_OF_ROOT : FORBIDDEN;
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
        || owner != user
        || (mode & forbidden) != 0) {
      throw new IOException(
          "not a private directory of this user: path=%s owner=%d mode=%o"
              .formatted(directory, owner, mode));
    }
    return directory;
  }

  private static int attribute(Path path, String name) throws IOException {
    Object value = Files.getAttribute(path, "unix:" + name, LinkOption.NOFOLLOW_LINKS);
    if (value instanceof Integer number) {
      return number;
    }
    throw new IOException("this system does not say: path=%s attribute=%s".formatted(path, name));
  }

  private static void create(Path directory, String permissions) throws IOException {
    try {
      Files.createDirectory(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(PRIVATE)));
      // Not by the file attribute: that is subject to the umask.
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(permissions));
    } catch (FileAlreadyExistsException e) {
      // it is checked below
    } catch (AccessDeniedException e) {
      throw new IOException("cannot write: directory=" + directory.getParent(), e);
    } catch (NoSuchFileException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException("directory=%s error=%s".formatted(directory.getParent(), e), e);
    }
  }

  private static Path makeIn(Path own) throws IOException {
    try {
      Path made =
          Files.createTempDirectory(
              own,
              "r",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(PRIVATE)));
      if (User.effective() == ROOT) {
        Files.setAttribute(made, "unix:mode", OPEN_TO_RECORDED);
      }
      return made;
    } catch (NoSuchFileException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException("directory=%s error=%s".formatted(own, e.getMessage()), e);
    }
  }
}
