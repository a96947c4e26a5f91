package dev.kymo.analysis;

import dev.kymo.analysis.CallCause.Child;
import dev.kymo.model.CallDetail;
import dev.kymo.model.CallVisitor;
import dev.kymo.model.SchedulerState;
import dev.kymo.model.Slice;
import dev.kymo.model.Timeline;
import dev.kymo.model.Track;
import dev.kymo.model.TrackKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Adds up what a thread did during one call, in particular. */
final class CauseParts {
  private final Timeline timeline;
  private final CallDetail call;
  private final Progress progress;
  private final SchedulerStates states;
  private final Map<Key, long[]> kernel = new HashMap<>();
  private final Map<Key, long[]> waits = new HashMap<>();
  private final Map<Integer, long[]> children = new HashMap<>();
  private long childTime;

  private record Key(int method, int other, int object) {}

  CauseParts(Timeline timeline, CallDetail call, Progress progress) {
    this.timeline = timeline;
    this.call = call;
    this.progress = progress;
    this.states = new SchedulerStates(timeline::method);
  }

  /** Adds the states of one of the thread's tracks, or what stopped it of one of its machine's. */
  void addStates(Track track) {
    boolean machine = track.kind() == TrackKind.JVM;
    boolean program = machine || track.kind() == TrackKind.STATES;
    timeline.calls(
        track.id(),
        call.begin(),
        call.end(),
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
            boolean open = (flags & Slice.OPEN_END) != 0; // nobody has let it go on
            Key key = new Key(method, open ? -1 : other, object);
            object = 0;
            other = -1;
            long inside = Math.min(end, call.end()) - Math.max(begin, call.begin());
            boolean within = inside > 0 || (begin >= call.begin() && end < call.end());
            if (machine && !ToldTimes.isSafepoint(timeline.method(method))) {
              return;
            }
            if (within && track.id() != call.track() && (program || tells(method))) {
              add(program ? waits : kernel, key, inside);
            }
          }
        });
  }

  /** To have run is nothing in particular. */
  private boolean tells(int method) {
    SchedulerState state = states.of(method);
    return state != null && state != SchedulerState.RUNNING;
  }

  private static <K> void add(Map<K, long[]> sums, K key, long time) {
    long[] sum = sums.computeIfAbsent(key, k -> new long[2]);
    sum[0]++;
    sum[1] += time;
  }

  /** Adds what the call called: calls come in the order of their ends, inner ones first. */
  void addChildren() {
    Map<Integer, long[]> pending = new HashMap<>();
    timeline.calls(
        call.track(),
        call.begin(),
        call.end(),
        (depth, method, begin, end, flags) -> {
          progress.check();
          if (depth == call.depth() + 1) {
            add(pending, method, end - begin);
          } else if (depth == call.depth()) {
            if (begin == call.begin() && end == call.end() && method == call.method()) {
              children.putAll(pending);
            }
            pending.clear();
          }
        });
    childTime = children.values().stream().mapToLong(sum -> sum[1]).sum();
  }

  long childTime() {
    return childTime;
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

  List<Child> children() {
    List<Child> all = new ArrayList<>();
    children.forEach((method, sum) -> all.add(new Child(method, sum[0], sum[1])));
    all.sort(Comparator.comparingLong(Child::time).reversed().thenComparingInt(Child::method));
    return all;
  }
}
