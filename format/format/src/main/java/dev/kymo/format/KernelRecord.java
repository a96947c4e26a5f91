package dev.kymo.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Records of a {@link StreamClass#KERNEL} stream: one kernel event each, with its bytes as the
 * kernel wrote them except for the first two.
 *
 * <pre>
 *   byte  0  u32    low half of the clock
 *         4  u16    number of the event in this recording: {@link Definition.KernelEvent}
 *         6  u8     the kernel's flags: which interrupts were being handled
 *         7  u8     the kernel's preempt count
 *         8  s32    thread that ran, the kernel's number
 *        12  fields from {@link KernelEventFormat#COMMON_SIZE} to {@link KernelEventFormat#fixedSize}
 *            bytes of the dynamic fields, in the order of the fields
 * </pre>
 *
 * <p>In a record a dynamic field's four bytes say, as in the kernel's event, u16 offset and u16
 * length; the offset means nothing here. Between two records of a packet lie less than 2^32 ticks.
 */
public final class KernelRecord {
  /** Bytes before the kernel's common fields. */
  public static final int CLOCK_SIZE = 4;

  /** Bytes before the first field. */
  public static final int HEADER_SIZE = CLOCK_SIZE + KernelEventFormat.COMMON_SIZE;

  public static final int ID_OFFSET = 4;
  public static final int FLAGS_OFFSET = 6;
  public static final int TID_OFFSET = 8;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  private KernelRecord() {}

  /** Maximum size in bytes of the record of an event of this many bytes. */
  public static int sizeBound(int eventSize) {
    return CLOCK_SIZE + eventSize;
  }

  /**
   * Writes a record.
   *
   * @param id number of the event in the recording
   * @param event the kernel's bytes
   * @param at where the event begins
   * @param size bytes of the event; nothing beyond them is read
   * @return bytes written; 0 if the event is shorter than its format says
   */
  public static int put(
      byte[] to,
      int position,
      long clock,
      int id,
      KernelEventFormat format,
      byte[] event,
      int at,
      int size) {
    int fixed = format.fixedSize();
    if (size < fixed) {
      return 0;
    }
    INT.set(to, position, (int) clock);
    System.arraycopy(event, at, to, position + CLOCK_SIZE, fixed);
    SHORT.set(to, position + ID_OFFSET, (short) id);
    int end = position + CLOCK_SIZE + fixed;
    return (format.isFixed() ? end : putDynamic(to, position, end, format, event, at, size))
        - position;
  }

  private static int putDynamic(
      byte[] to,
      int position,
      int fixedEnd,
      KernelEventFormat format,
      byte[] event,
      int at,
      int size) {
    int end = fixedEnd;
    for (KernelEventFormat.Field field : format.dynamic()) {
      int where = (int) INT.get(event, at + field.offset());
      int length = where >>> 16;
      int from = (where & 0xFFFF) + (field.relative() ? field.offset() + 4 : 0);
      if (from + length > size || end + length - position > sizeBound(size)) {
        length = 0; // beyond the event, or more than all that is in it
        INT.set(to, position + CLOCK_SIZE + field.offset(), 0);
      }
      System.arraycopy(event, at + from, to, end, length);
      end += length;
    }
    return end;
  }
}
