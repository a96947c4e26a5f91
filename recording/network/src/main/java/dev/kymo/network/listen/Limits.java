package dev.kymo.network.listen;

/**
 * The limits of what senders may take.
 *
 * @param senders connections at a time
 * @param kept how much is kept of what they send
 * @param rate bytes a second of a sender; 0 = any
 * @param plain whether everybody may send without encryption, not only this machine
 */
public record Limits(int senders, Retention kept, long rate, boolean plain) {
  /** Names of files in a recording: one each for a thread, and some more. */
  static final int FILES = 100_000;

  /** A sender must have said who it is by then. */
  static final long HELLO_MILLIS = 10_000;

  /** A sender that says nothing for so long is gone. */
  static final int SILENCE_MILLIS = 60_000;
}
