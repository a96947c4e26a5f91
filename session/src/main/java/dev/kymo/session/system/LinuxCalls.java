package dev.kymo.session.system;

import dev.kymo.recorder.platform.AgentLibrary;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * System calls that the class library lacks. Numbers and layouts are those of 64-bit Linux.
 *
 * <p>All functions are called as if they took six numbers and returned one, which 64-bit processors
 * do not tell apart from fewer, smaller ones or addresses: so the agent's library can call any of
 * them, and where it is missing there is only one kind of function to be linked, for each of which
 * a virtual machine that has just begun takes some 20 ms.
 */
public final class LinuxCalls {
  static final int E2BIG = 7;
  static final int ENOEXEC = 8;
  static final int ENOENT = 2;
  private static final int EPERM = 1;
  private static final int ENOSYS = 38;
  private static final int EINTR = 4;

  private static final int PATH_ONLY = 0x20_0000;
  private static final int DIRECTORY = 0x1_0000;
  private static final int NO_LINK = 0x2_0000;
  private static final int CLOSE_ON_EXEC_FILE = 0x8_0000;
  private static final int OPENAT2 = 437;
  private static final int RESOLVE_IN_ROOT = 0x10;
  private static final int SETRESUID = 117;
  private static final int SETRESGID = 119;
  private static final int CAPABILITIES_VERSION = 0x2008_0522;

  private static final int NOFILE = 7;
  private static final int CORE = 4;

  /** More than a {@code struct sigaction} has. */
  static final int ACTION_SIZE = 256;

  private static final int SIGNAL_SET_SIZE = 128;
  private static final int UNBLOCK = 1;

  private static final int PRIVATE = 0600;
  private static final int CLOSE_ON_EXEC = 1;
  private static final int WRITE_NO_LINK = 0xa0001;
  private static final int PUNCH_KEEP_SIZE = 3;
  private static final int KILL = 9;
  private static final int LONGEST_MESSAGE = 1 << 10;

  private static final long DEFAULT = 0;
  private static final long IGNORE = 1;

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final int MOST_ARGUMENTS = 6;
  private static final int MISSING = -1;
  private static final boolean IN_LIBRARY = loadLibrary();

  private LinuxCalls() {}

  /** Any function: its address, where the error's number goes, six numbers. */
  private static final class Linked {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final VarHandle ERROR =
        Linker.Option.captureStateLayout()
            .varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final MethodHandle CALL =
        LINKER.downcallHandle(
            FunctionDescriptor.of(LONG, LONG, LONG, LONG, LONG, LONG, LONG),
            Linker.Option.captureCallState("errno"));

    private Linked() {}

