package dev.kymo.analysis;

/** Sums over the calls of one method; clock ticks. */
final class MethodTotals extends Durations {
  final int method;
  final int thread;
  long calls;
  long total;
  long self;
  long durations;
  long max;

  /**
   * Nothing yet.
   *
   * @param thread index, -1 = all
   */
  MethodTotals(int method, int thread) {
    this.method = method;
    this.thread = thread;
  }

  void add(long time, long selfTime, boolean nested) {
    calls++;
    durations += time;
    self += selfTime;
    if (!nested) {
      total += time;
    }
    if (time > max) {
      max = time;
    }
    addDuration(time);
  }

  void merge(MethodTotals other) {
    calls += other.calls;
    durations += other.durations;
    self += other.self;
    total += other.total;
    max = Math.max(max, other.max);
    addAll(other);
  }
}
