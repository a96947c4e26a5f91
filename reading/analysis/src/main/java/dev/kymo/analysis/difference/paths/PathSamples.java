package dev.kymo.analysis.difference.paths;

import java.util.Arrays;

/**
 * Some of the calls of a node, evenly over all of them and in their order: of each so many calls in
 * a row one is kept, picked pseudo-randomly, so that a rhythm of the program is not mistaken for
 * its course. Nanoseconds.
 */
public final class PathSamples {
  /** Kept at most, an even number. */
  private static final int MOST = 128;

  private static final float[] NONE = {};

  private float[] busy = NONE;
  private float[] waiting = NONE;
  private int count;

  /** Of each 2 to the power of this, one is kept. */
  private int shift;

  private long seen;
  private long next;

  PathSamples() {}

  /** One more call has come; returns whether it is to be added. */
  boolean wants() {
    return seen++ == next;
  }

  /**
   * Adds the call that came last.
   *
   * @param ran without what it called and without what it waited for
   * @param waited for anything
   */
  void add(double ran, double waited) {
    if (count == busy.length) {
      int size = Math.max(4, count * 2);
      busy = Arrays.copyOf(busy, size);
      waiting = Arrays.copyOf(waiting, size);
    }
    busy[count] = (float) ran;
    waiting[count++] = (float) waited;
    if (count == MOST) {
      thin();
    }
    next = ((long) count << shift) + (mix(count + ((long) shift << 32)) & ((1L << shift) - 1));
  }

  private void thin() {
    count = MOST / 2;
    for (int i = 0; i < count; i++) {
      int kept = 2 * i + (int) (mix(i + ((long) shift << 40)) & 1);
      busy[i] = busy[kept];
      waiting[i] = waiting[kept];
    }
    shift++;
  }

  private static long mix(long seed) {
    long z = (seed + 1) * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    return (z ^ (z >>> 27)) >>> 8;
  }

  public int count() {
    return count;
  }

  /** How long calls ran themselves, in their order. */
  public double[] busy() {
    return doubles(busy);
  }

  /** How long calls waited, in the same order. */
  public double[] waiting() {
    return doubles(waiting);
  }

  private double[] doubles(float[] from) {
    double[] to = new double[count];
    for (int i = 0; i < count; i++) {
      to[i] = from[i];
    }
    return to;
  }
}
