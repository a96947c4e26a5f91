package dev.kymo.kernel.daemon;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The messages on the socket, both ways; all numbers are little-endian.
 *
 * <pre>
 *   0        4      5
 *   +--------+------+------------ - - -
 *   | length | type | body               length = bytes behind it, type included
 *   +--------+------+------------ - - -
 * </pre>
 */
final class Frames {
  static final int MAGIC = 0x4F4D594B; // "KYMO"
  static final int VERSION = 1;

  /** Size in bytes of what comes before the body. */
  static final int HEADER = 5;

  /** Largest length of a request, and of what the daemon sends. */
  static final int LARGEST_REQUEST = 64 * 1024;

  static final int LARGEST_ANSWER = 1024 * 1024;

  // Requests.
  static final int HELLO = 1;
  static final int REGISTER = 2;
  static final int UNREGISTER = 3;
  static final int START = 4;
  static final int STOP = 5;
  static final int STATUS = 6;
  static final int MAY_SEE = 7;

  // What the daemon sends.
  static final int OK = 0x80;
  static final int FAILED = 0x81;
  static final int FORMAT = 0x82;
  static final int EVENTS = 0x83;
  static final int LOST = 0x84;
  static final int UP_TO = 0x85;

  /** Bytes of an event's header in EVENTS: u64 clock, u16 processor, u16 event, u32 size. */
  static final int EVENT_HEADER = 16;

  private static final int LONGEST_TEXT = 0xFFFF;

  private Frames() {}

  static final class Builder {
    private ByteBuffer bytes = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);

    Builder(int type) {
      bytes.putInt(0).put((byte) type);
    }

    private void room(int size) {
      if (bytes.remaining() < size) {
        int capacity = Math.max(bytes.capacity() * 2, bytes.position() + size);
        bytes =
            ByteBuffer.wrap(Arrays.copyOf(bytes.array(), capacity))
                .order(ByteOrder.LITTLE_ENDIAN)
                .position(bytes.position());
      }
    }

    Builder u8(int value) {
      room(1);
      bytes.put((byte) value);
      return this;
    }

    Builder u16(int value) {
      room(2);
      bytes.putShort((short) value);
      return this;
    }

    Builder u32(int value) {
      room(4);
      bytes.putInt(value);
      return this;
    }

    Builder u64(long value) {
      room(8);
      bytes.putLong(value);
      return this;
    }

    /** Writes a text as u16 length and UTF-8; a text that is too long is cut. */
    Builder text(String value) {
      byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
      int length = Math.min(utf8.length, LONGEST_TEXT);
      u16(length);
      room(length);
      bytes.put(utf8, 0, length);
      return this;
    }

    ByteBuffer frame() {
      bytes.putInt(0, bytes.position() - 4);
      return bytes.flip();
    }
  }

  static Builder ok(int request) {
    return new Builder(OK).u8(request);
  }

  static ByteBuffer failed(int request, String reason) {
    return new Builder(FAILED).u8(request).text(reason).frame();
  }

  /**
   * Reads a text.
   *
   * @throws ProtocolException if it is longer than the message
   */
  static String text(ByteBuffer from) throws ProtocolException {
    need(from, 2);
    int length = from.getShort() & 0xFFFF;
    need(from, length);
    byte[] utf8 = new byte[length];
    from.get(utf8);
    return new String(utf8, StandardCharsets.UTF_8);
  }

  static void need(ByteBuffer from, int bytes) throws ProtocolException {
    if (from.remaining() < bytes) {
      throw new ProtocolException(
          "message is cut off: bytes=%d needed=%d".formatted(from.remaining(), bytes));
    }
  }

  /** Checks that nothing follows a request. */
  static void end(ByteBuffer from) throws ProtocolException {
    if (from.hasRemaining()) {
      throw new ProtocolException("message is too long: bytes_behind=" + from.remaining());
    }
  }

  static String name(int request) {
    return switch (request) {
      case HELLO -> "HELLO";
      case REGISTER -> "REGISTER";
      case UNREGISTER -> "UNREGISTER";
      case START -> "START";
      case STOP -> "STOP";
      case STATUS -> "STATUS";
      case MAY_SEE -> "MAY_SEE";
      default -> Integer.toString(request);
    };
  }
}
