package dev.kymo.exporters.barrelfish;

/**
 * Requests of a client: one dump for each line {@code trace}. A client that is sent dumps by itself
 * may say lines that begin with {@code trace}, too; they mean nothing.
 */
final class Requests {
  private static final String ASK = "trace";

  /** Bytes of a line, with its line feed. */
  private static final int LONGEST_LINE = 199;

  /** More requests than that at a time are as good as that many. */
  private static final int MOST = 1_000_000;

  private int count;
  private boolean over;
  private int column;
  private String wrong = "";

  /**
   * Takes what was said.
   *
   * @param asked whether a line says only {@code trace}; otherwise it only begins so
   * @return false if it is nothing that a client may say
   */
  synchronized boolean hear(byte[] said, int length, boolean asked) {
    for (int i = 0; i < length; i++) {
      if (!hear(said[i], asked)) {
        wrong = "it said something other than trace";
        return false;
      }
    }
    return true;
  }

  private boolean hear(byte c, boolean asked) {
    if (c == '\n') {
      boolean whole = column >= ASK.length();
      boolean empty = column == 0;
      column = 0;
      if (whole) {
        count = Math.min(MOST, count + 1);
        notifyAll();
      }
      return whole || (empty && !asked);
    }
    int at = column++;
    if (at < ASK.length()) {
      return c == ASK.charAt(at);
    }
    return asked ? c == '\r' && at == ASK.length() : column < LONGEST_LINE;
  }

  /** Why the client was closed; empty = it was not. */
  synchronized String wrong() {
    return wrong;
  }

  /** No more will be said. */
  synchronized void end() {
    over = true;
    notifyAll();
  }

  /** Waits for a request; returns false if there will be no more. */
  synchronized boolean await() throws InterruptedException {
    while (count == 0 && !over) {
      wait();
    }
    return count > 0;
  }

  /** Waits for a request, which is fulfilled then; returns false if there will be no more. */
  synchronized boolean take() throws InterruptedException {
    boolean asked = await();
    count -= asked ? 1 : 0;
    return asked;
  }
}
