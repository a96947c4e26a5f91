package dev.kymo.analysis.locks;

import dev.kymo.model.calls.ThreadCalls;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The waits at a barrier, until it is known who let them go on: the last thread to come, which may
 * return before or after them. A thread waits at most once for each time that this happens.
 */
final class Barrier {
  private final List<LongWait> waits = new ArrayList<>();

  /** Indexes of the threads that the last one let go on. */
  private final Set<Integer> gone = new HashSet<>();

  private @Nullable ThreadCalls last;
  private long opened;

  /** A wait is over; hands it on when it is known who ended it. */
  void waited(LongWait wait, Consumer<LongWait> sink) {
    if (last != null && opened >= wait.begin() && gone.add(wait.thread().index())) {
      sink.accept(wait.endedBy(last));
    } else {
      waits.add(wait);
    }
  }

  /** The last thread has come, and says so at a clock; hands on those that it let go on. */
  void opened(ThreadCalls by, long clock, Consumer<LongWait> sink) {
    last = by;
    opened = clock;
    gone.clear();
    gone.add(by.index());
    for (LongWait wait : waits) {
      boolean first = gone.add(wait.thread().index());
      sink.accept(first ? wait.endedBy(by) : wait);
    }
    waits.clear();
  }

  /** Nothing more comes: of the rest nobody knows. */
  void finish(Consumer<LongWait> sink) {
    waits.forEach(sink);
    waits.clear();
  }
}
