package dev.kymo.analysis.cause;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.format.SchedulerState;
import dev.kymo.model.calls.Slice;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.CallVisitor;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Adds up what a thread did between two times, by what it did and who ended it. */
final class StateParts {
  private final Timeline timeline;
  private final Track thread;
  private final long from;
  private final long to;
  private final Progress progress;
  private final SchedulerStates states;
  private final Map<Key, long[]> kernel = new HashMap<>();
  private final Map<Key, long[]> waits = new HashMap<>();

  private record Key(int method, int other, int object) {}

  /**
   * Nothing added.
   *
   * @param thread track that stands for the thread
   */
  StateParts(Timeline timeline, int thread, long from, long to, Progress progress) {
    this.timeline = timeline;
    this.thread = timeline.tracks().get(thread);
    this.from = from;
    this.to = to;
    this.progress = progress;
    this.states = new SchedulerStates(timeline::method);
  }

  /**
   * Adds the states of one of the thread's tracks, or what delayed it on a virtual machine's track.
   */
  void add(Track track) {
    boolean machine = track.kind() == TrackKind.JVM;
    boolean program = machine || track.kind() == TrackKind.STATES;
    timeline.calls(
        track.id(),
        from,
        to,
        new CallVisitor() {
          private int object;
          private int other = -1;

          @Override
          public void detail(int objectOfNext, int otherOfNext) {
            object = objectOfNext;
            other = otherOfNext;
          }

          @Override
          public void call(int depth, int method, long begin, long end, int flags) {
            progress.check();
            boolean open = (flags & Slice.OPEN_END) != 0; // nobody has ended it
            Key key = new Key(method, open || machine ? -1 : other, object);
            int whose = other;
            object = 0;
            other = -1;
            long inside = Math.min(end, to) - Math.max(begin, from);
            boolean within = inside > 0 || (begin >= from && end < to);
            if (within && (machine ? holdsUp(method, whose) : program || tells(method))) {
              add(program ? waits : kernel, key, inside);
            }
          }
        });
  }

  /** Whether what the virtual machine did delayed the thread. */
  private boolean holdsUp(int method, int whose) {
    TracedMethod work = timeline.method(method);
    return ReportedTimes.isSafepoint(work)
        || (ReportedTimes.isClassLoading(work) && ReportedTimes.isOf(timeline, whose, thread));
  }

  /** Running needs no explanation. */
  private boolean tells(int method) {
    SchedulerState state = states.of(method);
    return state != null && state != SchedulerState.RUNNING;
  }

  private static <K> void add(Map<K, long[]> sums, K key, long time) {
    long[] sum = sums.computeIfAbsent(key, k -> new long[2]);
    sum[0]++;
    sum[1] += time;
  }

  List<CausePart> kernel() {
    return parts(kernel);
  }

  List<CausePart> waits() {
    return parts(waits);
  }

  private static List<CausePart> parts(Map<Key, long[]> sums) {
    List<CausePart> parts = new ArrayList<>();
    sums.forEach(
        (key, sum) -> parts.add(new CausePart(key.method, key.other, key.object, sum[0], sum[1])));
    parts.sort(
        Comparator.comparingLong(CausePart::time)
            .thenComparingLong(CausePart::count)
            .reversed()
            .thenComparingInt(CausePart::method)
            .thenComparingInt(CausePart::other));
    return parts;
  }
}
