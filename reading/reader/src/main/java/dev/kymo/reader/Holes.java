package dev.kymo.reader;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Finds the holes of files. A file of 200 GB with nothing in it must not keep a reader busy for
 * minutes. Java has no call for that, so the one of C is used.
 */
@SuppressWarnings("restricted")
final class Holes {
  /** {@code O_NOFOLLOW}, which is not the same on all processors. */
  private static final int NO_LINKS =
      System.getProperty("os.arch", "").equals("aarch64") ? 0x8000 : 0x20000;

  /** {@code O_RDONLY|O_NONBLOCK|O_NOFOLLOW|O_CLOEXEC}: neither links nor pipes. */
  private static final int OPEN_FLAGS = 0x800 | NO_LINKS | 0x80000;

  private static final int SEEK_DATA = 3;

  private static final @Nullable MethodHandle OPEN =
      function("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT), true);
  private static final @Nullable MethodHandle SEEK =
      function("lseek", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT), false);
  private static final @Nullable MethodHandle CLOSE =
      function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT), false);

  private Holes() {}

  private static @Nullable MethodHandle function(
      String name, FunctionDescriptor form, boolean variadic) {
    try {
      Linker linker = Linker.nativeLinker();
      Linker.Option[] options =
          variadic
              ? new Linker.Option[] {Linker.Option.firstVariadicArg(2)}
              : new Linker.Option[] {};
      return linker.downcallHandle(linker.defaultLookup().find(name).orElseThrow(), form, options);
    } catch (RuntimeException e) {
      return null; // then holes are read
    }
  }

  /**
   * The first position at or after a given one that is not in a hole; {@code size} if only a hole
   * follows. The given position where holes cannot be found.
   */
  static long nextData(Path path, long position, long size) {
    MethodHandle open = OPEN;
    MethodHandle seek = SEEK;
    MethodHandle close = CLOSE;
    if (open == null || seek == null || close == null || position >= size) {
      return position;
    }
    try (Arena arena = Arena.ofConfined()) {
      int file = (int) open.invokeExact(arena.allocateFrom(path.toString()), OPEN_FLAGS, 0);
      if (file < 0) {
        return position;
      }
      long end = (long) seek.invokeExact(file, position, SEEK_DATA);
      // It fails if no data follows, also because a file has shrunk.
      int _ = (int) close.invokeExact(file);
      return end < 0 ? size : Math.min(end, size);
    } catch (Throwable e) {
      return position;
    }
  }
}
