package dev.kymo.importers.uftrace.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Records of a task, {@code TID.dat}: two words each, then arguments or data if {@code more} is
 * set, up to a multiple of 8 bytes.
 *
 * <pre>
 *  0  u64  time in nanoseconds
 *  8  u64  address:48 depth:10 magic:3 more:1 type:2
 * </pre>
 */
public final class TaskRecords implements AutoCloseable {
  private static final int SIZE = 16;
  private static final int MAGIC = 5;

  /** Bytes of arguments of unknown layout that are skipped at most. */
  private static final int FARTHEST = 8192;

  /** The next record is not later than this after one whose arguments are not known. */
  private static final long LONGEST = 1_000_000_000_000L;

  private final Input in;
  private long time;
  private long word;
  private long offset;
  private boolean whole = true;
  private final List<Object> values = new ArrayList<>();

  /** What a record is. */
  public enum Type {
    ENTRY,
    EXIT,
    LOST,
    EVENT
  }

  private static final List<Type> TYPES = List.of(Type.values());

  public TaskRecords(Path file, ByteOrder order) throws IOException {
    in = new Input(file, order);
  }

  /** Reads the next record; false at the end, or where no record is. */
  public boolean advance() throws IOException {
    offset = in.offset();
    ByteBuffer bytes = in.read(SIZE);
    if (bytes.remaining() < SIZE) {
      whole = bytes.remaining() == 0;
      return false;
    }
    time = bytes.getLong();
    word = bytes.getLong();
    whole = magic(word) == MAGIC && time >= 0;
    return whole;
  }

  private static int magic(long word) {
    return (int) (word >>> 3) & 7;
  }

  /** Whether the file ends where a record ends. */
  public boolean isWhole() {
    return whole;
  }

  /** Where the record is, or would be. */
  public long offset() {
    return offset;
  }

  public long time() {
    return time;
  }

  public Type type() {
    return TYPES.get((int) word & 3);
  }

  /** Whether arguments, a result or data follow. */
  public boolean hasMore() {
    return (word >>> 2 & 1) == 1;
  }

  public int depth() {
    return (int) (word >>> 6) & 0x3FF;
  }

  /** Address of the function, number of the event, or how many were lost. */
  public long address() {
    return word >>> 16;
  }

  /** Reads the values of arguments: {@link Long}, {@link Double} or {@link String}. */
  public List<Object> values(List<Argument> arguments) throws IOException {
    values.clear();
    int length = 0;
    for (Argument argument : arguments) {
      int size = argument.size();
      if (argument.isText()) {
        ByteBuffer prefix = in.read(2);
        size = prefix.remaining() < 2 ? 0 : prefix.getShort() & 0xFFFF;
        length += 2;
      }
      ByteBuffer bytes = in.read(size);
      values.add(value(argument, bytes));
      int padding = -(length + size) & 3;
      in.skip(padding);
      length += size + padding;
    }
    in.skip(-length & 7);
    return values;
  }

  private static Object value(Argument argument, ByteBuffer bytes) {
    return switch (argument.format()) {
      case 's', 'S' -> text(bytes);
      case 'f' -> real(bytes);
      case 't' -> hex(bytes);
      case 'c' -> String.valueOf((char) (number(bytes, false) & 0xFF));
      case 'd', 'i', 'e' -> number(bytes, true);
      default -> number(bytes, false);
    };
  }

  private static Object text(ByteBuffer bytes) {
    if (bytes.remaining() == 4 && bytes.getInt(0) == -1) {
      return "NULL";
    }
    int end = 0;
    while (end < bytes.limit() && bytes.get(end) != 0) {
      end++;
    }
    byte[] text = new byte[end];
    bytes.get(0, text);
    return new String(text, StandardCharsets.UTF_8);
  }

  private static Object real(ByteBuffer bytes) {
    return switch (bytes.remaining()) {
      case 4 -> (double) bytes.getFloat();
      case 8 -> bytes.getDouble();
      default -> hex(bytes);
    };
  }

  private static long number(ByteBuffer bytes, boolean signed) {
    return switch (bytes.remaining()) {
      case 1 -> signed ? bytes.get() : bytes.get() & 0xFF;
      case 2 -> signed ? bytes.getShort() : bytes.getShort() & 0xFFFF;
      case 4 -> signed ? bytes.getInt() : bytes.getInt() & 0xFFFFFFFFL;
      case 8 -> bytes.getLong();
      default -> 0;
    };
  }

  private static String hex(ByteBuffer bytes) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < bytes.limit() && i < 1000; i++) {
      text.append(String.format("%02x", bytes.get(i)));
    }
    return text.toString();
  }

  /** Reads an event's data: words of 8 bytes, or what there is of one. */
  public List<Object> data() throws IOException {
    values.clear();
    ByteBuffer prefix = in.read(2);
    int length = prefix.remaining() < 2 ? 0 : prefix.getShort() & 0xFFFF;
    ByteBuffer bytes = in.read(length);
    in.skip(-(length + 2) & 7);
    while (bytes.remaining() >= 8) {
      values.add(bytes.getLong());
    }
    if (bytes.remaining() >= 4) {
      values.add((long) bytes.getInt());
    }
    return values;
  }

  /**
   * Goes to the next record after arguments of which nothing is known.
   *
   * @return bytes between; -1 if no record follows
   */
  public int skipUnknown() throws IOException {
    ByteBuffer bytes = in.peek(FARTHEST);
    for (int at = 0; at + SIZE <= bytes.limit(); at += 8) {
      long next = bytes.getLong(at);
      boolean later = next >= time && next - time < LONGEST;
      if (later && magic(bytes.getLong(at + 8)) == MAGIC) {
        in.skip(at);
        return at;
      }
    }
    return -1;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
