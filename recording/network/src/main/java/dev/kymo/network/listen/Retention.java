package dev.kymo.network.listen;

import java.time.Duration;

/**
 * The limits of what is kept of received recordings.
 *
 * @param recordingBytes most bytes of a recording
 * @param allBytes most bytes of all recordings; the oldest complete ones give way to others
 * @param age after which a complete recording is removed; zero = never
 */
public record Retention(long recordingBytes, long allBytes, Duration age) {
  /** Everything is kept, of each recording so many bytes at most. */
  public static Retention of(long recordingBytes) {
    return new Retention(recordingBytes, Long.MAX_VALUE, Duration.ZERO);
  }

  boolean isLimited() {
    return allBytes != Long.MAX_VALUE || !age.isZero();
  }
}
