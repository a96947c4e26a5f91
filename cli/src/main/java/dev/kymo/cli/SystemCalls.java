package dev.kymo.cli;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** What the class library has no calls for. Numbers and layouts are those of 64-bit Linux. */
final class SystemCalls {
  static final int E2BIG = 7;
  static final int ENOEXEC = 8;
  static final int ENOENT = 2;
  private static final int EINTR = 4;

  private static final int NOFILE = 7;
  private static final int CORE = 4;

  /** More than a {@code struct sigaction} has. */
  static final int ACTION_SIZE = 256;

  private static final int KILL = 9;

  private static final long DEFAULT = 0;
  private static final long IGNORE = 1;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final SymbolLookup LIBRARY = LINKER.defaultLookup();
  private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
  private static final VarHandle ERRNO_VALUE =
      Linker.Option.captureStateLayout().varHandle(MemoryLayout.PathElement.groupElement("errno"));
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

  private SystemCalls() {}

  static MethodHandle handle(String name, FunctionDescriptor descriptor, Linker.Option... options) {
    return LINKER.downcallHandle(LIBRARY.find(name).orElseThrow(), descriptor, options);
  }

  static boolean has(String name) {
    return LIBRARY.find(name).isPresent();
  }

  /** Calls a function that has no result, or one that is not looked at. */
  static int call(MethodHandle function, Object... arguments) {
    try {
      return (int) function.invokeWithArguments(arguments);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** A text that ends with a zero byte. */
  static MemorySegment text(Arena arena, byte[] bytes) {
    MemorySegment text = arena.allocate(bytes.length + 1L);
    MemorySegment.copy(bytes, 0, text, ValueLayout.JAVA_BYTE, 0, bytes.length);
    return text;
  }

  /** Makes a link to a name that is given as bytes. */
  static void symbolicLink(byte[] target, Path link) throws IOException {
    MethodHandle symlink =
        handle(
            "symlink", FunctionDescriptor.of(INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS), ERRNO);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(Linker.Option.captureStateLayout());
      byte[] at = link.toString().getBytes(StandardCharsets.UTF_8);
      if (call(symlink, error, text(arena, target), text(arena, at)) != 0) {
        throw new IOException(message((int) ERRNO_VALUE.get(error, 0L)));
      }
    }
  }

  /** What an error number means. */
  static String message(int error) {
    MethodHandle strerror = handle("strerror", FunctionDescriptor.of(ValueLayout.ADDRESS, INT));
    try {
      MemorySegment text = (MemorySegment) strerror.invokeExact(error);
      return text.reinterpret(1 << 10).getString(0);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** Links what waits for a child, and what changes signals. */
  static void prepare(Arena arena) {
    waitpid();
    MemorySegment before = arena.allocate(ACTION_SIZE, Long.BYTES);
    call(sigaction(), KILL, MemorySegment.NULL, before);
  }

  private static MethodHandle waitpid() {
    return handle("waitpid", FunctionDescriptor.of(INT, INT, ValueLayout.ADDRESS, INT), ERRNO);
  }

  /** Waits for a child. Returns its status as the system tells it. */
  static int waitFor(int pid) throws IOException {
    MethodHandle waitpid = waitpid();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(Linker.Option.captureStateLayout());
      MemorySegment status = arena.allocate(INT);
      while (call(waitpid, error, pid, status, 0) != pid) {
        int number = (int) ERRNO_VALUE.get(error, 0L);
        if (number != EINTR) {
          throw new IOException(
              "cannot wait for the program: pid=%d error=\"%s\"".formatted(pid, message(number)));
        }
      }
      return status.get(INT, 0);
    }
  }

  /** Sends a signal; the process may be gone. */
  static void kill(long pid, int signal) {
    call(handle("kill", FunctionDescriptor.of(INT, INT, INT)), (int) pid, signal);
  }

  /** Has this process ignore a signal; returns what it did before, for {@link #restore}. */
  static MemorySegment ignore(Arena arena, int signal) {
    return action(arena, signal, IGNORE);
  }

  /** Has this process do again what it did when a signal comes. */
  static void restore(int signal, MemorySegment before) {
    call(sigaction(), signal, before, MemorySegment.NULL);
  }

  /** Ends this process by a signal, if that can be. No core is written: it would be Java's. */
  static void endBy(int signal) {
    try (Arena arena = Arena.ofConfined()) {
      limit(arena, CORE, 0);
      action(arena, signal, DEFAULT);
      kill(ProcessHandle.current().pid(), signal);
    }
  }

  /** Sets how many files this process may have open; returns how many it might. */
  static long openFiles(long most) {
    try (Arena arena = Arena.ofConfined()) {
      return limit(arena, NOFILE, most);
    }
  }

  private static MethodHandle sigaction() {
    return handle(
        "sigaction", FunctionDescriptor.of(INT, INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
  }

  /** The handler is what the structure begins with. */
  private static MemorySegment action(Arena arena, int signal, long handler) {
    MemorySegment action = arena.allocate(ACTION_SIZE, Long.BYTES);
    MemorySegment before = arena.allocate(ACTION_SIZE, Long.BYTES);
    action.set(LONG, 0, handler);
    call(sigaction(), signal, action, before);
    return before;
  }

  /** Sets the soft limit, the first of the two. */
  private static long limit(Arena arena, int resource, long most) {
    FunctionDescriptor descriptor = FunctionDescriptor.of(INT, INT, ValueLayout.ADDRESS);
    MemorySegment limits = arena.allocate(LONG, 2);
    call(handle("getrlimit", descriptor), resource, limits);
    long before = limits.get(LONG, 0);
    limits.set(LONG, 0, most);
    call(handle("setrlimit", descriptor), resource, limits);
    return before;
  }
}
