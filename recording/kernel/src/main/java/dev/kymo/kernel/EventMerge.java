package dev.kymo.kernel;

import dev.kymo.format.KernelEventFormat;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Delivers the contents of several processors' queues in the order of the clock. A heap gives the
 * queue whose turn it is; that queue delivers until it has passed the next one. Used by one thread.
 */
final class EventMerge {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  private final CpuQueue[] heap;
  private int heapSize;
  private long delivered;
  private long events;
  private long late;
  private long unknown;
  private long lost;
  private final long[] lostOf;

  /**
   * Maximum number of processors whose queues are merged, and the highest number of a processor.
   */
  EventMerge(int queues, int highestCpu) {
    heap = new CpuQueue[queues];
    lostOf = new long[highestCpu + 1];
  }

  /** Delivers all items below this clock. */
  void deliver(List<CpuQueue> queues, long until, EventTable table, KernelSink sink) {
    heapSize = 0;
    for (CpuQueue queue : queues) {
      if (queue.hasItem()) {
        heap[heapSize++] = queue;
      }
    }
    for (int i = heapSize / 2 - 1; i >= 0; i--) {
      siftDown(i);
    }
    while (heapSize > 0 && heap[0].clock() < until) {
      CpuQueue queue = heap[0];
      long limit = heapSize > 1 ? Math.min(second(), until) : until;
      if (!run(queue, limit, table, sink)) {
        heap[0] = heap[--heapSize];
      }
      siftDown(0);
    }
  }

  /** Reports that everything below this clock is delivered, if that is new. */
  void upTo(long clock, KernelSink sink) {
    if (clock > delivered) {
      delivered = clock;
      sink.upTo(clock);
    }
  }

  /** Takes at least one item, then all below the limit; false if the queue has no more. */
  private boolean run(CpuQueue queue, long limit, EventTable table, KernelSink sink) {
    long last = delivered;
    boolean more;
    do {
      if (queue.missing() != 0) {
        lose(queue, sink);
      } else {
        long clock = queue.clock();
        if (clock < last) { // committed late: held up longer than a round waits for
          clock = last;
          late++;
        }
        last = clock;
        event(queue, clock, table, sink);
      }
      more = queue.advance();
    } while (more && queue.clock() < limit);
    delivered = last;
    return more;
  }

  private void event(CpuQueue queue, long clock, EventTable table, KernelSink sink) {
    int size = queue.size();
    byte[] bytes = queue.bytes();
    int offset = queue.offset();
    int place = -1;
    if (size >= KernelEventFormat.COMMON_SIZE) {
      place = table.indexOf((short) SHORT.get(bytes, offset) & 0xFFFF);
    }
    if (place < 0 || size < table.smallest(place)) {
      unknown++;
      return;
    }
    events++;
    sink.event(queue.cpu(), clock, place, bytes, offset, size);
  }

  private void lose(CpuQueue queue, KernelSink sink) {
    lost(queue.cpu(), queue.clock(), queue.lossEnd(), queue.missing(), sink);
  }

  void lost(int cpu, long from, long to, long count, KernelSink sink) {
    lost += count;
    lostOf[cpu] += count;
    sink.lost(cpu, from, Math.max(from, to), count);
  }

  private long second() {
    long left = heap[1].clock();
    return heapSize > 2 ? Math.min(left, heap[2].clock()) : left;
  }

  private void siftDown(int from) {
    int at = from;
    while (2 * at + 1 < heapSize) {
      int child = 2 * at + 1;
      if (child + 1 < heapSize && before(heap[child + 1], heap[child])) {
        child++;
      }
      if (!before(heap[child], heap[at])) {
        return;
      }
      CpuQueue moved = heap[at];
      heap[at] = heap[child];
      heap[child] = moved;
      at = child;
    }
  }

  private static boolean before(CpuQueue a, CpuQueue b) {
    return a.clock() < b.clock() || (a.clock() == b.clock() && a.cpu() < b.cpu());
  }

  /** No item below this clock will come any more. */
  long delivered() {
    return delivered;
  }

  long events() {
    return events;
  }

  /** Events whose clock was raised because a later event had been delivered. */
  long late() {
    return late;
  }

  /** Events that no format describes, left out. */
  long unknown() {
    return unknown;
  }

  long lost() {
    return lost;
  }

  /** Events of a processor that were reported as missing. */
  long lost(int cpu) {
    return lostOf[cpu];
  }
}