    static long call(String name, int[] error, long[] all) {
      MemorySegment function = LINKER.defaultLookup().find(name).orElse(null);
      if (function == null) {
        error[0] = MISSING;
        return 0;
      }
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
        long result =
            (long)
                CALL.invokeExact(function, state, all[0], all[1], all[2], all[3], all[4], all[5]);
        error[0] = (int) ERROR.get(state, 0L);
        return result;
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /**
   * Calls a function of the C library with up to six numbers; an address is one, see {@link #at}.
   *
   * @throws MissingException if there is none of this name
   */
  static int call(String name, long... arguments) {
    return call(name, new int[1], arguments);
  }

  /** As {@link #call}; what failed with -1 returns the error's negative number. */
  private static int tried(String name, long... arguments) {
    int[] error = {0};
    int result = call(name, error, arguments);
    return result == -1 ? -error[0] : result;
  }

  private static int call(String name, int[] error, long... arguments) {
    long[] all = Arrays.copyOf(arguments, MOST_ARGUMENTS);
    long result;
    if (IN_LIBRARY) {
      byte[] text = (name + "\0").getBytes(StandardCharsets.UTF_8);
      result = AgentLibrary.call(text, error, all[0], all[1], all[2], all[3], all[4], all[5]);
    } else {
      result = Linked.call(name, error, all);
    }
    if (error[0] == MISSING) {
      throw new MissingException(name);
    }
    return (int) result;
  }

  /** Lets the library read the clock, too, if it is there: it is loaded with this class. */
  public static void useLibrary() {
    // loading the class is enough
  }

  private static boolean loadLibrary() {
    try {
      return AgentLibrary.load(AgentJar.library());
    } catch (IOException e) {
      return false; // the installation is incomplete
    }
  }

  /** This system's C library has no such function. */
  static final class MissingException extends RuntimeException {
    private static final long serialVersionUID = 1;

    MissingException(String name) {
      super("the C library has no function " + name);
    }
  }

  static long at(MemorySegment memory) {
    return memory.address();
  }

  /** For reading and writing without classes that the JDK would generate. */
  static ByteBuffer buffer(MemorySegment memory) {
    return memory.asByteBuffer().order(ByteOrder.nativeOrder());
  }

  /** A text that ends with a zero byte. */
  static MemorySegment text(Arena arena, byte[] bytes) {
    MemorySegment text = arena.allocate(bytes.length + 1L);
    buffer(text).put(bytes);
    return text;
  }

  /** Makes a link to a name that is given as bytes. */
  static void symbolicLink(byte[] target, Path link) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      byte[] name = link.toString().getBytes(StandardCharsets.UTF_8);
      int result = tried("symlink", at(text(arena, target)), at(text(arena, name)));
      if (result != 0) {
        throw new IOException(message(-result));
      }
    }
  }

