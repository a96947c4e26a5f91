package dev.kymo.kernel.daemon;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks at each program as soon as it has begun, so that most programs that are over a moment later
 * have been seen. The kernel's process connector reports the begin; a thread of its own waits for
 * that.
 *
 * <pre>
 *   message:  0 nlmsghdr (u32 length, u16 type, u16 flags, u32 sequence, u32 port)
 *            16 cn_msg   (u32 index, u32 value, u32 sequence, u32 ack, u16 length, u16 flags)
 *            36 proc_event: u32 what, u32 cpu, u64 nanoseconds
 *            52 u32 thread, u32 process, ...
 * </pre>
 *
 * <p>One thread takes what it found.
 */
final class ProgramWatch implements AutoCloseable {
  private static final int AF_NETLINK = 16;
  private static final int DATAGRAM_CLOEXEC = 2 | 0x80000;
  private static final int NETLINK_CONNECTOR = 11;
  private static final int CONNECTOR_PROCESSES = 1;
  private static final int LISTEN = 1;
  private static final int NLMSG_DONE = 3;
  private static final int SOL_SOCKET = 1;
  private static final int SO_RCVTIMEO = 20;
  private static final int SO_RCVBUFFORCE = 33;
  private static final int RECEIVE_BYTES = 4 << 20;
  private static final long LOOK_MICROS = 200_000;

  private static final int NETLINK_HEADER = 16;
  private static final int CONNECTOR_HEADER = 20;
  private static final int WHAT = NETLINK_HEADER + CONNECTOR_HEADER;
  private static final int PROCESS = WHAT + 20;
  private static final int BEGAN = 0x2;
  private static final int LARGEST = 4096;

  private static final int PRIO_PROCESS = 0;
  private static final int FIRST = -20;
  private static final int WARM_UP = 100;

  private static final long KEPT_NANOS = 30_000_000_000L;
  private static final int MOST_KEPT = 100_000;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT;
  private static final Linker LINKER = Linker.nativeLinker();
  private static final MethodHandle SOCKET =
      handle("socket", FunctionDescriptor.of(INT, INT, INT, INT));
  private static final MethodHandle BIND =
      handle("bind", FunctionDescriptor.of(INT, INT, ValueLayout.ADDRESS, INT));
  private static final MethodHandle SETSOCKOPT =
      handle("setsockopt", FunctionDescriptor.of(INT, INT, INT, INT, ValueLayout.ADDRESS, INT));
  private static final MethodHandle SEND =
      handle("send", FunctionDescriptor.of(LONG, INT, ValueLayout.ADDRESS, LONG, INT));
  private static final MethodHandle RECEIVE =
      handle("recv", FunctionDescriptor.of(LONG, INT, ValueLayout.ADDRESS, LONG, INT));
  private static final MethodHandle SETPRIORITY =
      handle("setpriority", FunctionDescriptor.of(INT, INT, INT, INT));
  private static final MethodHandle CLOSE = handle("close", FunctionDescriptor.of(INT, INT));

  /**
   * The result of a look at a process.
   *
   * @param from clock before the look
   * @param to clock after the look
   */
  record Look(int pid, long from, long to, long owner, long nanos) {}

  private final LongSupplier clock;
  private final ConcurrentLinkedQueue<Look> found = new ConcurrentLinkedQueue<>();
  private final Map<Integer, ArrayDeque<Look>> taken = new HashMap<>();
  private final boolean listening;
  private volatile int tid;
  private volatile boolean ending;
  private long cleaned = System.nanoTime();

  private static MethodHandle handle(String name, FunctionDescriptor descriptor) {
    return LINKER.downcallHandle(LINKER.defaultLookup().find(name).orElseThrow(), descriptor);
  }

  /** Watches from now on, if the kernel allows it. */
  ProgramWatch(LongSupplier clock) {
    this.clock = clock;
    int socket = listen();
    listening = socket >= 0;
    if (listening) {
      Thread.ofPlatform().name("kymo programs").daemon().start(() -> run(socket));
    }
  }

