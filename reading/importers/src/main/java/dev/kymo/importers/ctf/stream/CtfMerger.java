package dev.kymo.importers.ctf.stream;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gives the events of all streams by their times. */
public final class CtfMerger implements AutoCloseable {
  private final List<CtfStream> all = new ArrayList<>();

  /** A heap: the stream with the earliest event is first. */
  private final CtfStream[] heap;

  private int count;
  private @Nullable CtfStream current;

  public CtfMerger(List<CtfTrace> traces) throws IOException {
    try {
      for (CtfTrace trace : traces) {
        trace.open(all);
      }
      heap = new CtfStream[all.size()];
      for (CtfStream stream : all) {
        if (stream.advance()) {
          heap[count++] = stream;
        }
      }
    } catch (Throwable e) {
      close();
      throw e;
    }
    for (int i = count / 2 - 1; i >= 0; i--) {
      siftDown(i);
    }
  }

  public List<CtfStream> streams() {
    return all;
  }

  /** The earliest event's time; 0 if there is no event. */
  public long first() {
    return count == 0 ? 0 : heap[0].nanos();
  }

  /** Goes to the next event; null at the end. It is valid until the next call. */
  public @Nullable CtfStream next() throws IOException {
    CtfStream before = current;
    if (before != null) {
      if (!before.advance()) {
        heap[0] = heap[--count];
      }
      siftDown(0);
    }
    current = count == 0 ? null : heap[0];
    return current;
  }

  private void siftDown(int from) {
    int at = from;
    CtfStream moved = heap.length == 0 ? null : heap[at];
    while (moved != null) {
      int child = 2 * at + 1;
      if (child >= count) {
        break;
      }
      if (child + 1 < count && isBefore(heap[child + 1], heap[child])) {
        child++;
      }
      if (!isBefore(heap[child], moved)) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    if (moved != null) {
      heap[at] = moved;
    }
  }

  private static boolean isBefore(CtfStream a, CtfStream b) {
    int order = Long.compare(a.nanos(), b.nanos());
    return order < 0 || (order == 0 && a.number() < b.number());
  }

  @Override
  public void close() throws IOException {
    for (CtfStream stream : all) {
      stream.close();
    }
  }
}
