package dev.kymo.importers.ctf.stream;

import dev.kymo.importers.ctf.type.EnumerationLabels;
import dev.kymo.importers.ctf.type.Ranges;
import dev.kymo.importers.target.ForeignException;
import java.math.BigInteger;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads one field of a known type: its value into its slot, and as text where that is wanted. */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
sealed interface Node {
  /** Longer texts than this are cut where they are written. */
  int MOST_TEXT = 70_000;

  /**
   * Reads the field.
   *
   * @param out null = no text is wanted
   */
  void read(Cursor in, @Nullable StringBuilder out) throws ForeignException;

  /** Nothing but an alignment. */
  record Align(int bits) implements Node {
    @Override
    public void read(Cursor in, @Nullable StringBuilder out) throws ForeignException {
      in.align(bits);
    }
  }

  /** How a number is written for people. */
  record Style(boolean signed, int bits, int base, @Nullable EnumerationLabels labels) {
    void append(StringBuilder out, long value) {
      if (labels != null) {
        out.append(labels.text(value));
      } else if (base == 16) {
        long mask = bits >= Long.SIZE ? -1 : (1L << bits) - 1;
        out.append("0x").append(Long.toHexString(value & mask));
      } else if (signed) {
        out.append(value);
      } else {
        out.append(Long.toUnsignedString(value));
      }
    }
  }

  /**
   * A number of at most 64 bits.
   *
   * @param role slot of the role that it has; -1 = none
   * @param ticks whether it has the lower bits of the clock
   */
  record Int(
      int bits,
      int align,
      boolean signed,
      boolean big,
      boolean reversed,
      Style style,
      int slot,
      int role,
      boolean ticks)
      implements Node {
    @Override
    public void read(Cursor in, @Nullable StringBuilder out) throws ForeignException {
      in.align(align);
      long value = in.number(bits, big);
      if (reversed) {
        value = Long.reverse(value) >>> (Long.SIZE - bits);
      }
      if (signed) {
        int unused = Long.SIZE - bits;
        value = value << unused >> unused;
      }
      in.numbers[slot] = value;
      if (role >= 0) {
        in.numbers[role] = value;
        if (ticks) {
          in.tick(value, bits);
        }
      }
      if (out != null) {
        style.append(out, value);
      }
    }
  }

  /** A number of more than 64 bits; its slot has the lower ones. */
  record LargeInt(int bits, int align, boolean signed, boolean big, int slot) implements Node {
    @Override
    public void read(Cursor in, @Nullable StringBuilder out) throws ForeignException {
      in.align(align);
      BigInteger value = in.large(bits, big);
      if (signed && value.testBit(bits - 1)) {
        value = value.subtract(BigInteger.ONE.shiftLeft(bits));
      }
      in.numbers[slot] = value.longValue();
      if (out != null) {
        out.append(value);
      }
    }
  }

  /** A number in groups of seven bits. */
  record Varying(boolean signed, Style style, int slot, int role, boolean ticks) implements Node {
    @Override
    public void read(Cursor in, @Nullable StringBuilder out) throws ForeignException {
      in.align(8);
      long value = 0;
      int shift = 0;
      long group;
      do {
        group = in.number(8, false);
        if (shift >= Long.SIZE && (group & 0x7F) != 0) {
          throw in.problem("number needs more than 64 bits", "");
        }
        value |= shift < Long.SIZE ? (group & 0x7F) << shift : 0;
        shift += 7;
      } while ((group & 0x80) != 0 && shift < 2 * Long.SIZE);
      if (signed && shift < Long.SIZE) {
        value = value << (Long.SIZE - shift) >> (Long.SIZE - shift);
      }
      in.numbers[slot] = value;
      if (role >= 0) {
        in.numbers[role] = value;
        if (ticks) {
          in.tick(value, Math.min(shift, Long.SIZE));
        }
      }
      if (out != null) {
        style.append(out, value);
      }
    }
  }

  /** A floating point number; its slot has the bits of a double. */
  record Floating(int bits, int align, boolean big, boolean reversed, int slot) implements Node {
    @Override
    public void read(Cursor in, @Nullable StringBuilder out) throws ForeignException {
      in.align(align);
      double value = bits > Long.SIZE ? quadruple(in) : narrow(in);
      in.numbers[slot] = Double.doubleToRawLongBits(value);
      if (out != null) {
        out.append(value);
      }
    }

    private double narrow(Cursor in) throws ForeignException {
      long raw = in.number(bits, big);
      if (reversed) {
        raw = Long.reverse(raw) >>> (Long.SIZE - bits);
      }
      return switch (bits) {
        case 16 -> Float.float16ToFloat((short) raw);
        case 32 -> Float.intBitsToFloat((int) raw);
        default -> Double.longBitsToDouble(raw);
      };
    }

    /** Rounded to a double. */
    private double quadruple(Cursor in) throws ForeignException {
      BigInteger raw = in.large(bits, big);
      int exponent = raw.shiftRight(112).intValue() & 0x7FFF;
      BigInteger fraction = raw.mod(BigInteger.ONE.shiftLeft(112));
      double sign = raw.testBit(127) ? -1 : 1;
      if (exponent == 0x7FFF) {
        return fraction.signum() == 0 ? sign * Double.POSITIVE_INFINITY : Double.NaN;
      }
      if (exponent == 0) {
        return sign * 0;
      }
      double mantissa = fraction.setBit(112).doubleValue();
      return sign * Math.scalb(mantissa, exponent - 16383 - 112);
    }
  }

