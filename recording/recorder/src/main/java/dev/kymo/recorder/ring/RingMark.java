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

  /**
   * The time that was remembered, unless something was recorded since. It remains remembered while
   * only what has it is recorded.
   *
   * @param size bytes of the record that gets it
   */
  long since(long at, long now, int size) {
    if (position != at) {
      return now;
    }
    position = at + size;
    return time;
  }
}
