import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Ends when a thread with a given name exists, and prints whether that thread ends with it. */
public class Leaving {
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  public static void main(String[] arguments) throws Exception {
    String thread = arguments[0];
    if (!await(thread, true)) {
      throw new IllegalStateException("never there: " + thread);
    }
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> System.out.println(await(thread, false) ? "ended" : "still there")));
  }

  private static boolean await(String thread, boolean there) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (isThere(thread) != there) {
      if (System.nanoTime() > end) {
        return false;
      }
      Thread.onSpinWait();
    }
    return true;
  }

  private static boolean isThere(String thread) {
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
      for (Path each : threads) {
        try {
          if (Files.readString(each.resolve("comm")).trim().equals(thread)) {
            return true;
          }
        } catch (IOException e) {
          // this thread has ended
        }
      }
      return false;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
