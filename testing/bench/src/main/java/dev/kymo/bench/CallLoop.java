package dev.kymo.bench;

import java.util.Arrays;

/**
 * Calls a method again and again, to be recorded by one tool or another.
 *
 * <p>Arguments: calls a round, rounds of warm-up, rounds, and {@code event} if each call is to
 * commit an event of the flight recorder.
 */
public final class CallLoop {
  /** Uses the results of the calls. */
  static int sink;

  private CallLoop() {}

  /** Prints the nanoseconds of a call: the median of the rounds. */
  public static void main(String[] arguments) {
    int calls = Integer.parseInt(arguments[0]);
    int warmUp = Integer.parseInt(arguments[1]);
    double[] nanos = new double[Integer.parseInt(arguments[2])];
    boolean events = arguments.length > 3;
    for (int round = -warmUp; round < nanos.length; round++) {
      long begin = System.nanoTime();
      if (events) {
        commit(calls);
      } else {
        calls(calls);
      }
      if (round >= 0) {
        nanos[round] = (System.nanoTime() - begin) / (double) calls;
      }
    }
    Arrays.sort(nanos);
    System.out.println(nanos[nanos.length / 2]);
  }

  private static void calls(int times) {
    for (int i = 0; i < times; i++) {
      sink += call(i);
    }
  }

  private static void commit(int times) {
    for (int i = 0; i < times; i++) {
      Call event = new Call();
      event.begin();
      event.method = i;
      sink += call(i);
      event.commit();
    }
  }

  /** The recorded method. */
  static int call(int n) {
    return n * 31 + 7;
  }

  /** A call as a programmer would record it by hand. */
  @jdk.jfr.StackTrace(false)
  @jdk.jfr.Name("dev.kymo.bench.CallLoop")
  private static final class Call extends jdk.jfr.Event {
    @SuppressWarnings("UnusedVariable") // the flight recorder reads it
    int method;
  }
}
