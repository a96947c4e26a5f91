package dev.kymo.kernel;

import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Fills a processor's queue from its buffer. Used by one thread. */
final class CpuReader implements AutoCloseable {
  private final CpuBuffer buffer;
  private final CpuQueue queue;
  private final int pagesPerRound;
  private long pages;

  /** Clock at which the last page read begins. */
  private long begin;

  private boolean told;

  CpuReader(Path instance, int cpu, PageLayout layout, int pagesPerRound, Arena arena) {
    this.buffer = new CpuBuffer(instance, cpu, layout.pageSize(), arena);
    this.queue = new CpuQueue(cpu, layout, 2 * pagesPerRound);
    this.pagesPerRound = pagesPerRound;
  }

  CpuBuffer buffer() {
    return buffer;
  }

  CpuQueue queue() {
    return queue;
  }

  long pages() {
    return pages;
  }

  /**
   * Reads until nothing is left, or a page begins after {@code now}: reading itself causes events,
   * so the buffer may never be empty.
   *
   * @param complete clock below which the buffer has all events once it is read to {@code now}
   * @return whether it was not read that far, because there is too much
   */
  boolean read(long now, long complete, Consumer<String> complaints) {
    for (int i = 0; i < pagesPerRound && !queue.isFull(); i++) {
      if (!buffer.read(queue.free())) {
        sayWhyNot(complaints);
        queue.raiseBound(complete);
        return false;
      }
      pages++;
      begin = queue.added();
      if (begin >= now) {
        queue.raiseBound(complete);
        return false;
      }
    }
    queue.raiseBound(Math.min(begin, complete));
    return true;
  }

  private void sayWhyNot(Consumer<String> complaints) {
    if (!buffer.isOpen() && !told) {
      told = true;
      complaints.accept(buffer.problem());
    }
  }

  @Override
  public void close() {
    buffer.close();
  }
}
