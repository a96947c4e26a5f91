package dev.kymo.reader;

import dev.kymo.format.KernelEventFormat;
import dev.kymo.format.KernelRecord;
import dev.kymo.format.PacketLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the kernel events of one processor, one after the other. */
public final class KernelStream {
  /** The largest event fits: the kernel's pages are smaller. */
  private static final int WINDOW = 256 << 10;

  private static final int LARGEST = 128 << 10;

  private final FileWindow window;
  private final StreamRules rules;
  private PacketWalker walker;
  private final PacketOrder order;
  private final Diagnostics diagnostics;
  private final Map<Integer, KernelEventFormat> formats;
  private @Nullable KernelEventFormat format;
  private int processor;
  private long lost;
  private long position;
  private long end;
  private long clock;
  private int index;
  private int size;

  KernelStream(
      StreamSource file,
      StreamRules rules,
      Map<Integer, KernelEventFormat> formats,
      Diagnostics diagnostics) {
    this.rules = rules;
    this.formats = formats;
    this.diagnostics = diagnostics;
    this.window = new FileWindow(file, diagnostics, () -> WINDOW);
    this.walker = new PacketWalker(window, rules.uuid(), diagnostics, 0);
    this.order = new PacketOrder(rules, file.name(), diagnostics);
  }

  /**
   * Goes to a packet in the middle: another pass has checked what comes before.
   *
   * @param floor no event is earlier
   */
  KernelStream from(long offset, int process, long floor) {
    walker = new PacketWalker(window, rules.uuid(), diagnostics, offset);
    order.resume(process, floor);
    clock = floor;
    return this;
  }

  void release() {
    window.release();
  }

  /** Goes to the next event; false at the end. */
  public boolean next() {
    while (true) {
      if (position < end) {
        if (decode()) {
          return true;
        }
        position = end;
        continue;
      }
      PacketHeader header = walker.next();
      if (header == null) {
        window.release();
        return false;
      }
      order.check(header, clock, walker.damageBefore());
      lost += Math.max(0, order.lost());
      processor = header.owner().thread();
      position = header.offset() + PacketLayout.HEADER_SIZE;
      end = walker.contentEnd();
      clock = Math.max(clock, order.begin());
    }
  }

  private boolean decode() {
    int left = (int) Math.min(end - position, LARGEST);
    window.require(position, left);
    index = window.index(position);
    ByteBuffer bytes = window.buffer();
    int present = Math.min(left, window.length() - index);
    KernelEventFormat found =
        present < KernelRecord.HEADER_SIZE
            ? null
            : formats.get(bytes.getShort(index + KernelRecord.ID_OFFSET) & 0xFFFF);
    size = found == null ? 0 : sizeOf(found, bytes, present);
    if (found == null || size > present) {
      odd(found, present);
      return false;
    }
    long low = bytes.getInt(index) & 0xFFFFFFFFL;
    long then = (clock & 0xFFFFFFFF00000000L) | low;
    clock = then < clock ? then + 0x100000000L : then;
    format = found;
    position += size;
    return true;
  }

  /** Bytes of the record; more than there are if it is cut. */
  private int sizeOf(KernelEventFormat of, ByteBuffer bytes, int present) {
    int all = KernelRecord.CLOCK_SIZE + of.fixedSize();
    if (!of.isFixed() && all <= present) {
      for (KernelEventFormat.Field field : of.dynamic()) {
        all += length(field, bytes);
      }
    }
    return all;
  }

  private int length(KernelEventFormat.Field field, ByteBuffer bytes) {
    return bytes.getShort(at(field) + 2) & 0xFFFF;
  }

  private int at(KernelEventFormat.Field field) {
    return index + KernelRecord.CLOCK_SIZE + field.offset();
  }

  private void odd(@Nullable KernelEventFormat known, int present) {
    long rest = end - position;
    int id =
        present < KernelRecord.HEADER_SIZE
            ? -1
            : window.buffer().getShort(index + KernelRecord.ID_OFFSET) & 0xFFFF;
    String why = known == null && id >= 0 ? "undefined event: number=" + id : "it ends too early";
    diagnostics.add(
        Oddity.BAD_KERNEL_EVENT,
        window.file().name(),
        position,
        () -> "bytes=%d reason=\"%s\"".formatted(rest, why));
  }

