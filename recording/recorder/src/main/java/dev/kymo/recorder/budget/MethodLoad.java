package dev.kymo.recorder.budget;

/** The cost of a method on a thread, as shares of the thread's time. */
final class MethodLoad {
  final int method;
  final double rate;
  final double average;
  int mode;
  double cost;

  /**
   * A load.
   *
   * @param rate calls a tick
   * @param average ticks of a call, NaN = not known
   */
  MethodLoad(int method, int mode, double rate, double average) {
    this.method = method;
    this.mode = mode;
    this.rate = rate;
    this.average = average;
  }

  /** Hottest first; of those that cost about the same, the shortest. */
  double weight() {
    double length = Double.isNaN(average) ? 0 : average * rate / Math.max(cost, 1e-9);
    return cost * (length < 1 ? 2 : 1);
  }
}
