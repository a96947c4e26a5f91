package dev.kymo.importers.barrelfish;

/**
 * A trace event in 64 bits.
 *
 * <pre>
 *   bits 63-48  subsystem      of a message instead:  bits 63-56  0xEA send, 0xEB receive
 *   bits 47-32  event                                 bits 55-0   key
 *   bits 31-0   argument
 * </pre>
 */
final class Word {
  private static final int SEND = 0xEA;
  private static final int RECEIVE = 0xEB;
  private static final long KEY = (1L << 56) - 1;

  private Word() {}

  static int subsystem(long word) {
    return (int) (word >>> 48);
  }

  static int event(long word) {
    return (int) (word >>> 32) & 0xFFFF;
  }

  static int argument(long word) {
    return (int) word;
  }

  /** Whether a message is sent. The lower half of a subsystem's bits is part of the key. */
  static boolean isSend(long word) {
    return word >>> 56 == SEND;
  }

  static boolean isReceive(long word) {
    return word >>> 56 == RECEIVE;
  }

  static boolean isMessage(long word) {
    return isSend(word) || isReceive(word);
  }

  /** The key that a message's two ends share: channel, in old logs also the sequence number. */
  static long key(long word) {
    return word & KEY;
  }
}