  public static void makePipe(Path name) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      check(tried("mkfifo", at(text(arena, RawText.encode(name.toString()))), PRIVATE));
    }
  }

  /**
   * Makes a file that exists only in memory, and as long as somebody has it open; the path by which
   * this program's processes find it.
   */
  public static Path memoryFile(String name) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      int file = tried("memfd_create", at(text(arena, RawText.encode(name))), CLOSE_ON_EXEC);
      check(file);
      return Path.of("/proc/%d/fd/%d".formatted(ProcessHandle.current().pid(), file));
    }
  }

  /** Gives up the space of a part of a file, which reads as zeros then; its length stays. */
  public static void punch(Path file, long from, long to) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      int open = tried("open", at(text(arena, RawText.encode(file.toString()))), WRITE_NO_LINK);
      check(open);
      try {
        check(tried("fallocate", open, PUNCH_KEEP_SIZE, from, to - from));
      } finally {
        call("close", open);
      }
    }
  }

  private static void check(int result) throws IOException {
    if (result < 0) {
      throw new IOException(message(-result));
    }
  }

  /**
   * Opens a directory, only to name files in it. Where {@code openat2} is missing, or forbidden as
   * by the seccomp filter of an older container, no link on the way is followed at all.
   *
   * @param in the directory to begin at, which {@code ..} and links do not leave; none for {@code
   *     path} as it is
   * @return a file number
   */
  public static int openDirectory(@Nullable Integer in, String path) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      long name = at(text(arena, RawText.encode(path)));
      int flags = PATH_ONLY | DIRECTORY | CLOSE_ON_EXEC_FILE;
      if (in == null) {
        return checked(tried("open", name, flags));
      }
      MemorySegment how = arena.allocate(LONG, 3);
      buffer(how).putLong(flags).putLong(0).putLong(RESOLVE_IN_ROOT);
      int result = tried("syscall", OPENAT2, in, name, at(how), how.byteSize());
      return result == -ENOSYS || result == -EPERM
          ? openWithoutLinks(in, Path.of(path))
          : checked(result);
    }
  }

  private static int openWithoutLinks(int in, Path path) throws IOException {
    int flags = PATH_ONLY | DIRECTORY | CLOSE_ON_EXEC_FILE | NO_LINK;
    int at = in;
    for (Path name : path) {
      if (name.toString().equals("..")) {
        throw new IOException("leads out of its directory: path=" + path);
      }
      int above = at;
      try (Arena arena = Arena.ofConfined()) {
        at =
            checked(
                tried("openat", above, at(text(arena, RawText.encode(name.toString()))), flags));
      } finally {
        if (above != in) {
          close(above);
        }
      }
    }
    return at;
  }

  /** Closes a file that was opened by its number. */
  public static void close(int file) {
    call("close", file);
  }

  /**
   * Has the calling thread, and no other, act as another user from now on, with all rights that
   * this process may use.
   */
  public static void actAs(long user, long group) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      check(tried("syscall", SETRESGID, -1, group, -1));
      check(tried("syscall", SETRESUID, -1, user, -1));
      MemorySegment header = arena.allocate(LONG);
      MemorySegment rights =
          arena.allocate(ValueLayout.JAVA_INT, 6); // effective, permitted, inheritable; twice
      buffer(header).putInt(CAPABILITIES_VERSION);
      check(tried("capget", at(header), at(rights)));
      ByteBuffer bits = buffer(rights);
      bits.putInt(0, bits.getInt(4)).putInt(12, bits.getInt(16));
      check(tried("capset", at(header), at(rights)));
    }
  }

  private static int checked(int result) throws IOException {
    check(result);
    return result;
  }

  static String message(int error) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(LONGEST_MESSAGE);
      call("__xpg_strerror_r", error, at(text), LONGEST_MESSAGE);
      return text.getString(0);
    }
  }

  /** Loads and links what waits for a child, and what changes signals. */
  static void prepare(Arena arena) {
    call("sigaction", KILL, 0, at(arena.allocate(ACTION_SIZE, Long.BYTES)));
  }

  /** Waits for a child. Returns its status as the system encodes it. */
  public static int waitFor(int pid) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment status = arena.allocate(ValueLayout.JAVA_INT);
      int result;
      do {
        result = tried("waitpid", pid, at(status), 0);
      } while (result == -EINTR);
      if (result != pid) {
        throw new IOException(
            "cannot wait for the program: pid=%d error=\"%s\"".formatted(pid, message(-result)));
      }
      return buffer(status).getInt();
    }
  }

  /** Sends a signal; the process may be gone. */
  static void kill(long pid, int signal) {
    call("kill", pid, signal);
  }

  /** Has this process ignore a signal; returns what it did before, for {@link #restore}. */
  static MemorySegment ignore(Arena arena, int signal) {
    return action(arena, signal, IGNORE);
  }

  /** Restores what this process did at a signal. */
  static void restore(int signal, MemorySegment before) {
    call("sigaction", signal, at(before), 0);
  }

  /**
   * Ends this process by a signal, if possible. No core is written: it would be Java's. It is this
   * thread that gets the signal: another one might get it after this one has ended the process.
   */
  public static void endBy(int signal) {
    try (Arena arena = Arena.ofConfined()) {
      limit(arena, CORE, 0);
      action(arena, signal, DEFAULT);
      MemorySegment only = arena.allocate(SIGNAL_SET_SIZE, Long.BYTES);
      buffer(only).putLong(1L << (signal - 1));
      call("pthread_sigmask", UNBLOCK, at(only), 0);
      call("raise", signal);
    }
  }

  /** Sets how many files this process may open; returns the previous limit. */
  static long openFiles(long most) {
    try (Arena arena = Arena.ofConfined()) {
      return limit(arena, NOFILE, most);
    }
  }

  /** The handler is what the structure begins with. */
  private static MemorySegment action(Arena arena, int signal, long handler) {
    MemorySegment action = arena.allocate(ACTION_SIZE, Long.BYTES);
    MemorySegment before = arena.allocate(ACTION_SIZE, Long.BYTES);
    buffer(action).putLong(handler);
    call("sigaction", signal, at(action), at(before));
    return before;
  }

  /** Sets the soft limit, the first of the two. */
  private static long limit(Arena arena, int resource, long most) {
    MemorySegment limits = arena.allocate(LONG, 2);
    call("getrlimit", resource, at(limits));
    long before = buffer(limits).getLong();
    buffer(limits).putLong(most);
    call("setrlimit", resource, at(limits));
    return before;
  }
}
