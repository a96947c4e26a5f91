package dev.kymo.kernel;

/**
 * Pages of one processor that are read but not delivered, and a cursor on their next item: an
 * event, or a loss. Page arrays are reused. Used by one thread.
 *
 * <p>A loss is an item with the clock of the last event before it, so that it comes before what
 * other processors did in the meantime.
 */
final class CpuQueue {
  private final int cpu;
  private final PageLayout layout;
  private final PageDecoder decoder;
  private final int capacity;
  private byte[][] slots = new byte[16][];
  private long[] floors = new long[16];
  private byte[] page;
  private int first;
  private int count;
  private long bound;

  private boolean ready;
  private long clock;
  private long missing;
  private boolean afterLoss;
  private long malformed;
  private long uncountedFrom;
  private long uncountedTo;

  /** Holds at most {@code capacity} pages. */
  CpuQueue(int cpu, PageLayout layout, int capacity) {
    this.cpu = cpu;
    this.layout = layout;
    this.capacity = capacity;
    this.decoder = new PageDecoder(layout);
    this.page = new byte[layout.pageSize()];
  }

  int cpu() {
    return cpu;
  }

  boolean isFull() {
    return count >= capacity;
  }

  /** The array for the next page; {@link #added()} follows if there is a page. */
  byte[] free() {
    if (count == slots.length) {
      grow();
    }
    int at = first + count & slots.length - 1;
    if (slots[at] == null) {
      slots[at] = new byte[layout.pageSize()];
    }
    return slots[at];
  }

  private void grow() {
    byte[][] wider = new byte[2 * slots.length][];
    long[] widerFloors = new long[wider.length];
    for (int i = 0; i < slots.length; i++) {
      wider[i] = slots[first + i & slots.length - 1];
      widerFloors[i] = floors[first + i & slots.length - 1];
    }
    slots = wider;
    floors = widerFloors;
    first = 0;
  }

  /** Adds the page that was put into {@link #free()}; returns the clock that it begins with. */
  long added() {
    int at = first + count & slots.length - 1;
    floors[at] = bound;
    count++;
    return PageDecoder.firstClock(layout, slots[at]);
  }

  /** All events below this clock are or were in the queue. */
  long bound() {
    return bound;
  }

  /** All events below this clock have been added. */
  void raiseBound(long to) {
    bound = Math.max(bound, to);
  }

  /** Nothing happened before this clock. */
  void beginAt(long now) {
    clock = now;
    bound = now;
  }

  boolean hasItem() {
    return ready || advance();
  }

  /** Goes to the next item; false if there is none yet. */
  boolean advance() {
    if (!afterLoss) {
      missing = 0;
      if (decoder.next()) {
        clock = decoder.clock();
        ready = true;
        return true;
      }
    }
    return advanceSlowPath();
  }

  private boolean advanceSlowPath() {
    missing = 0;
    afterLoss = false;
    while (!decoder.next()) {
      if (count == 0) {
        ready = false;
        return false;
      }
      takePage();
      if (missing != 0) {
        afterLoss = true;
        ready = true;
        return true;
      }
    }
    clock = decoder.clock();
    ready = true;
    return true;
  }

  /** Begins the next page; its array replaces that of the page before. */
  private void takePage() {
    boolean cutOff = decoder.malformed();
    long floor = floors[first];
    byte[] next = slots[first];
    slots[first] = page;
    page = next;
    first = first + 1 & slots.length - 1;
    count--;
    decoder.begin(page);
    missing = decoder.lost();
    if (cutOff) {
      malformed++;
      missing = missing == 0 ? PageDecoder.UNKNOWN : missing; // what came after the invalid bytes
    }
    if (missing != 0) {
      clock = Math.min(Math.max(clock, floor), lossEnd());
    }
    if (missing == PageDecoder.UNKNOWN) {
      missing = 1;
      uncountedFrom = uncountedTo == 0 ? clock : uncountedFrom;
      uncountedTo = lossEnd();
    }
  }

  long clock() {
    return clock;
  }

  /** Events that are missing if the item is a loss, else 0. */
  long missing() {
    return missing;
  }

  long lossEnd() {
    return PageDecoder.firstClock(layout, page);
  }

  /**
   * Clock at which the first of the losses began that were reported as 1 because nobody counted
   * them.
   */
  long uncountedFrom() {
    return uncountedFrom;
  }

  /** Clock at which the last of these ended; 0 if there was none. */
  long uncountedTo() {
    return uncountedTo;
  }

  /** The page that the event is in. */
  byte[] bytes() {
    return page;
  }

  int offset() {
    return decoder.offset();
  }

  int size() {
    return decoder.size();
  }

  /** Pages so far that ended with bytes that are not an event. */
  long malformed() {
    return malformed;
  }
}
