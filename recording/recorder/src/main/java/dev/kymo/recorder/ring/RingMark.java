package dev.kymo.recorder.ring;

/**
 * The time at which something began that is recorded when it has ended. Of the ring's thread, which
 * has taken the ring.
 */
final class RingMark {
  private long position = -1;
  private long time;

  /**
   * Remembers the time.
   *
   * @param at where the ring is
   */
  void set(long at, long now) {
    position = at;
    time = now;
  }

  /** Whether nothing was recorded since. */
  boolean isAt(long at) {
    return position == at;
  }

  /** What was recorded since has the time that was remembered. */
  void moveTo(long at) {
    position = at;
  }

  long time() {
    return time;
  }
}