  /** Bytes of a text up to a zero. */
  record Text(Charset charset, int unit, int slot) implements Node {
    @Override
    public void read(Cursor in, @Nullable StringBuilder out) throws ForeignException {
      byte[] text = utf8(in.text(unit, MOST_TEXT), charset);
      in.objects[slot] = text;
      if (out != null) {
        quote(out, text);
      }
    }
  }

  /** The bytes of a text, in UTF-8 as all others. */
  static byte[] utf8(byte[] text, Charset charset) {
    return charset.equals(StandardCharsets.UTF_8)
        ? text
        : new String(text, charset).getBytes(StandardCharsets.UTF_8);
  }

  static void quote(StringBuilder out, byte[] text) {
    out.append('"').append(new String(text, StandardCharsets.UTF_8)).append('"');
  }

  /** How many there are: a fixed number, or what a slot has. */
  record Length(long fixed, int slot) {
    long of(Cursor in) throws ForeignException {
      if (slot < 0) {
        return fixed;
      }
      long length = in.numbers[slot];
      if (length < 0 || length > Integer.MAX_VALUE) {
        throw in.problem("a length is too large", "length=" + Long.toUnsignedString(length));
      }
      return length;
    }
  }

  /** Bytes of known number; of a text what is before the first zero. */
  record Bytes(Length length, @Nullable Charset charset, int slot) implements Node {
    @Override
    public void read(Cursor in, @Nullable StringBuilder out) throws ForeignException {
      byte[] taken = in.bytes(length.of(in), MOST_TEXT);
      if (charset != null) {
        taken = utf8(upToZero(taken, charset), charset);
      }
      in.objects[slot] = taken;
      if (out != null) {
        if (charset != null) {
          quote(out, taken);
        } else {
          append(out, taken);
        }
      }
    }

    private static byte[] upToZero(byte[] text, Charset charset) {
      String name = charset.name();
      int unit = name.contains("32") ? 4 : name.contains("16") ? 2 : 1;
      for (int at = 0; at + unit <= text.length; at += unit) {
        boolean zero = true;
        for (int i = 0; i < unit; i++) {
          zero &= text[at + i] == 0;
        }
        if (zero) {
          return java.util.Arrays.copyOf(text, at);
        }
      }
      return text;
    }

    private static void append(StringBuilder out, byte[] bytes) {
      out.append('[');
      for (int i = 0; i < bytes.length && out.length() < MOST_TEXT; i++) {
        out.append(i == 0 ? "" : ", ").append(bytes[i] & 0xFF);
      }
      out.append(']');
    }
  }

  /** The UUID of the trace, which each packet has. */
  record Id(@Nullable UUID wanted) implements Node {
    @Override
    public void read(Cursor in, @Nullable StringBuilder out) throws ForeignException {
      byte[] bytes = in.bytes(16, 16);
      UUID found = dev.kymo.importers.ctf.metadata.MetadataFile.id(bytes, 0);
      if (wanted != null && !wanted.equals(found)) {
        throw in.problem("packet is of another trace", "uuid=" + found + " wanted=" + wanted);
      }
    }
  }

  /** Elements, one after the other. */
  record Elements(Node element, int align, Length length) implements Node {
    /** Elements without bits are as many as a length says, not as many as there are bits. */
    private static final int MOST_EMPTY = 65_536;

    @Override
    public void read(Cursor in, @Nullable StringBuilder out) throws ForeignException {
      long count = length.of(in);
      in.align(align);
      if (out != null) {
        out.append('[');
      }
      long before = in.position;
      for (long i = 0; i < count; i++) {
        boolean written = out != null && out.length() < MOST_TEXT;
        if (written && out != null && i > 0) {
          out.append(", ");
        }
        element.read(in, written ? out : null);
        if (i == MOST_EMPTY && in.position == before) {
          break;
        }
      }
      if (out != null) {
        out.append(']');
      }
    }
  }

  /** Fields of a structure within something that is written as text. */
  record Struct(int align, String[] names, Node[] nodes) implements Node {
    @Override
    public void read(Cursor in, @Nullable StringBuilder out) throws ForeignException {
      in.align(align);
      if (out != null) {
        out.append('{');
      }
      for (int i = 0; i < nodes.length; i++) {
        if (out != null) {
          out.append(i == 0 ? "" : ", ").append(names[i]).append('=');
        }
        nodes[i].read(in, out);
      }
      if (out != null) {
        out.append('}');
      }
    }
  }

  /** One of several fields; of the options without ranges none is ever selected. */
  record Variant(int selector, @Nullable Ranges[] when, Node[] options) implements Node {
    @Override
    public void read(Cursor in, @Nullable StringBuilder out) throws ForeignException {
      long value = in.numbers[selector];
      for (int i = 0; i < options.length; i++) {
        Ranges ranges = when[i];
        if (ranges != null && ranges.has(value)) {
          options[i].read(in, out);
          return;
        }
      }
      throw in.problem("a variant has no field for its tag", "tag=" + value);
    }
  }

  /** A field that may be absent. */
  record Optional(int selector, @Nullable Ranges when, Node node) implements Node {
    @Override
    public void read(Cursor in, @Nullable StringBuilder out) throws ForeignException {
      long value = in.numbers[selector];
      if (when == null ? value != 0 : when.has(value)) {
        node.read(in, out);
      }
    }
  }

  /** Something whose text is its value. */
  record Written(Node node, int slot) implements Node {
    @Override
    public void read(Cursor in, @Nullable StringBuilder out) throws ForeignException {
      StringBuilder text = new StringBuilder();
      node.read(in, text);
      in.objects[slot] = text.toString();
    }
  }
}
