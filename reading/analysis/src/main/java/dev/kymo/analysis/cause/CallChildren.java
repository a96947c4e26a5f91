package dev.kymo.analysis.cause;

import dev.kymo.analysis.cause.CallCause.Child;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.model.timeline.CallDetail;
import dev.kymo.model.timeline.Timeline;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Adds up what one call called directly. */
final class CallChildren {
  private final Map<Integer, long[]> children = new HashMap<>();
  private final long time;

  /** Reads them: calls come in the order of their ends, inner ones first. */
  CallChildren(Timeline timeline, CallDetail call, Progress progress) {
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
    time = children.values().stream().mapToLong(sum -> sum[1]).sum();
  }

  private static void add(Map<Integer, long[]> sums, int method, long time) {
    long[] sum = sums.computeIfAbsent(method, _ -> new long[2]);
    sum[0]++;
    sum[1] += time;
  }

  /** Nanoseconds in all. */
  long time() {
    return time;
  }

  /** By method, longest first. */
  List<Child> all() {
    List<Child> all = new ArrayList<>();
    children.forEach((method, sum) -> all.add(new Child(method, sum[0], sum[1])));
    all.sort(Comparator.comparingLong(Child::time).reversed().thenComparingInt(Child::method));
    return all;
  }
}
