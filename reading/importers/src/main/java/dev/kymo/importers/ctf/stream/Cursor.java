package dev.kymo.importers.ctf.stream;

import dev.kymo.importers.target.ForeignException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A place in a packet, and the values that were read before it. Offsets are bits from the packet's
 * begin; a part of the packet is in memory.
 */
final class Cursor {
  /** The part in memory ends before the event does: it must be loaded again with more. */
  static final class MoreNeeded extends RuntimeException {
    private static final long serialVersionUID = 1;

    MoreNeeded() {
      super("", null, false, false);
    }
  }

  private static final VarHandle SHORT = view(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT = view(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG = view(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SHORT_BIG = view(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT_BIG = view(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG_BIG = view(long[].class, ByteOrder.BIG_ENDIAN);

  private final Path path;
  final long[] numbers;
  final @Nullable Object[] objects;

  /** Bytes of the packet from {@link #begin} on. */
  byte[] bytes = {};

  /** Offset of the first byte in memory, in bytes from the packet's begin. */
  long begin;

  /** Bits that are in memory and belong to the packet's content. */
  long limit;

  /** Bits of the packet's content. */
  long end;

  /** Offset of the packet in the file, in bytes. */
  long packet;

  long position;

  /** The clock's value; only its lower bits are in most events. */
  long clock;

  Cursor(Path path, int slots) {
    this.path = path;
    this.numbers = new long[slots];
    this.objects = new Object[slots];
  }

  private static VarHandle view(Class<?> array, ByteOrder order) {
    return MethodHandles.byteArrayViewVarHandle(array, order);
  }

  ForeignException problem(String problem, String facts) {
    return new ForeignException(problem, path, packet + (position >>> 3), facts);
  }

  private void need(long bits) throws ForeignException {
    if (position + bits > limit) {
      lack(bits);
    }
  }

  private void lack(long bits) throws ForeignException {
    if (position + bits > end) {
      String facts = "packet=%d bits=%d content=%d bits".formatted(packet, bits, end);
      throw problem("a field lies beyond the content of its packet", facts);
    }
    throw new MoreNeeded();
  }

  void align(int bits) throws ForeignException {
    position = (position + bits - 1) & -bits;
    need(0);
  }

  private int index() {
    return (int) ((position >>> 3) - begin);
  }

  /** The next number of at most 64 bits, not extended by its sign. */
  long number(int bits, boolean big) throws ForeignException {
    need(bits);
    long value;
    if ((position & 7) != 0 || (bits & 7) != 0) {
      value = big ? bitsBig(bits) : bits(bits);
    } else {
      int at = index();
      value =
          switch (bits) {
            case 8 -> bytes[at] & 0xFF;
            case 16 -> (short) (big ? SHORT_BIG : SHORT).get(bytes, at) & 0xFFFF;
            case 32 -> (int) (big ? INT_BIG : INT).get(bytes, at) & 0xFFFFFFFFL;
            case 64 -> (long) (big ? LONG_BIG : LONG).get(bytes, at);
            default -> big ? bitsBig(bits) : bits(bits);
          };
    }
    position += bits;
    return value;
  }

  private long bits(int bits) {
    long value = 0;
    long at = position;
    int got = 0;
    while (got < bits) {
      int in = (int) (at & 7);
      int take = Math.min(8 - in, bits - got);
      int part = ((bytes[(int) ((at >>> 3) - begin)] & 0xFF) >>> in) & ((1 << take) - 1);
      value |= (long) part << got;
      got += take;
      at += take;
    }
    return value;
  }

  private long bitsBig(int bits) {
    long value = 0;
    long at = position;
    int got = 0;
    while (got < bits) {
      int in = (int) (at & 7);
      int take = Math.min(8 - in, bits - got);
      int part =
          ((bytes[(int) ((at >>> 3) - begin)] & 0xFF) >>> (8 - in - take)) & ((1 << take) - 1);
      value = value << take | part;
      got += take;
      at += take;
    }
    return value;
  }

  /** The next number of more than 64 bits, not extended by its sign. */
  BigInteger large(int bits, boolean big) throws ForeignException {
    need(bits);
    BigInteger value = BigInteger.ZERO;
    for (int got = 0; got < bits; ) {
      int take = Math.min(32, bits - got);
      BigInteger part = BigInteger.valueOf(number(take, big));
      value = big ? value.shiftLeft(take).or(part) : value.or(part.shiftLeft(got));
      got += take;
    }
    return value;
  }

  /** The next bytes; only the first ones are kept if there are many. */
  byte[] bytes(long count, int most) throws ForeignException {
    align(8);
    need(count * 8);
    int at = index();
    byte[] taken = Arrays.copyOfRange(bytes, at, at + (int) Math.min(count, most));
    position += count * 8;
    return taken;
  }

  /** Bytes of a text up to a unit of zeros, which is taken, too. */
  byte[] text(int unit, int most) throws ForeignException {
    align(8);
    int begins = index();
    while (true) {
      need(8L * unit);
      int at = index();
      position += 8L * unit;
      boolean zero = true;
      for (int i = 0; i < unit; i++) {
        zero &= bytes[at + i] == 0;
      }
      if (zero) {
        return Arrays.copyOfRange(bytes, begins, Math.min(at, begins + most));
      }
    }
  }

  /** The clock has these lower bits now: it has gone on by less than their range. */
  void tick(long value, int bits) {
    if (bits >= Long.SIZE) {
      clock = value;
      return;
    }
    long range = 1L << bits;
    long next = (clock & -range) | (value & (range - 1));
    clock = Long.compareUnsigned(next, clock) < 0 ? next + range : next;
  }
}
