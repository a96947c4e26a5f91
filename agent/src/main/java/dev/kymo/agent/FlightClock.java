package dev.kymo.agent;

import java.util.Arrays;

/**
 * Converts the flight recorder's clock to the recording's, by straight lines between readings of
 * both that were taken at the same moment. Neither clock's frequency needs to be known, and neither
 * has to run evenly.
 *
 * <p>Not safe for several threads at a time.
 */
final class FlightClock {
  /** With more pairs than this every other one is dropped. */
  private static final int MOST_PAIRS = 4096;

  private long[] flight = new long[64];
  private long[] clock = new long[64];
  private int pairs;
  private long lastRound = -1;
  private long bestWidth;

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
      makeRoom();
      pairs++;
    } else if (width >= bestWidth) {
      return;
    }
    lastRound = round;
    bestWidth = width;
    flight[pairs - 1] = middle;
    clock[pairs - 1] = clockBetween;
  }

  /** Whether there are enough pairs to convert. */
  boolean isReady() {
    return pairs >= 2;
  }

  /** The recording's clock at the latest pair. */
  long latest() {
    return clock[pairs - 1];
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
        flight[i] = flight[2 * i + 1];
        clock[i] = clock[2 * i + 1];
      }
    }
    if (pairs == flight.length) {
      flight = Arrays.copyOf(flight, 2 * pairs);
      clock = Arrays.copyOf(clock, 2 * pairs);
    }
  }
}
