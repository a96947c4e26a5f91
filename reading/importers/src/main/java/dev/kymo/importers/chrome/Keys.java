package dev.kymo.importers.chrome;

/** Keys of messages: numbers that texts are mixed into. */
final class Keys {
  private static final long BASIS = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  private Keys() {}

  /** The FNV-1a hash of texts, each with an end. */
  static long of(String... texts) {
    long key = BASIS;
    for (String text : texts) {
      for (int i = 0; i < text.length(); i++) {
        key = (key ^ text.charAt(i)) * PRIME;
      }
      key = (key ^ 0x1FFFF) * PRIME;
    }
    return key;
  }
}
