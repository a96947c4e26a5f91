package dev.kymo.importers.perf;

/** The markers among the addresses of a call chain: where the addresses after them are. */
final class CallChain {
  private static final long LOWEST_MARKER = -4095;
  private static final long USER = -512;
  private static final long GUEST_USER = -2560;

  private CallChain() {}

  static boolean isMarker(long address) {
    return address < 0 && address >= LOWEST_MARKER;
  }

  static boolean isUser(long marker) {
    return marker == USER || marker == GUEST_USER;
  }
}
