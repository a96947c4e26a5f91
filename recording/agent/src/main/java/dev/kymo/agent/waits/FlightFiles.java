package dev.kymo.agent.waits;

import dev.kymo.recorder.ProcessRecorder;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The place of the flight recorder's files: the recording's shared memory, which ends with the
 * recording. In the program's folder for temporary files they would take the program's room; and
 * the flight recorder ends the virtual machine when it cannot write.
 */
final class FlightFiles {
  /** What the flight recorder keeps, and then the size of one of its files besides. */
  static final long MOST_KEPT = 16L << 20;

  /** Without so much room it does not begin; it may write several files of 12 MB at a time. */
  private static final long ROOM_TO_BEGIN = 48L << 20;

  private static final long ROOM_TO_GO_ON = 16L << 20;

  private final File directory;

  private FlightFiles(File directory) {
    this.directory = directory;
  }

  /**
   * Makes the flight recorder, which nobody has used yet, write there.
   *
   * @throws IOException if there is no room, or this version of the JDK has another way to say it
   */
  static FlightFiles use(ProcessRecorder recorder) throws IOException {
    // Private, and of a name that nobody else can have taken: all may write into root's sessions.
    Path directory = Files.createTempDirectory(recorder.session().directory(), "jfr-");
    long room = directory.toFile().getUsableSpace();
    if (room < ROOM_TO_BEGIN) {
      throw new IOException(
          "no room in shared memory: path="
              + directory
              + " bytes="
              + room
              + " needed="
              + ROOM_TO_BEGIN);
    }
    setPlace(directory);
    return new FlightFiles(directory.toFile());
  }

  boolean hasRoom() {
    return directory.getUsableSpace() >= ROOM_TO_GO_ON;
  }

  /** What comes after this recording is the program's own. */
  void giveBack() {
    try {
      setPlace(Path.of(System.getProperty("java.io.tmpdir", "/tmp")));
    } catch (IOException e) {
      // its next recording fails, and says so
    }
  }

  /** There is a public way only for whoever starts the virtual machine. */
  private static void setPlace(Path directory) throws IOException {
    try {
      Class<?> type = Class.forName("jdk.jfr.internal.Repository");
      Method get = type.getDeclaredMethod("getRepository");
      get.setAccessible(true);
      Object repository = get.invoke(null);
      for (Method method : type.getDeclaredMethods()) {
        if (method.getName().equals("setBasePath") && method.getParameterCount() == 1) {
          method.setAccessible(true);
          method.invoke(repository, as(method.getParameterTypes()[0], directory));
          return;
        }
      }
      throw new IOException("no Repository.setBasePath");
    } catch (ReflectiveOperationException e) {
      throw new IOException(e);
    }
  }

  /** Older versions have a class of their own for paths. */
  private static Object as(Class<?> type, Path path) throws ReflectiveOperationException {
    if (type == Path.class) {
      return path;
    }
    Constructor<?> constructor = type.getDeclaredConstructor(Path.class);
    constructor.setAccessible(true);
    return constructor.newInstance(path);
  }
}
