package dev.kymo.importers.perfetto.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The fields of a message, one after the other.
 *
 * <pre>
 *   varint key: field number << 3 | kind
 *   kind 0  varint        kind 1  8 bytes
 *   kind 2  varint length, then that many bytes: text, bytes, a message, packed numbers
 *   kind 5  4 bytes
 * </pre>
 */
public final class Message {
  private static final int VARINT = 0;
  private static final int FIXED_64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED_32 = 5;

  private final ByteBuffer bytes;
  private int field;
  private int kind;
  private long number;
  private int begin;
  private int length;

  /** A message that the bytes have, from their position to their limit. */
  public Message(ByteBuffer bytes) {
    this.bytes = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Goes to the next field; false at the end.
   *
   * @throws DamagedMessageException if the bytes are no message
   */
  public boolean next() {
    if (!bytes.hasRemaining()) {
      return false;
    }
    long key = varint();
    field = (int) (key >>> 3);
    kind = (int) key & 7;
    if (key >>> 32 != 0 || field == 0) {
      throw new DamagedMessageException("no field has this number: key=" + key);
    }
    switch (kind) {
      case VARINT -> number = varint();
      case FIXED_64 -> number = fixed(Long.BYTES);
      case FIXED_32 -> number = fixed(Integer.BYTES);
      case BYTES -> {
        long size = varint();
        if (size < 0 || size > bytes.remaining()) {
          throw new DamagedMessageException("field is longer than its message: bytes=" + size);
        }
        length = (int) size;
        begin = bytes.position();
        bytes.position(begin + length);
      }
      default -> throw new DamagedMessageException("no kind of field: kind=" + kind);
    }
    return true;
  }

  private long varint() {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      if (!bytes.hasRemaining()) {
        break;
      }
      byte next = bytes.get();
      value |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new DamagedMessageException("number does not end");
  }

  private long fixed(int size) {
    if (bytes.remaining() < size) {
      throw new DamagedMessageException("number does not end");
    }
    return size == Long.BYTES ? bytes.getLong() : bytes.getInt() & 0xFFFFFFFFL;
  }

  /** The same message, from its begin. */
  public Message copy() {
    return new Message(bytes.duplicate().rewind());
  }

  /** The bytes from here to its end. */
  public byte[] rest() {
    byte[] rest = new byte[bytes.remaining()];
    bytes.duplicate().get(rest);
    return rest;
  }

  /** Number of the field. */
  public int field() {
    return field;
  }

  /** Whether it is a number, and not bytes. */
  public boolean isNumber() {
    return kind != BYTES;
  }

  /** The number, unsigned as it stands there; 0 of bytes. */
  public long number() {
    return kind == BYTES ? 0 : number;
  }

  /** The number as an IEEE 754 one. */
  public double real() {
    return kind == FIXED_32
        ? Float.intBitsToFloat((int) number)
        : Double.longBitsToDouble(number());
  }

  public String text() {
    return new String(raw(), StandardCharsets.UTF_8);
  }

  /** The bytes; none of a number. */
  public byte[] raw() {
    byte[] raw = new byte[kind == BYTES ? length : 0];
    bytes.get(begin, raw);
    return raw;
  }

  public Message message() {
    return new Message(kind == BYTES ? bytes.slice(begin, length) : bytes.slice(0, 0));
  }

  /** Takes numbers. */
  public interface Numbers {
    void take(long value);
  }

  /** Gives the number or, if they are packed, the numbers, of 8 bytes each or varints. */
  public void numbers(boolean fixed, Numbers to) {
    if (kind != BYTES) {
      to.take(number);
      return;
    }
    Message packed = message();
    while (packed.bytes.hasRemaining()) {
      to.take(fixed ? packed.fixed(Long.BYTES) : packed.varint());
    }
  }
}
