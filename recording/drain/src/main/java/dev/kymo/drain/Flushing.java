package dev.kymo.drain;

/**
 * The rule for writing records that do not fill a packet yet: after some time, or when there are
 * enough of them. Packets that are full are always written soon.
 *
 * @param nanos between two times at most
 * @param bytes that are not written at most, of all threads
 */
public record Flushing(long nanos, long bytes) {
  /** Viewers see events soon. */
  public static final Flushing AUTO = every(40_000_000);

  public static Flushing every(long nanos) {
    return new Flushing(nanos, Long.MAX_VALUE);
  }

  public static Flushing at(long bytes) {
    return new Flushing(Long.MAX_VALUE, bytes);
  }
}