  /** A socket to which the kernel reports programs; -1 if it does not. */
  private static int listen() {
    try (Arena arena = Arena.ofConfined()) {
      int socket = (int) SOCKET.invokeExact(AF_NETLINK, DATAGRAM_CLOEXEC, NETLINK_CONNECTOR);
      if (socket >= 0 && !listen(socket, arena)) {
        int _ = (int) CLOSE.invokeExact(socket);
        return -1;
      }
      return socket;
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  private static boolean listen(int socket, Arena arena) throws Throwable {
    MemorySegment address = arena.allocate(12, 4); // family, pad, port chosen by the kernel, groups
    address.set(SHORT, 0, (short) AF_NETLINK);
    address.set(INT, 8, CONNECTOR_PROCESSES);
    MemorySegment size = arena.allocate(INT);
    size.set(INT, 0, RECEIVE_BYTES);
    int _ = (int) SETSOCKOPT.invokeExact(socket, SOL_SOCKET, SO_RCVBUFFORCE, size, 4);
    MemorySegment time = arena.allocate(LONG, 2);
    time.setAtIndex(LONG, 1, LOOK_MICROS);
    if ((int) SETSOCKOPT.invokeExact(socket, SOL_SOCKET, SO_RCVTIMEO, time, 16) != 0
        || (int) BIND.invokeExact(socket, address, 12) != 0) {
      return false;
    }
    int length = WHAT + 4;
    MemorySegment request = arena.allocate(length, 8);
    request.set(INT, 0, length);
    request.set(SHORT, 4, (short) NLMSG_DONE);
    request.set(INT, NETLINK_HEADER, CONNECTOR_PROCESSES);
    request.set(INT, NETLINK_HEADER + 4, CONNECTOR_PROCESSES);
    request.set(SHORT, NETLINK_HEADER + 16, (short) 4);
    request.set(INT, WHAT, LISTEN);
    return (long) SEND.invokeExact(socket, request, (long) length, 0) == length;
  }

  private void run(int socket) {
    try (Arena arena = Arena.ofConfined()) {
      tid = CaptureThread.ownTid();
      // if it is not allowed, it is left out
      int _ = (int) SETPRIORITY.invokeExact(PRIO_PROCESS, tid, FIRST);
      for (int i = 0; i < WARM_UP; i++) {
        long _ = Credentials.ofTask(tid);
      }
      MemorySegment message = arena.allocate(LARGEST, 8);
      while (!ending) { // an error means that a message had no room, or that the time was over
        long size = (long) RECEIVE.invokeExact(socket, message, (long) LARGEST, 0);
        if (size >= PROCESS + 4 && message.get(INT, WHAT) == BEGAN) {
          look(message.get(INT, PROCESS));
        }
      }
    } catch (IOException e) {
      return; // nothing was found; the missing result says so
    } catch (Throwable e) {
      throw unchecked(e);
    } finally {
      closeQuietly(socket);
    }
  }

  private static void closeQuietly(int socket) {
    try {
      int _ = (int) CLOSE.invokeExact(socket);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  private void look(int pid) {
    long from = clock.getAsLong();
    long owner = Credentials.ofTask(pid);
    if (owner != Credentials.GONE) {
      found.add(new Look(pid, from, clock.getAsLong(), owner, System.nanoTime()));
    }
  }

  boolean isThere() {
    return listening;
  }

  boolean isOwn(int thread) {
    return thread == tid;
  }

  /** What was first found out about a process after a clock; null if nothing was. */
  @Nullable Look after(int pid, long when) {
    take();
    ArrayDeque<Look> looks = taken.get(pid);
    while (looks != null && !looks.isEmpty()) {
      if (looks.getFirst().from > when) {
        return looks.getFirst();
      }
      looks.removeFirst();
    }
    return null;
  }

  /** Takes the results so far, and forgets those that nobody asks for any more. */
  void take() {
    for (Look look = found.poll(); look != null; look = found.poll()) {
      taken.computeIfAbsent(look.pid, _ -> new ArrayDeque<>()).add(look);
    }
    long now = System.nanoTime();
    if (taken.size() > MOST_KEPT) {
      taken.clear(); // those will not be shown
    } else if (now - cleaned > KEPT_NANOS) {
      cleaned = now;
      for (Iterator<ArrayDeque<Look>> all = taken.values().iterator(); all.hasNext(); ) {
        ArrayDeque<Look> looks = all.next();
        looks.removeIf(look -> now - look.nanos > KEPT_NANOS);
        if (looks.isEmpty()) {
          all.remove();
        }
      }
    }
  }

  /** Ends it within a moment. */
  @Override
  public void close() {
    ending = true;
  }

  private static RuntimeException unchecked(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return e instanceof RuntimeException r ? r : new IllegalStateException(e);
  }
}
