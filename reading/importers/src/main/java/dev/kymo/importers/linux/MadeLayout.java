package dev.kymo.importers.linux;

import dev.kymo.format.KernelEventFormat;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A layout of kernel events that is made up, for traces that have the events' fields but not the
 * kernel's bytes, and what makes such bytes of fields. The numbers lie at multiples of their size.
 *
 * <pre>
 *   byte  0  u16  0
 *         2  u8   flags
 *         3  u8   preempt count
 *         4  s32  thread that ran
 *         8  fields; then the bytes of those of any length
 * </pre>
 */
public final class MadeLayout {
  private static final int FLAGS = 2;
  private static final int PREEMPT_COUNT = 3;
  private static final int TID = 4;

  /** Bytes of all texts of an event: the kernel's places have 16 bits. */
  private static final int MOST = 0xFFFF;

  private final KernelEventFormat format;
  private final List<KernelEventFormat.Field> fields;

  private MadeLayout(KernelEventFormat format) {
    this.format = format;
    this.fields = format.fields();
  }

  public static Builder of(String subsystem, String name) {
    return new Builder(subsystem, name);
  }

  /** Its text for recordings. */
  public KernelEventFormat format() {
    return format;
  }

  /**
   * An event.
   *
   * @param flags the kernel's: 8 = in an interrupt, 16 = in a soft interrupt
   * @param tid thread that ran
   * @param values one for each field: {@link Number}, {@link Boolean}, {@code byte[]}, or anything
   *     whose text is meant
   */
  public byte[] event(int flags, int preemptCount, int tid, Object... values) {
    if (values.length != fields.size()) {
      throw new IllegalArgumentException(
          "as many values as fields are wanted: event=%s values=%d fields=%d"
              .formatted(format, values.length, fields.size()));
    }
    byte[] event = new byte[format.fixedSize()];
    event[FLAGS] = (byte) flags;
    event[PREEMPT_COUNT] = (byte) preemptCount;
    put(event, TID, Integer.BYTES, tid);
    for (int i = 0; i < values.length; i++) {
      KernelEventFormat.Field field = fields.get(i);
      if (field.isDynamic()) {
        event = append(event, field, values[i]);
      } else if (field.kind() == KernelEventFormat.Kind.INTEGER) {
        put(event, field.offset(), field.size(), number(values[i]));
      } else {
        byte[] bytes = bytes(values[i]);
        System.arraycopy(bytes, 0, event, field.offset(), Math.min(bytes.length, field.size()));
      }
    }
    return event;
  }

  private static byte[] append(byte[] event, KernelEventFormat.Field field, Object value) {
    byte[] bytes = bytes(value);
    int end = field.kind() == KernelEventFormat.Kind.DYNAMIC_TEXT ? 1 : 0;
    int length = Math.min(bytes.length + end, MOST - event.length);
    if (length <= 0) {
      return event;
    }
    byte[] longer = Arrays.copyOf(event, event.length + length);
    System.arraycopy(bytes, 0, longer, event.length, length - end);
    put(longer, field.offset(), Integer.BYTES, (long) length << 16 | event.length);
    return longer;
  }

  private static long number(Object value) {
    if (value instanceof Number number) {
      return number.longValue();
    }
    return Boolean.TRUE.equals(value) ? 1 : 0;
  }

  private static byte[] bytes(Object value) {
    return value instanceof byte[] raw
        ? raw
        : String.valueOf(value).getBytes(StandardCharsets.UTF_8);
  }

  private static void put(byte[] to, int at, int size, long value) {
    for (int i = 0; i < size; i++) {
      to[at + i] = (byte) (value >>> (8 * i));
    }
  }

  /** Fields, one after the other. */
  public static final class Builder {
    private final String subsystem;
    private final StringBuilder text = new StringBuilder();
    private final Set<String> taken = new HashSet<>();
    private int end = KernelEventFormat.COMMON_SIZE;

    private Builder(String subsystem, String name) {
      this.subsystem = subsystem;
      text.append("name: ").append(word(name)).append("\nID: 0\n");
    }

    /** A number of 1, 2, 4 or 8 bytes, declared as the kernel's {@code int} or {@code u64}. */
    public Builder number(String name, int size, boolean signed) {
      return number((signed ? "s" : "u") + 8 * size, name, size, signed);
    }

    /** A number of 1, 2, 4 or 8 bytes, declared as in C: {@code pid_t}. */
    public Builder number(String declaration, String name, int size, boolean signed) {
      end = (end + size - 1) & -size;
      return field(declaration + " " + unique(name), size, signed);
    }

    /** Characters, with zero bytes after the last. */
    public Builder text(String name, int size) {
      return field("char " + unique(name) + "[" + size + "]", size, false);
    }

    /** Characters, as many as there are. */
    public Builder text(String name) {
      end = (end + 3) & -4;
      return field("__data_loc char[] " + unique(name), Integer.BYTES, false);
    }

    /** Bytes, as many as there are. */
    public Builder bytes(String name) {
      end = (end + 3) & -4;
      return field("__data_loc u8[] " + unique(name), Integer.BYTES, false);
    }

    private Builder field(String declaration, int size, boolean signed) {
      text.append(
          "field:%s; offset:%d; size:%d; signed:%d;\n"
              .formatted(declaration, end, size, signed ? 1 : 0));
      end += size;
      return this;
    }

    private String unique(String name) {
      String word = word(name);
      String free = word;
      for (int i = 2; !taken.add(free); i++) {
        free = word + "_" + i;
      }
      return free;
    }

    public MadeLayout build() {
      return new MadeLayout(KernelEventFormat.parse(subsystem, text.toString()));
    }
  }

  /** A name as C has them, of at most 100 characters. */
  private static String word(String name) {
    String word = name.substring(0, Math.min(100, name.length())).replaceAll("[^A-Za-z0-9_]", "_");
    return word.isEmpty() ? "_" : word;
  }
}
