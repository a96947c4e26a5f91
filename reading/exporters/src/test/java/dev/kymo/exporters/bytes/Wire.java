package dev.kymo.exporters.bytes;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A message of protocol buffers, taken apart by the rules of the wire format alone. */
public record Wire(List<Field> fields) {
  /** A field: its value, or the bytes of a text or message. */
  @SuppressWarnings("ArrayRecordComponent") // never a key
  public record Field(int number, long value, byte[] bytes) {}

  /** Takes a message apart; it must end with its last field. */
  public static Wire of(byte[] message) {
    ByteBuffer from = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    List<Field> fields = new ArrayList<>();
    while (from.hasRemaining()) {
      long key = varint(from);
      byte[] bytes = {};
      long value = 0;
      switch ((int) key & 7) {
        case 0 -> value = varint(from);
        case 1 -> value = from.getLong();
        case 2 -> {
          bytes = new byte[(int) varint(from)];
          from.get(bytes);
        }
        default -> throw new AssertionError("wire type of key " + key);
      }
      fields.add(new Field((int) (key >>> 3), value, bytes));
    }
    return new Wire(fields);
  }

  private static long varint(ByteBuffer from) {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      byte next = from.get();
      value |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new AssertionError("a varint of more than ten bytes");
  }

  /** Numbers one after the other, without fields. */
  public static List<Long> packed(byte[] bytes) {
    ByteBuffer from = ByteBuffer.wrap(bytes);
    List<Long> numbers = new ArrayList<>();
    while (from.hasRemaining()) {
      numbers.add(varint(from));
    }
    return numbers;
  }

  public List<Field> all(int number) {
    return fields.stream().filter(field -> field.number == number).toList();
  }

  public boolean has(int number) {
    return !all(number).isEmpty();
  }

  /** A number; 0 if it is not there. */
  public long number(int number) {
    return has(number) ? all(number).getLast().value : 0;
  }

  public byte[] bytes(int number) {
    return has(number) ? all(number).getLast().bytes : new byte[0];
  }

  public String text(int number) {
    return new String(bytes(number), StandardCharsets.UTF_8);
  }

  public Wire message(int number) {
    return of(bytes(number));
  }

  public List<Wire> messages(int number) {
    return all(number).stream().map(field -> of(field.bytes)).toList();
  }
}
