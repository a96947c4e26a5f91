package dev.kymo.kernel.daemon;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.HashMap;
import java.util.Map;

/**
 * The kernel's process connector: tells of each process whose user or group changes, in the moment
 * it does, so that it is known also of programs that were over before anybody could look.
 *
 * <pre>
 *   message:  0 nlmsghdr (u32 length, u16 type, u16 flags, u32 sequence, u32 port)
 *            16 cn_msg   (u32 index, u32 value, u32 sequence, u32 ack, u16 length, u16 flags)
 *            36 proc_event: u32 what, u32 cpu, u64 nanoseconds
 *            52 u32 thread, u32 process, ...
 * </pre>
 *
 * <p>Used by one thread.
 */
final class ProcessConnector implements AutoCloseable {
  private static final int AF_NETLINK = 16;
  private static final int DATAGRAM_NONBLOCK_CLOEXEC = 2 | 0x800 | 0x80000;
  private static final int NETLINK_CONNECTOR = 11;
  private static final int CONNECTOR_PROCESSES = 1;
  private static final int LISTEN = 1;
  private static final int NLMSG_DONE = 3;
  private static final int SOL_SOCKET = 1;
  private static final int SO_RCVBUFFORCE = 33;
  private static final int EAGAIN = 11;
  private static final int RECEIVE_BYTES = 4 << 20;

  private static final int NETLINK_HEADER = 16;
  private static final int CONNECTOR_HEADER = 20;
  private static final int WHAT = NETLINK_HEADER + CONNECTOR_HEADER;
  private static final int PROCESS = WHAT + 20;
  private static final int UID_CHANGED = 0x4;
  private static final int GID_CHANGED = 0x40;
  private static final int LARGEST = 4096;

  private static final long REMEMBERED_NANOS = 30_000_000_000L;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT;
  private static final Linker LINKER = Linker.nativeLinker();
  private static final VarHandle ERRNO =
      Linker.Option.captureStateLayout()
          .varHandle(MemoryLayout.PathElement.groupElement("errno"))
          .withInvokeExactBehavior();
  private static final MethodHandle SOCKET =
      handle("socket", FunctionDescriptor.of(INT, INT, INT, INT));
  private static final MethodHandle BIND =
      handle("bind", FunctionDescriptor.of(INT, INT, ValueLayout.ADDRESS, INT));
  private static final MethodHandle SETSOCKOPT =
      handle("setsockopt", FunctionDescriptor.of(INT, INT, INT, INT, ValueLayout.ADDRESS, INT));
  private static final MethodHandle SEND =
      handle("send", FunctionDescriptor.of(LONG, INT, ValueLayout.ADDRESS, LONG, INT));
  private static final MethodHandle RECEIVE =
      handle(
          "recv",
          FunctionDescriptor.of(LONG, INT, ValueLayout.ADDRESS, LONG, INT),
          Linker.Option.captureCallState("errno"));
  private static final MethodHandle CLOSE = handle("close", FunctionDescriptor.of(INT, INT));

  private final Arena arena = Arena.ofConfined();
  private final MemorySegment message = arena.allocate(LARGEST, 8);
  private final MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
  private final Map<Integer, Long> changed = new HashMap<>();
  private int fd = -1;
  private long missedNanos;
  private boolean missed;

  private static MethodHandle handle(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().find(name).orElseThrow(), descriptor, options);
  }

  /** Listens from now on, if the kernel lets it. */
  ProcessConnector() {
    try {
      int socket =
          (int) SOCKET.invokeExact(AF_NETLINK, DATAGRAM_NONBLOCK_CLOEXEC, NETLINK_CONNECTOR);
      if (socket >= 0 && !listen(socket)) {
        int _ = (int) CLOSE.invokeExact(socket);
      }
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  private boolean listen(int socket) throws Throwable {
    MemorySegment address = arena.allocate(12, 4); // family, pad, port chosen by the kernel, groups
    address.set(SHORT, 0, (short) AF_NETLINK);
    address.set(INT, 8, CONNECTOR_PROCESSES);
    MemorySegment size = arena.allocate(INT);
    size.set(INT, 0, RECEIVE_BYTES);
    int _ = (int) SETSOCKOPT.invokeExact(socket, SOL_SOCKET, SO_RCVBUFFORCE, size, 4);
    if ((int) BIND.invokeExact(socket, address, 12) != 0) {
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
    if ((long) SEND.invokeExact(socket, request, (long) length, 0) != length) {
      return false;
    }
    fd = socket;
    return true;
  }

  /** Whether it tells anything. */
  boolean isThere() {
    return fd >= 0;
  }

  /** Takes what was told so far. */
  void drain() {
    if (fd < 0) {
      return;
    }
    long now = System.nanoTime();
    try {
      while (true) {
        long size = (long) RECEIVE.invokeExact(state, fd, message, (long) LARGEST, 0);
        if (size >= PROCESS + 4) {
          int what = message.get(INT, WHAT);
          if (what == UID_CHANGED || what == GID_CHANGED) {
            changed.put(message.get(INT, PROCESS), now);
          }
        } else if (size < 0) {
          if ((int) ERRNO.get(state, 0L) == EAGAIN) {
            break;
          }
          missed = true; // more than there was room for
          missedNanos = now;
        }
      }
    } catch (Throwable e) {
      throw unchecked(e);
    }
    changed.values().removeIf(when -> now - when > REMEMBERED_NANOS);
  }

  /** Whether a process had no other user or group lately, and that is certain. */
  boolean unchanged(int pid) {
    boolean complete = !missed || System.nanoTime() - missedNanos > REMEMBERED_NANOS;
    return fd >= 0 && complete && !changed.containsKey(pid);
  }

  @Override
  public void close() {
    if (fd >= 0) {
      try {
        int _ = (int) CLOSE.invokeExact(fd);
      } catch (Throwable e) {
        throw unchecked(e);
      }
      fd = -1;
    }
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }

  private static RuntimeException unchecked(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return e instanceof RuntimeException r ? r : new IllegalStateException(e);
  }
}
