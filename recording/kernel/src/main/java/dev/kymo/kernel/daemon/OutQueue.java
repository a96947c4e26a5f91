package dev.kymo.kernel.daemon;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The queue of what is still to be sent to a client. Both threads add to it, and the socket thread
 * sends.
 *
 * <p>Events are refused beyond a bound, but answers are not: a client has few answers outstanding.
 */
final class OutQueue {
  private static final long WRITE_AT_ONCE = 1 << 20;

  private final ArrayDeque<ByteBuffer> frames = new ArrayDeque<>();
  private long bytes;
  private long answers;
  private long progress = System.nanoTime();

  synchronized void answer(ByteBuffer frame) {
    answers += frame.remaining();
    add(frame);
  }

  /** Puts events in; false if that would be more than {@code limit} bytes. */
  synchronized boolean events(ByteBuffer frame, long limit) {
    if (bytes + frame.remaining() > limit) {
      return false;
    }
    add(frame);
    return true;
  }

  private void add(ByteBuffer frame) {
    if (frames.isEmpty()) {
      progress = System.nanoTime();
    }
    frames.add(frame);
    bytes += frame.remaining();
  }

  synchronized boolean isEmpty() {
    return frames.isEmpty();
  }

  synchronized long bytes() {
    return bytes;
  }

  /** Bytes of answers among them. */
  synchronized long answers() {
    return answers;
  }

  private static boolean isAnswer(ByteBuffer frame) {
    return (frame.get(Frames.HEADER - 1) & 0xFF) < Frames.EVENTS;
  }

  /** Whether there is something of which nothing has been taken for this long. */
  synchronized boolean stuckFor(long nanos) {
    return !frames.isEmpty() && System.nanoTime() - progress > nanos;
  }

  private synchronized @Nullable ByteBuffer first() {
    return frames.peek();
  }

  private synchronized void sent(ByteBuffer frame, int count) {
    bytes -= count;
    if (count > 0) {
      progress = System.nanoTime();
    }
    if (!frame.hasRemaining()) {
      frames.remove();
      answers -= isAnswer(frame) ? frame.limit() : 0;
    }
  }

  /** Sends what the socket takes; by the socket thread only. */
  void send(SocketChannel to) throws IOException {
    long total = 0;
    ByteBuffer frame = first();
    while (frame != null && total < WRITE_AT_ONCE) {
      int count = to.write(frame);
      sent(frame, count);
      total += count;
      if (frame.hasRemaining()) {
        return;
      }
      frame = first();
    }
  }
}
