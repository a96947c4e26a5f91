import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Makes this process another program, so that it has its number, its terminal and its signals. The
 * files that the virtual machine has opened, and the signals that it has blocked, are not passed on.
 */
public final class Become {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final int SET_FLAGS = 2; // F_SETFD
  private static final int CLOSE_ON_EXEC = 1; // FD_CLOEXEC
  private static final int SET_MASK = 2; // SIG_SETMASK
  private static final long SIGNALS = 128; // bytes of sigset_t

  private Become() {}

  private static MethodHandle function(String name, int fixed, MemoryLayout... arguments) {
    FunctionDescriptor type = FunctionDescriptor.of(ValueLayout.JAVA_INT, arguments);
    MemorySegment at = LINKER.defaultLookup().find(name).orElseThrow();
    return fixed < arguments.length
        ? LINKER.downcallHandle(at, type, Linker.Option.firstVariadicArg(fixed))
        : LINKER.downcallHandle(at, type);
  }

  /**
   * Returns only if it fails.
   *
   * @param before numbers of the files that were open before anything here was opened
   */
  public static void become(List<String> command, List<String> before) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      closeOwnFiles(before);
      MethodHandle mask =
          function(
              "pthread_sigmask",
              3,
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.ADDRESS);
      int _ = (int) mask.invokeExact(SET_MASK, arena.allocate(SIGNALS), MemorySegment.NULL);
      MemorySegment words = arena.allocate(ValueLayout.ADDRESS, command.size() + 1);
      for (int i = 0; i < command.size(); i++) {
        words.setAtIndex(ValueLayout.ADDRESS, i, arena.allocateFrom(command.get(i)));
      }
      MethodHandle execute = function("execv", 2, ValueLayout.ADDRESS, ValueLayout.ADDRESS);
      MemorySegment program = words.getAtIndex(ValueLayout.ADDRESS, 0);
      int _ = (int) execute.invokeExact(program, words);
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static void closeOwnFiles(List<String> before) throws Throwable {
    MethodHandle control =
        function("fcntl", 2, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
    String java = System.getProperty("java.home");
    String jar = Path.of(System.getProperty("java.class.path")).toRealPath().toString();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path file : files) {
        String number = file.getFileName().toString();
        String name = target(file);
        if (name.startsWith(java) || name.equals(jar) || !before.contains(number)) {
          int _ = (int) control.invokeExact(Integer.parseInt(number), SET_FLAGS, CLOSE_ON_EXEC);
        }
      }
    }
  }

  private static String target(Path file) {
    try {
      return Files.readSymbolicLink(file).toString();
    } catch (IOException e) {
      return ""; // the directory that is being read
    }
  }
}
