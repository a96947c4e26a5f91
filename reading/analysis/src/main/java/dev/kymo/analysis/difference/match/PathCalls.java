package dev.kymo.analysis.difference.match;

import dev.kymo.analysis.selection.CallCollector;
import dev.kymo.analysis.selection.PlacedCall;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts the calls by a path, or keeps some of them. Calls come when they end, before their callers
 * do: until then, they are sums that wait for each depth.
 */
final class PathCalls implements CallCollector<PathCalls> {
  /** Sorts calls into as many sums as are wanted, or says that one does not count. */
  interface Sums {
    int NONE = -1;

    /** The number of the sum. */
    int of(PlacedCall call);
  }

  private final CallPath path;
  private final Sums sums;
  private final int count;
  private final boolean keep;

  /** By depth; null = nothing waits there. */
  private final @Nullable Found[] waiting;

  private final Found found;
  private int track;

  private static final class Found {
    final long[] sums;
    final List<PlacedCall> calls = new ArrayList<>();

    Found(int count) {
      sums = new long[count];
    }

    void add(Found other) {
      for (int i = 0; i < sums.length; i++) {
        sums[i] += other.sums[i];
      }
      calls.addAll(other.calls);
    }
  }

  /**
   * Nothing yet.
   *
   * @param count of sums
   * @param keep whether each call is kept, too: memory for all that count
   */
  PathCalls(CallPath path, Sums sums, int count, boolean keep) {
    this.path = path;
    this.sums = sums;
    this.count = count;
    this.keep = keep;
    this.waiting = new Found[path.depth() + 1];
    this.found = new Found(count);
  }

  @Override
  public void track(int next) {
    // What waits has callers whose methods are not those of the path, or has ended.
    Arrays.fill(waiting, null);
    track = next;
  }

  @Override
  public void call(int depth, int method, long begin, long end, int flags) {
    int innermost = path.depth();
    if (depth > innermost) {
      return;
    }
    @Nullable Found below = null;
    if (depth < innermost) {
      below = waiting[depth + 1];
      if (below == null) {
        return;
      }
      waiting[depth + 1] = null;
    }
    if (!path.has(depth, method)) {
      return;
    }
    if (below == null) {
      own(new PlacedCall(track, depth, begin, end - begin));
    } else {
      Found here = depth == 0 ? found : waiting[depth];
      if (here == null) {
        waiting[depth] = below;
      } else {
        here.add(below);
      }
    }
  }

  private void own(PlacedCall call) {
    int sum = sums.of(call);
    if (sum == Sums.NONE) {
      return;
    }
    Found here = call.depth() == 0 ? found : waiting[call.depth()];
    if (here == null) {
      here = new Found(count);
      waiting[call.depth()] = here;
    }
    here.sums[sum]++;
    if (keep) {
      here.calls.add(call);
    }
  }

  @Override
  public void merge(PathCalls other) {
    found.add(other.found);
  }

  /** The sums of all calls by the path. */
  long[] sums() {
    return found.sums;
  }

  /** Those that were kept. */
  List<PlacedCall> calls() {
    return found.calls;
  }
}
