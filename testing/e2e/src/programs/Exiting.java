import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Exits while an agent starts that it has loaded itself: some microseconds after a thread with a
 * given name has begun.
 */
public class Exiting {
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  public static void main(String[] arguments) throws Exception {
    Thread loader = new Thread(() -> load(arguments[0], arguments[1]));
    loader.setDaemon(true);
    loader.start();
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!isThere(arguments[2])) {
      if (System.nanoTime() > end) {
        System.exit(4);
      }
    }
    long exit = System.nanoTime() + Long.parseLong(arguments[3]) * 1000;
    while (System.nanoTime() < exit) {
      Thread.onSpinWait();
    }
    System.exit(3);
  }

  private static void load(String jar, String options) {
    try {
      VirtualMachine machine = VirtualMachine.attach("" + ProcessHandle.current().pid());
      machine.loadAgent(jar, options);
      machine.detach();
    } catch (Exception | LinkageError e) {
      // the program has begun to exit
    }
  }

  private static boolean isThere(String thread) throws IOException {
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
    }
    return false;
  }
}
