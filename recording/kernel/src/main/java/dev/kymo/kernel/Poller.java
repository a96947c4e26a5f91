package dev.kymo.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * Waits for the buffers of all processors at once. A blocking read would wake up at every event,
 * and its own waking would be the next event; {@code poll} waits until a good part of a buffer is
 * full.
 *
 * <pre>
 *   struct pollfd { s32 fd; s16 events; s16 revents; }
 * </pre>
 */
final class Poller {
  private static final long ENTRY = 8;
  private static final long EVENTS = 4;

  private static final long RESULT = 6;

  private final List<CpuBuffer> buffers;
  private final boolean[] useless;
  private final MemorySegment files;
  private final MemorySegment state;

  Poller(List<CpuBuffer> buffers, Arena arena) {
    this.buffers = buffers;
    this.useless = new boolean[buffers.size()];
    this.files = arena.allocate(ENTRY * Math.max(1, buffers.size()), ENTRY);
    this.state = LibC.errorState(arena);
  }

  /** Waits until a buffer is partly full, or the time is over. */
  void poll(int millis) {
    int count = buffers.size();
    for (int i = 0; i < count; i++) {
      int fd = useless[i] ? -1 : buffers.get(i).fd(); // below 0: left out
      files.set(ValueLayout.JAVA_INT, i * ENTRY, fd);
      files.set(ValueLayout.JAVA_SHORT, i * ENTRY + EVENTS, LibC.POLLIN);
    }
    int ready = LibC.poll(state, files, count, millis);
    for (int i = 0; i < count && ready > 0; i++) {
      short result = files.get(ValueLayout.JAVA_SHORT, i * ENTRY + RESULT);
      // an error: poll would never wait again
      useless[i] |= result != 0 && (result & LibC.POLLIN) == 0;
    }
  }
}