  /** Clock of the event, ticks. */
  public long clock() {
    return clock;
  }

  public int cpu() {
    return processor;
  }

  /** Process that stands for the kernel. */
  public int process() {
    return order.process();
  }

  /** The kernel's number of the thread that ran. */
  public int tid() {
    return window.buffer().getInt(index + KernelRecord.TID_OFFSET);
  }

  /** Events known to be missing in what was read so far. */
  public long lost() {
    return lost;
  }

  public KernelEventFormat format() {
    if (format == null) {
      throw new IllegalStateException("no event yet");
    }
    return format;
  }

  /** Number of the kind of event in the recording. */
  public int kind() {
    return window.buffer().getShort(index + KernelRecord.ID_OFFSET) & 0xFFFF;
  }

  /** The event as the kernel wrote it, except for its first two bytes and unused ones. */
  public byte[] bytes() {
    byte[] event = new byte[size - KernelRecord.CLOCK_SIZE];
    window.buffer().get(index + KernelRecord.CLOCK_SIZE, event);
    ByteBuffer fields = ByteBuffer.wrap(event).order(ByteOrder.LITTLE_ENDIAN);
    int at = format().fixedSize();
    for (KernelEventFormat.Field field : format().dynamic()) {
      int base = field.relative() ? field.offset() + field.size() : 0;
      fields.putShort(field.offset(), (short) (at - base));
      at += length(field, window.buffer());
    }
    return event;
  }

  /** A field of kind INTEGER; unsigned ones of eight bytes come as they are. */
  public long number(KernelEventFormat.Field field) {
    return number(at(field), field.size(), field.signed());
  }

  private long number(int at, int bytes, boolean signed) {
    ByteBuffer from = window.buffer();
    return switch (bytes) {
      case 1 -> signed ? from.get(at) : from.get(at) & 0xFF;
      case 2 -> signed ? from.getShort(at) : from.getShort(at) & 0xFFFF;
      case 4 -> signed ? from.getInt(at) : from.getInt(at) & 0xFFFFFFFFL;
      default -> from.getLong(at);
    };
  }

  /** All fields as {@code name=value}. */
  public String text() {
    StringBuilder text = new StringBuilder();
    for (KernelEventFormat.Field field : format().fields()) {
      text.append(text.isEmpty() ? "" : " ").append(field.name()).append('=').append(text(field));
    }
    return text.toString();
  }

  /** A field in words: decimal, addresses hexadecimal, arrays in brackets. */
  public String text(KernelEventFormat.Field field) {
    return switch (field.kind()) {
      case INTEGER ->
          field.declaration().endsWith("*")
              ? "0x" + Long.toHexString(number(field))
              : field.signed()
                  ? Long.toString(number(field))
                  : Long.toUnsignedString(number(field));
      case TEXT -> text(at(field), field.size());
      case ARRAY -> array(at(field), field.size(), field.element(), field.signed());
      case DYNAMIC_TEXT -> text(dynamic(field), length(field, window.buffer()));
      case DYNAMIC_BYTES -> array(dynamic(field), length(field, window.buffer()), 1, false);
    };
  }

  private int dynamic(KernelEventFormat.Field wanted) {
    int at = index + KernelRecord.CLOCK_SIZE + format().fixedSize();
    for (KernelEventFormat.Field field : format().dynamic()) {
      if (field.equals(wanted)) {
        break;
      }
      at += length(field, window.buffer());
    }
    return at;
  }

  private String text(int at, int most) {
    int length = 0;
    while (length < most && window.buffer().get(at + length) != 0) {
      length++;
    }
    byte[] bytes = new byte[length];
    window.buffer().get(at, bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private String array(int at, int bytes, int element, boolean signed) {
    StringBuilder text = new StringBuilder("[");
    for (int i = 0; i + element <= bytes; i += element) {
      text.append(i == 0 ? "" : " ").append(number(at + i, element, signed));
    }
    return text.append(']').toString();
  }
}
