package dev.kymo.kernel.daemon;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ReadableByteChannel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Cuts the bytes from a socket into frames. A length is accepted only up to a bound. */
final class FrameReader {
  private static final int FIRST_CAPACITY = 1024;

  private final int largest;
  private ByteBuffer bytes = ByteBuffer.allocate(FIRST_CAPACITY).order(ByteOrder.LITTLE_ENDIAN);
  private int at;

  /**
   * A reader that has read nothing yet.
   *
   * @param largest length of a frame that is accepted
   */
  FrameReader(int largest) {
    this.largest = largest;
  }

  /**
   * Reads as much as there is room for; frames returned before are no longer valid.
   *
   * @return bytes; -1 at the end
   */
  int read(ReadableByteChannel from) throws IOException {
    if (at > 0) {
      bytes.limit(bytes.position()).position(at);
      bytes.compact();
      at = 0;
    }
    if (!bytes.hasRemaining()) {
      int capacity = Math.min(bytes.capacity() * 4, largest + 4);
      bytes =
          ByteBuffer.wrap(Arrays.copyOf(bytes.array(), capacity))
              .order(ByteOrder.LITTLE_ENDIAN)
              .position(bytes.position());
    }
    return from.read(bytes);
  }

  /**
   * The next frame from its type on; null if it is not there yet.
   *
   * @throws ProtocolException if its length is impossible
   */
  @Nullable ByteBuffer next() throws ProtocolException {
    int there = bytes.position() - at;
    if (there < 4) {
      return null;
    }
    int length = bytes.getInt(at);
    if (length < 1 || length > largest) {
      throw new ProtocolException(
          "length of a message cannot be true: bytes=%d largest=%d"
              .formatted(Integer.toUnsignedLong(length), largest));
    }
    if (there < 4 + length) {
      return null;
    }
    ByteBuffer frame = bytes.slice(at + 4, length).order(ByteOrder.LITTLE_ENDIAN);
    at += 4 + length;
    return frame;
  }
}
