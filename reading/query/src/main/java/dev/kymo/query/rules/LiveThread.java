package dev.kymo.query.rules;

import java.util.Arrays;

/** The open calls of a thread that concern rules, the innermost last. */
final class LiveThread {
  final int process;
  final int thread;

  /** Clock of its last record. */
  long last = Long.MIN_VALUE;

  int depth;
  int[] methods = new int[4];
  long[] begins = new long[4];

  /** For each open call a bit for each rule that it has violated already. */
  long[] told = new long[4];

  LiveThread(int process, int thread) {
    this.process = process;
    this.thread = thread;
  }

  void enter(int method, long clock) {
    if (depth == methods.length) {
      methods = Arrays.copyOf(methods, 2 * depth);
      begins = Arrays.copyOf(begins, 2 * depth);
      told = Arrays.copyOf(told, 2 * depth);
    }
    methods[depth] = method;
    begins[depth] = clock;
    told[depth++] = 0;
  }

  /** Where the innermost open call of a method is; -1 = its begin was not seen. */
  int find(int method) {
    int at = depth - 1;
    while (at >= 0 && methods[at] != method) {
      at--;
    }
    return at;
  }

  /** It is not known any more what is open. */
  void forget() {
    depth = 0;
  }
}
