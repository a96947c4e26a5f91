package dev.kymo.agent.waits;

import java.util.Arrays;

/**
 * Converts the flight recorder's clock to the recording's, by straight lines between readings of
 * both that were taken at the same moment. Neither clock's frequency needs to be known, and neither
 * has to run evenly.
 *
 * <p>Not safe for several threads at a time.
 */
final class FlightClock {
  /** When there are more pairs than this, every other pair is dropped. */
  private static final int MOST_PAIRS = 4096;

  /**
   * A pair that is less exact than the best pair by this factor is useless, unless it is exact
   * enough.
   */
  private static final int INEXACT = 4;

  private static final long EXACT_NANOS = 20_000;

  /** In a time this short, no clock drifts noticeably. */
  private static final long STEADY_NANOS = 2_000_000_000L;

  private long[] flight = new long[64];
  private long[] clock = new long[64];

  /** How long the readings of the pairs took. */
  private long[] widths = new long[64];

  private int pairs;
  private long lastRound = -1;
  private long leastWidth = Long.MAX_VALUE;

  /**
   * Adds a reading of the recording's clock that was taken somewhere between two of the flight
   * recorder's. Rounds come in order.
   */
  void add(long round, long flightBegin, long flightEnd, long clockBetween) {
    long width = flightEnd - flightBegin;
    long middle = flightBegin + width / 2;
    if (round != lastRound) {
      if (pairs > 0 && (middle <= flight[pairs - 1] || clockBetween <= clock[pairs - 1])) {
        return;
      }
      dropInexact();
      makeRoom();
      pairs++;
    } else if (width >= widths[pairs - 1]) {
      return;
    }
    lastRound = round;
    leastWidth = Math.min(leastWidth, width);
    widths[pairs - 1] = width;
    flight[pairs - 1] = middle;
    clock[pairs - 1] = clockBetween;
  }

  /** The thread that reads the clocks may lose its processor in between, every time in a round. */
  private void dropInexact() {
    if (endsInexact()) {
      pairs--;
    } else if (pairs > 2 && isInexact(0) && flight[1] - flight[0] < STEADY_NANOS) {
      pairs--;
      move(1, 0, pairs);
    }
  }

  private boolean endsInexact() {
    int last = pairs - 1;
    return last > 0 && isInexact(last) && flight[last] - flight[last - 1] < STEADY_NANOS;
  }

  private boolean isInexact(int pair) {
    return widths[pair] > EXACT_NANOS && widths[pair] / INEXACT > leastWidth;
  }

  private void move(int from, int to, int count) {
    System.arraycopy(flight, from, flight, to, count);
    System.arraycopy(clock, from, clock, to, count);
    System.arraycopy(widths, from, widths, to, count);
  }

  boolean isReady() {
    return pairs >= 2;
  }

  /** The recording's clock at the latest useful pair. */
  long latest() {
    return clock[lastOfUse()];
  }

  /** The flight recorder's clock at the latest useful pair: later times are guesses. */
  long latestFlight() {
    return flight[lastOfUse()];
  }

  private int lastOfUse() {
    return endsInexact() ? pairs - 2 : pairs - 1;
  }

  /** The recording's clock at a time of the flight recorder. */
  long convert(long time) {
    int at = Arrays.binarySearch(flight, 0, pairs, time);
    int right = Math.max(1, Math.min(at < 0 ? -at - 1 : at, pairs - 1));
    int left = right - 1;
    double rate = (double) (clock[right] - clock[left]) / (flight[right] - flight[left]);
    return clock[left] + Math.round((time - flight[left]) * rate);
  }

  private void makeRoom() {
    if (pairs == MOST_PAIRS) {
      pairs /= 2;
      for (int i = 0; i < pairs; i++) {
        move(2 * i + 1, i, 1);
      }
    }
    if (pairs == flight.length) {
      flight = Arrays.copyOf(flight, 2 * pairs);
      clock = Arrays.copyOf(clock, 2 * pairs);
      widths = Arrays.copyOf(widths, 2 * pairs);
    }
  }
}
