package dev.kymo.reader;

import dev.kymo.format.PacketLayout;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the events of one thread stream in batches. Between calls it is at a <i>head</i>: thread
 * and clock of the next events are known, so that streams can be merged before they are decoded.
 *
 * <p>A stream that is followed may have no head now and one later. Its last packet may grow until
 * another one follows.
 */
public final class ThreadStream {
  private final int index;
  private final FileWindow window;
  private final PacketWalker walker;
  private final PacketOrder order;
  private final RecordDecoder decoder;

  private @Nullable PacketHeader packet;
  private boolean followed;
  private boolean mayGrow;
  private boolean atEnd;
  private long readAt;
  private boolean start;
  private boolean gap;
  private long gapFrom;
  private int gapThread;
  private int headThread;
  private long headClock;

  ThreadStream(
      StreamSource file,
      int index,
      StreamRules rules,
      Diagnostics diagnostics,
      IntSupplier buffer,
      long from) {
    this.index = index;
    this.window = new FileWindow(file, diagnostics, buffer);
    this.walker = new PacketWalker(window, rules.uuid(), diagnostics, from);
    this.order = new PacketOrder(rules, file.name(), diagnostics);
    this.decoder = new RecordDecoder(window, diagnostics);
  }

  /** Goes to the first packet. */
  ThreadStream open() {
    advance();
    return this;
  }

  /** Goes to a packet in the middle of the file, which an earlier pass has met. */
  ThreadStream resume(int process, long floor) {
    order.resume(process, floor);
    decoder.clock(floor);
    advance();
    return this;
  }

  /** Goes to the first packet, which need not exist yet. */
  ThreadStream follow() {
    followed = true;
    advance();
    return this;
  }

  /**
   * Continues from the end if there is more by now.
   *
   * @param complete whether the stream will not grow any more, so that what cannot be read is odd
   */
  void goOn(boolean complete) {
    followed = !complete;
    window.discard();
    if (atEnd) {
      advance();
    }
  }

  /** Releases memory until {@link #goOn}. */
  void rest() {
    window.release();
  }

  /** When a header was read last, nanoseconds of the monotonic clock; of a followed stream. */
  long readAt() {
    return readAt;
  }

  /** Its number among the recording's thread streams. */
  int index() {
    return index;
  }

  String name() {
    return window.file().name();
  }

  /** Where in the file the packet is that is being read. */
  long offset() {
    return packet == null ? 0 : packet.offset();
  }

  public boolean hasNext() {
    return packet != null && !atEnd;
  }

  public int process() {
    return order.process();
  }

  /** Thread of the events at the head. */
  public int thread() {
    return headThread;
  }

  /** Clock of the first event at the head, or of a loss there. */
  public long clock() {
    return headClock;
  }

  /**
   * Whether a segment begins at the head: a packet or a switch. A switch may be to the same thread,
   * which was elsewhere in between.
   */
  public boolean startsSegment() {
    return start;
  }

  /** Hands the loss before the head, if there is one, and the events at the head to the sink. */
  public void deliver(EventBatch batch, EventSink sink) {
    PacketHeader current = packet;
    if (current == null) {
      return;
    }
    if (gap) {
      deliverGap(current, sink);
    }
    batch.process = order.process();
    batch.stream = index;
    batch.offset = decoder.position();
    batch.packetOffset = current.offset();
    batch.packetFloor = order.floor();
    batch.start = start;
    batch.begun = window.file().begun();
    decoder.decode(batch);
    batch.thread = decoder.thread();
    raise(batch);
    if (decoder.atEnd()) {
      advance();
    } else {
      findHead();
    }
    if (batch.count > 0) {
      sink.events(batch);
    }
  }

  private void deliverGap(PacketHeader current, EventSink sink) {
    gap = false;
    int thread = current.owner().thread() == 0 ? gapThread : current.owner().thread();
    long to = Math.max(order.begin(), gapFrom);
    long lost = order.lost() == 0 ? EventSink.UNKNOWN : order.lost();
    sink.gap(order.process(), thread, gapFrom, to, lost);
    if (gapThread != thread) {
      sink.gap(order.process(), gapThread, gapFrom, to, 0);
    }
  }

  /** A packet whose clock goes backwards begins where the previous packet ended. */
  private void raise(EventBatch batch) {
    long floor = order.floor();
    if (order.begin() < floor) {
      for (int i = 0; i < batch.count; i++) {
        batch.clocks[i] = Math.max(batch.clocks[i], floor);
      }
    }
  }

  private void advance() {
    PacketHeader before = packet;
    int threadBefore = decoder.thread();
    atEnd = false;
    PacketHeader next;
    do {
      // Asked first: a packet does not grow any more once another one follows.
      PacketHeader whole = followed ? walker.peekWhole() : null;
      if (mayGrow && grow()) {
        return;
      }
      mayGrow = followed;
      next = followed ? takeWhole(whole) : walker.next();
      if (next == null) {
        atEnd = true;
        window.release();
        return;
      }
      packet = next;
      order.check(next, decoder.clock(), walker.damageBefore());
      gap = order.gap();
      long records = next.offset() + PacketLayout.HEADER_SIZE;
      decoder.packet(records, walker.contentEnd(), order, next.owner().thread());
    } while (decoder.atEnd() && !gap);
    gapFrom = order.floor();
    gapThread = before == null ? next.owner().thread() : threadBefore;
    findHead();
    start = true;
  }

  private @Nullable PacketHeader takeWhole(@Nullable PacketHeader whole) {
    if (whole != null) {
      walker.take(whole);
      readAt = System.nanoTime();
    }
    return whole;
  }

  /** Continues inside the packet, if it has more records than when its header was read. */
  private boolean grow() {
    PacketHeader known = packet;
    PacketHeader now = known == null ? null : walker.present(known.offset());
    if (known == null || now == null || now.sequence() != known.sequence()) {
      return false;
    }
    walker.take(now);
    packet = now;
    if (walker.contentEnd() <= decoder.end()) {
      return false;
    }
    window.discard();
    boolean empty = decoder.position() == now.offset() + PacketLayout.HEADER_SIZE;
    readAt = System.nanoTime();
    order.grown(now);
    decoder.grow(walker.contentEnd(), order.end());
    findHead();
    start |= empty;
    return true;
  }

  private void findHead() {
    start = decoder.peek();
    headThread = decoder.peekedThread();
    headClock = Math.max(decoder.peekedClock(), order.floor());
  }
}
