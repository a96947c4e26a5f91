package dev.kymo.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The few system calls that the class library does not offer: reading a file without waiting, and
 * waiting for several files. Results below 0 are negated error numbers.
 */
final class LibC {
  static final int O_RDONLY_NONBLOCK_CLOEXEC = 0x80800;
  static final int EINTR = 4;
  static final int EAGAIN = 11;
  static final short POLLIN = 1;

  private static final int CLOCK_THREAD_CPUTIME_ID = 3;
  private static final long NANOS = 1_000_000_000L;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
  private static final VarHandle ERRNO_VALUE =
      Linker.Option.captureStateLayout()
          .varHandle(MemoryLayout.PathElement.groupElement("errno"))
          .withInvokeExactBehavior();
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

  private static final MethodHandle OPEN =
      handle("open", FunctionDescriptor.of(INT, ValueLayout.ADDRESS, INT), ERRNO);
  private static final MethodHandle READ =
      handle("read", FunctionDescriptor.of(LONG, INT, ValueLayout.ADDRESS, LONG), ERRNO);
  private static final MethodHandle POLL =
      handle("poll", FunctionDescriptor.of(INT, ValueLayout.ADDRESS, LONG, INT), ERRNO);
  private static final MethodHandle CLOSE = handle("close", FunctionDescriptor.of(INT, INT));
  private static final MethodHandle CLOCK_GETTIME =
      handle("clock_gettime", FunctionDescriptor.of(INT, INT, ValueLayout.ADDRESS));

  private LibC() {}

  private static MethodHandle handle(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().find(name).orElseThrow(), descriptor, options);
  }

  /** Memory in which the calls below leave their error number. */
  static MemorySegment errorState(Arena arena) {
    return arena.allocate(Linker.Option.captureStateLayout());
  }

  /** Opens a file for reading without waiting; child processes do not inherit it. */
  static int open(String path) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = errorState(arena);
      int fd = (int) OPEN.invokeExact(state, arena.allocateFrom(path), O_RDONLY_NONBLOCK_CLOEXEC);
      return fd < 0 ? -error(state) : fd;
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  static long read(MemorySegment state, int fd, MemorySegment to) {
    try {
      long count = (long) READ.invokeExact(state, fd, to, to.byteSize());
      return count < 0 ? -error(state) : count;
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  static int poll(MemorySegment state, MemorySegment files, long count, int millis) {
    try {
      int ready = (int) POLL.invokeExact(state, files, count, millis);
      return ready < 0 ? -error(state) : ready;
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  static void close(int fd) {
    try {
      int _ = (int) CLOSE.invokeExact(fd); // nothing can be done about it
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  /** Processor time that this thread has used, in nanoseconds. */
  static long threadCpuNanos() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment time = arena.allocate(LONG, 2);
      int result = (int) CLOCK_GETTIME.invokeExact(CLOCK_THREAD_CPUTIME_ID, time);
      return result != 0 ? 0 : time.getAtIndex(LONG, 0) * NANOS + time.getAtIndex(LONG, 1);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  private static int error(MemorySegment state) {
    return (int) ERRNO_VALUE.get(state, 0L);
  }

  private static RuntimeException unchecked(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return e instanceof RuntimeException r ? r : new IllegalStateException(e);
  }
}
