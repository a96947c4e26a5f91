package dev.kymo.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/**
 * The raw ring buffer of one processor, open to be read page by page without waiting. Used by one
 * thread.
 */
final class CpuBuffer {
  private final int cpu;
  private final Path path;
  private final int pageSize;
  private final MemorySegment page;
  private final MemorySegment state;
  private int fd;
  private int error;

  /** Opens it; {@link #isOpen()} says whether that succeeded. */
  CpuBuffer(Path instance, int cpu, int pageSize, Arena arena) {
    this.cpu = cpu;
    this.path = instance.resolve("per_cpu/cpu" + cpu + "/trace_pipe_raw");
    this.pageSize = pageSize;
    this.page = arena.allocate(pageSize, pageSize);
    this.state = LibC.errorState(arena);
    int result = LibC.open(path.toString());
    this.fd = Math.max(result, -1);
    this.error = result < 0 ? -result : 0;
  }

  int cpu() {
    return cpu;
  }

  /** False if the processor is offline or reading failed; reading is not tried again. */
  boolean isOpen() {
    return fd >= 0;
  }

  /** The system's number, -1 if it is not open. */
  int fd() {
    return fd;
  }

  /**
   * Reads one page, which removes its events from the buffer. Asking for less than a page would
   * give data without a header.
   *
   * @return false if there is nothing to read now, or ever again
   */
  boolean read(byte[] to) {
    if (fd < 0) {
      return false;
    }
    long count = LibC.read(state, fd, page);
    if (count == pageSize) {
      MemorySegment.copy(page, ValueLayout.JAVA_BYTE, 0, to, 0, pageSize);
      return true;
    }
    if (count < 0 && count != -LibC.EAGAIN && count != -LibC.EINTR) {
      close();
      error = (int) -count;
    }
    return false;
  }

  String problem() {
    return "kernel events of a processor cannot be read: cpu=%d file=%s errno=%d; it may be offline, its events are missing"
        .formatted(cpu, path, error);
  }

  void close() {
    if (fd >= 0) {
      LibC.close(fd);
      fd = -1;
    }
  }
}
