package dev.kymo.analysis;

import dev.kymo.model.CallSink;
import dev.kymo.model.ThreadCalls;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adds up calls by method, or by method and thread. */
class CallTotals implements CallSink {
  private final boolean perThread;
  private final List<MethodTotals> all = new ArrayList<>();

  /** By thread, or all in the first; by method. */
  private @Nullable MethodTotals[][] totals = {};

  CallTotals(boolean perThread) {
    this.perThread = perThread;
  }

  @Override
  public void call(
      ThreadCalls thread,
      int depth,
      int method,
      long begin,
      long end,
      long childTime,
      long children,
      int flags) {
    long time = end - begin;
    totals(thread, method).add(time, time - childTime, (flags & NESTED) != 0);
  }

  final MethodTotals totals(ThreadCalls thread, int method) {
    int row = perThread ? thread.index() : 0;
    if (row < totals.length) {
      @Nullable MethodTotals[] methods = totals[row];
      if (method < methods.length) {
        MethodTotals found = methods[method];
        if (found != null) {
          return found;
        }
      }
    }
    return newTotals(row, method);
  }

  private MethodTotals newTotals(int row, int method) {
    if (row >= totals.length) {
      int from = totals.length;
      totals = Arrays.copyOf(totals, Math.max(row + 1, from * 2));
      Arrays.fill(totals, from, totals.length, new MethodTotals[0]);
    }
    if (method >= totals[row].length) {
      totals[row] = Arrays.copyOf(totals[row], Math.max(method + 1, totals[row].length * 2));
    }
    MethodTotals made = new MethodTotals(method, perThread ? row : -1);
    totals[row][method] = made;
    all.add(made);
    return made;
  }

  List<MethodTotals> all() {
    return all;
  }
}
